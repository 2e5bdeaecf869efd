// Package hdrsidecar records latencies into HdrHistogram's buckets and streams them to a sidecar, each value exactly once.
package hdrsidecar

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"hdrsidecar.io/go/hdrsidecar/internal/hist"
	"hdrsidecar.io/go/hdrsidecar/internal/spill"
	"hdrsidecar.io/go/hdrsidecar/internal/wire"
)

// ErrUndelivered is what Close returns when the sidecar has not acknowledged everything by its deadline, and what is left
// could not be written to the spill folder either.
var ErrUndelivered = errors.New("not everything was delivered to the sidecar")

// healthEvery is the time between two reports of the client's own figures: ten intervals, but not so short that they weigh
// more than the values, and not so long that the sidecar takes the client for gone.
func healthEvery(interval time.Duration) time.Duration {
	return min(max(10*interval, time.Second), 10*time.Second)
}

// Client samples its recorders and delivers what they counted. Make one at the start of a service, and close it at the end.
// All methods are for any goroutine. It runs three goroutines, however many series there are.
type Client struct {
	config   *config
	figures  *figures
	registry *registry
	log      *stateLog

	wake      chan struct{}
	ending    chan struct{} // closed behind the last harvest
	stop      context.CancelFunc
	stopping  context.Context
	delivered chan struct{}
	connected atomic.Bool
	closing   sync.Once
	closed    error

	harvesting sync.Mutex // one harvest at a time; taken before mu
	ended      bool       // the last harvest was
	from       time.Time  // start of the interval under way

	mu        sync.Mutex
	delivery  *delivery
	instance  wire.ID
	heard     time.Time // since when the sidecar has owed an answer, or when it last said anything
	last      bool      // nothing will be added any more
	healthDue time.Time // when the next report is
}

// New starts a client. It returns an error only for settings that are wrong: a sidecar that is away is none.
func New(options ...Option) (*Client, error) {
	cfg := defaults()
	for _, o := range options {
		if err := o(cfg); err != nil {
			return nil, err
		}
	}
	for _, mistake := range cfg.mistakes {
		cfg.logger.Warn(mistake)
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	if cfg.enabled && cfg.spillFolder != "" {
		if err := spill.Prepare(cfg.spillFolder); err != nil {
			cfg.logger.Warn("what cannot be delivered by the end would be lost, as it cannot be written to the spill folder",
				"folder", cfg.spillFolder, "cause", err)
		}
	}
	now := time.Now()
	f := newFigures(now.Unix())
	ctx, stop := context.WithCancel(context.Background())
	c := &Client{
		config: cfg, figures: f, registry: newRegistry(cfg, f), log: newStateLog(cfg.logger),
		wake: make(chan struct{}, 1), ending: make(chan struct{}), stop: stop, stopping: ctx, delivered: make(chan struct{}),
		delivery: newDelivery(f), instance: newInstance(), from: now, healthDue: now,
	}
	if !cfg.enabled {
		close(c.delivered)
		return c, nil
	}
	go c.sample()
	go c.deliver()
	return c, nil
}

func newInstance() (id wire.ID) {
	if _, err := rand.Read(id[:]); err != nil {
		panic(err) // The system has no random numbers; Go 1.24 ends the process by itself.
	}
	return id
}

func (c *Client) sample() {
	tick := time.NewTicker(c.config.interval)
	defer tick.Stop()
	for {
		select {
		case <-c.stopping.Done():
			return
		case <-tick.C:
			c.guarded(func() error { c.harvest(false); return nil })
		}
	}
}

// guarded makes an error of a panic: a mistake in here must not end the application.
func (c *Client) guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			c.figures.loopFailures.Add(1)
			err = fmt.Errorf("failed: %v", p)
			c.log.once("panic", "a turn of the client failed", "cause", p)
		}
	}()
	return f()
}

// harvest ends the interval under way of each series.
func (c *Client) harvest(last bool) {
	c.harvesting.Lock()
	defer c.harvesting.Unlock()
	if c.ended {
		return
	}
	now := time.Now()
	start := max(0, c.from.UnixMilli())
	end := max(start, now.UnixMilli())
	for _, r := range c.registry.all() {
		if a := r.harvest(); a != nil {
			c.add(r.series, a, start, end)
		}
	}
	c.from, c.ended = now, last
	c.mu.Lock()
	c.last = last
	c.mu.Unlock()
	c.poke()
}

