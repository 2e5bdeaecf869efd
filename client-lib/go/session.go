package hdrsidecar

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"hdrsidecar.io/go/hdrsidecar/internal/wire"
)

// errRefused is a REJECT of the connection: values wait, and it is tried again.
type errRefused struct{ reason, message string }

func (e errRefused) Error() string { return e.reason + ": " + e.message }

// session speaks with a sidecar until the connection ends; the error says why. It returns nil once all was settled after
// the client began to close.
func (c *Client) session(ctx context.Context) error {
	conn, err := c.config.dial(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })() // Whoever waits for the other side is woken at the end.
	token, err := c.config.currentToken()
	if err != nil {
		return err
	}
	c.mu.Lock()
	instance := c.instance
	c.mu.Unlock()
	if err := c.write(conn, wire.AppendHello(nil, instance, c.config.commonLabels, token)); err != nil {
		return lastWords(conn, err)
	}
	_ = conn.SetReadDeadline(time.Now().Add(c.config.stallTimeout))
	message, err := wire.Read(conn)
	if err != nil {
		return err
	}
	if err := c.welcomed(message); err != nil {
		return err
	}
	_ = conn.SetReadDeadline(time.Time{})
	ended := make(chan error, 1)
	go c.read(conn, ended)
	err = c.pump(ctx, conn, ended)
	_ = conn.Close()
	for range ended { // What it has read must not be taken for the next connection's.
	}
	return err
}

func (c *Client) write(conn net.Conn, frames []byte) error {
	if len(frames) == 0 {
		return nil
	}
	_ = conn.SetWriteDeadline(time.Now().Add(c.config.stallTimeout))
	_, err := conn.Write(frames)
	return err
}

// lastWords: a sidecar that refuses a connection closes it as well, and its reason may be unread yet.
func lastWords(conn net.Conn, failure error) error {
	_ = conn.SetReadDeadline(time.Now().Add(time.Second))
	for {
		message, err := wire.Read(conn)
		if err != nil {
			return failure
		}
		if r, ok := message.(wire.RejectFrame); ok && r.Scope == wire.ScopeConnection {
			return errRefused{r.Reason, r.Message}
		}
	}
}

func (c *Client) welcomed(message wire.Message) error {
	switch m := message.(type) {
	case wire.RejectFrame:
		return errRefused{m.Reason, m.Message}
	case wire.WelcomeFrame:
		if err := c.goOn(m); err != nil {
			return err
		}
		if c.log.forget(away) {
			c.config.logger.Info("connected with the sidecar", "address", c.config.address)
		}
		return nil
	default:
		return errors.New("the sidecar must answer HELLO with WELCOME or REJECT")
	}
}

// goOn takes a WELCOME; an error when this connection cannot be used.
func (c *Client) goOn(m wire.WelcomeFrame) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.delivery.isOutOfStep(m.Settled) {
		unknown := c.delivery.startOver(m.Settled)
		c.instance = newInstance()
		return fmt.Errorf("the sidecar has settled interval %d, which does not fit what was sent: goes on as another"+
			" client, lost as nobody knows whether they were counted: values=%d", m.Settled, unknown)
	}
	if err := c.delivery.welcomed(m); err != nil {
		return err
	}
	c.figures.welcomes.Add(1)
	c.heard = time.Now()
	c.connected.Store(true)
	return nil
}

// read takes what the sidecar says until the connection ends, says why, and closes the channel.
func (c *Client) read(conn net.Conn, ended chan<- error) {
	defer close(ended)
	ended <- c.guarded(func() error {
		for {
			message, err := wire.Read(conn)
			if err == nil {
				err = c.take(message)
			}
			if err != nil {
				return err
			}
			c.poke()
		}
	})
}

func (c *Client) take(message wire.Message) error {
	if r, ok := message.(wire.RejectFrame); ok && r.Scope != wire.ScopeConnection {
		what := []string{wire.ScopeSeries: "series", wire.ScopeInterval: "intervals"}[r.Scope]
		c.log.once(what+" "+r.Reason, what+" are refused and their values lost", "reason", r.Reason, "message", r.Message)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heard = time.Now()
	switch m := message.(type) {
	case wire.AckFrame:
		return c.delivery.settle(m.Sequence)
	case wire.RejectFrame:
		switch m.Scope {
		case wire.ScopeSeries:
			if s := c.registry.byID(m.Reference); s != nil {
				s.refusedOn, s.refusal = c.delivery.connection, m.Reason
			}
			return nil
		case wire.ScopeInterval:
			return c.delivery.refuseInterval(m)
		}
		return errRefused{m.Reason, m.Message}
	}
	return errors.New("the sidecar must not send WELCOME twice")
}

// pump sends what the window has room for, until the connection ends or all is settled at the end.
func (c *Client) pump(ctx context.Context, conn net.Conn, ended <-chan error) error {
	tick := time.NewTicker(min(c.config.stallTimeout, time.Second))
	defer tick.Stop()
	var buffer []byte
	for {
		frames, done, err := c.turn(buffer[:0])
		if err != nil {
			return err
		}
		if done {
			if c.write(conn, wire.AppendGoodbye(frames)) == nil {
				// All is delivered, whatever comes: this only lets the sidecar read GOODBYE before the connection ends.
				_ = conn.SetReadDeadline(time.Now().Add(time.Second))
				<-ended
			}
			return nil
		}
		buffer = frames
		if err := c.write(conn, buffer); err != nil {
			_ = conn.SetReadDeadline(time.Now().Add(time.Second))
			return errors.Join(err, <-ended)
		}
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
			return ctx.Err()
		case <-c.wake:
		case <-tick.C:
		}
	}
}

// turn is what is to be sent now, and whether that is the end; an error when the sidecar has owed an answer for too long.
func (c *Client) turn(to []byte) (frames []byte, done bool, err error) {
	series := c.registry.count()
	c.mu.Lock()
	defer c.mu.Unlock()
	owed := c.delivery.awaiting() > 0
	if owed && time.Since(c.heard) >= c.config.stallTimeout {
		return nil, false, fmt.Errorf("no answer for %v", c.config.stallTimeout)
	}
	if !owed {
		c.heard = time.Now() // If it owes an answer now, then since now.
	}
	frames = c.delivery.frames(to)
	done = c.last && c.delivery.isEmpty()
	if now := time.Now(); done || !now.Before(c.healthDue) {
		frames = wire.AppendHealth(frames, c.figures.wire(series, len(c.delivery.queue), len(c.delivery.inFlight)))
		c.healthDue = now.Add(healthEvery(c.config.interval))
	}
	return frames, done, nil
}
