package hdrsidecar

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"hdrsidecar.io/go/hdrsidecar/internal/peer"
)

// told gets a token for each line of a log.
type told struct {
	slog.Handler
	lines chan struct{}
}

func (h told) Handle(context.Context, slog.Record) error {
	h.lines <- struct{}{}
	return nil
}

func TestClose_inTheMidstOfALongBackOff_delivers(t *testing.T) {
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := probe.Addr().String()
	_ = probe.Close()
	log := told{slog.NewTextHandler(io.Discard, nil), make(chan struct{}, 100)}
	c := start(t, WithAddress("tcp://"+address), WithBackoff(time.Hour, time.Hour), WithLogger(slog.New(log)))
	recorderOf(t, c, "late", nil).Record(7)
	<-log.lines // The first attempt has failed; the next is in half an hour or later.
	sidecar := peer.StartOn(t, address)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	values{7}.assert(t, sidecar.Series("late"))
}

// It would wait for somebody to say goodbye to.
func TestClose_nothingRecordedAndNobodyThere_waitsForNobody(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	for _, address := range []string{"127.0.0.1:1", mute.Addr().String()} {
		c := start(t, WithAddress("tcp://"+address), WithStallTimeout(time.Hour))
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		closed := make(chan error, 1)
		go func() { closed <- c.CloseContext(ctx) }()
		select {
		case err := <-closed:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(time.Minute):
			t.Fatal("it still waits for " + address)
		}
	}
}

func TestClose_nobodyThere_saysWhatWasNotDelivered(t *testing.T) {
	c := start(t, WithAddress("tcp://127.0.0.1:1"), WithCloseTimeout(0))
	r := recorderOf(t, c, "nobody", nil)
	r.Record(7)
	if err := c.Close(); !errors.Is(err, ErrUndelivered) || !strings.Contains(err.Error(), "values=1") {
		t.Error(err)
	}
	if lost := c.Health().LostValues[lostNotDelivered]; lost != 1 {
		t.Errorf("lost %d", lost)
	}
}

// A sidecar that reads nothing must not keep an application from ending.
func TestClose_muteSidecar_endsAtItsDeadline(t *testing.T) {
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	c := start(t, WithAddress("tcp://"+mute.Addr().String()), WithCloseTimeout(0), WithStallTimeout(time.Hour))
	recorderOf(t, c, "mute", nil).Record(7)
	if err := c.Close(); !errors.Is(err, ErrUndelivered) {
		t.Error(err)
	}
}