func (c *Client) add(s *outgoing, a *hist.Accumulation, start, end int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.delivery.add(s, a, start, end)
}

func (c *Client) poke() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// deliver connects, again and again, until all is delivered at the end or the client gives up.
func (c *Client) deliver() {
	defer close(c.delivered)
	backoff, ending := c.config.minBackoff, c.ending
	for {
		began := time.Now()
		err := c.guarded(func() error { return c.session(c.stopping) })
		wasOpen := c.connected.Swap(false)
		if err == nil || c.stopping.Err() != nil {
			return
		}
		state := away
		if refused := (errRefused{}); errors.As(err, &refused) {
			state += refused.reason
		}
		c.log.once(state, "no connection with the sidecar, values wait", "address", c.config.address, "cause", err)
		c.mu.Lock()
		if c.last && c.delivery.isEmpty() {
			c.mu.Unlock()
			return
		}
		if wasOpen && (c.delivery.progressed || time.Since(began) > c.config.maxBackoff) {
			backoff = c.config.minBackoff
		}
		wait := backoff/2 + mathrand.N(backoff/2+1)
		if c.last {
			wait = min(wait, 50*time.Millisecond)
		}
		c.mu.Unlock()
		backoff = min(2*backoff, c.config.maxBackoff)
		select {
		case <-c.stopping.Done():
			return
		case <-ending:
			ending = nil // The end has no time for a long wait. Later attempts have their own, short ones.
		case <-time.After(wait):
		}
	}
}

// Close delivers what was recorded before it, and ends the client; see WithCloseTimeout. What cannot be delivered is written
// to the spill folder, if there is one. A second call returns the same.
func (c *Client) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), c.config.closeTimeout)
	defer cancel()
	return c.CloseContext(ctx)
}

// CloseContext is Close with a deadline of the caller's. Values recorded after it reach nobody.
func (c *Client) CloseContext(ctx context.Context) error {
	c.closing.Do(func() { c.closed = c.end(ctx) })
	return c.closed
}

func (c *Client) end(ctx context.Context) error {
	defer c.stop()
	if !c.config.enabled {
		return nil
	}
	c.harvest(true)
	close(c.ending)
	c.mu.Lock()
	nothing := c.delivery.isEmpty() && !c.connected.Load()
	c.mu.Unlock()
	if nothing {
		c.stop() // Nobody is there to whom it would say goodbye.
	}
	select {
	case <-c.delivered:
	case <-ctx.Done():
	}
	c.stop()
	<-c.delivered // No connection stands any more: nothing that is written below is still being sent.
	c.countLate()
	c.mu.Lock()
	left := c.delivery.drain()
	c.mu.Unlock()
	if len(left) == 0 {
		return nil
	}
	return c.leave(left)
}

// countLate says what was recorded while the client ended: it is too late for it.
func (c *Client) countLate() {
	c.harvesting.Lock()
	defer c.harvesting.Unlock()
	for _, r := range c.registry.all() {
		if a := r.harvest(); a != nil {
			c.figures.lose(lostAfterClose, a.Count)
		}
	}
}

// leave writes what is left to the spill folder.
func (c *Client) leave(left []*interval) error {
	values := int64(0)
	for _, i := range left {
		values += i.part.Count
	}
	if c.config.spillFolder == "" {
		c.figures.lose(lostNotDelivered, values)
		return fmt.Errorf("%w: intervals=%d values=%d", ErrUndelivered, len(left), values)
	}
	entries := make([]spill.Entry, len(left))
	for n, i := range left {
		entries[n] = spill.Entry{Series: i.series.definition, Sequence: i.sequence, Part: i.part}
	}
	path, err := spill.Write(c.config.spillFolder, c.instance, c.config.commonLabels, entries, time.Now())
	if err != nil {
		c.figures.lose(lostSpillFailed, values)
		return fmt.Errorf("%w: intervals=%d values=%d, and they cannot be spilled: %w", ErrUndelivered, len(left), values, err)
	}
	c.figures.spilledIntervals.Add(int64(len(left)))
	c.figures.spilledValues.Add(values)
	c.log.once("spilled", "closed; what was not delivered is in a file", "address", c.config.address,
		"intervals", len(left), "values", values, "file", path)
	return nil
}
