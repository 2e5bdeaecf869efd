package hdrsidecar

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"hdrsidecar.io/go/hdrsidecar/internal/hist"
	"hdrsidecar.io/go/hdrsidecar/internal/peer"
	"hdrsidecar.io/go/hdrsidecar/internal/wire"
)

func start(t *testing.T, options ...Option) *Client {
	t.Helper()
	c, err := New(append([]Option{
		WithInterval(10 * time.Millisecond), WithBackoff(time.Millisecond, 20*time.Millisecond), WithCloseTimeout(time.Minute),
		WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))),
	}, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_ = c.CloseContext(ctx)
	})
	return c
}

func recorderOf(t *testing.T, c *Client, name string, labels Labels, options ...RecorderOption) *Recorder {
	t.Helper()
	r, err := c.Recorder(name, labels, options...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("never: " + what)
		}
	}
}

// values is the list that a series was given.
type values []int64

func (v values) assert(t *testing.T, got peer.Merged) {
	t.Helper()
	layout, err := hist.NewLayout(1, int64(time.Hour), 3)
	if err != nil {
		t.Fatal(err)
	}
	sum, low, high, buckets := new(big.Int), int64(1<<62), int64(-1), map[int]int64{}
	for _, value := range v {
		sum.Add(sum, big.NewInt(value))
		low, high = min(low, value), max(high, value)
		buckets[layout.Index(value)]++
	}
	if got.Count != int64(len(v)) || got.Sum.Cmp(sum) != 0 || got.Min != low || got.Max != high {
		t.Errorf("count %d, sum %v, %d to %d; not %d, %v, %d to %d", got.Count, got.Sum, got.Min, got.Max, len(v), sum, low, high)
	}
	for i, n := range buckets {
		if got.Buckets[i] != n {
			t.Errorf("bucket %d: %d values, not %d", i, got.Buckets[i], n)
		}
	}
	if len(got.Buckets) != len(buckets) {
		t.Errorf("%d buckets, not %d", len(got.Buckets), len(buckets))
	}
}

func randomValues(seed uint64, n int) values {
	random := rand.New(rand.NewPCG(seed, 1))
	v := make(values, n)
	for i := range v {
		v[i] = random.Int64N(1 << (1 + random.IntN(41)))
	}
	return v
}

// Connections end in the midst of frames and before answers; every value is merged once all the same.
func TestClient_faultsEverywhere_losesAndDoublesNothing(t *testing.T) {
	for _, limits := range []struct {
		maxBody, window int
		level           byte
	}{{1 << 20, 64, 1}, {1 << 20, 1, 0}, {1024, 3, 9}} {
		t.Run(fmt.Sprint(limits), func(t *testing.T) {
			t.Parallel()
			sidecar := peer.Start(t)
			sidecar.Limits(limits.maxBody, limits.window, limits.level)
			sidecar.Disturb(uint64(limits.window), 20)
			c := start(t, WithAddress(sidecar.Address()), WithBackoff(time.Millisecond, 2*time.Millisecond))
			given := map[string]values{}
			var wg sync.WaitGroup
			for n, name := range []string{"a", "b", "c", "d"} {
				r := recorderOf(t, c, name, nil)
				v := randomValues(uint64(n), 5_000)
				given[name] = v
				for half := range 2 { // Two goroutines record each series.
					wg.Add(1)
					go func() {
						defer wg.Done()
						for i := half; i < len(v); i += 2 {
							r.Record(v[i])
							if i%250 == half {
								time.Sleep(time.Millisecond) // So that they are of many intervals.
							}
						}
					}()
				}
			}
			wg.Wait()
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			for name, v := range given {
				v.assert(t, sidecar.Series(name))
			}
			h := c.Health()
			if h.AcknowledgedValues != 20_000 || h.HarvestedValues != 20_000 || len(h.LostValues) != 0 || h.Reconnects < 5 || h.LoopFailures != 0 {
				t.Errorf("%+v", h)
			}
		})
	}
}

func TestClose_orderly_saysGoodbyeAndTellsItsFigures(t *testing.T) {
	sidecar := peer.Start(t)
	c := start(t, WithAddress(sidecar.Address()), WithCommonLabels(Labels{"service": "shop", "none": ""}), WithToken("secret"))
	recorderOf(t, c, "one", Labels{"route": "/pay"}, WithHelp("Time to pay.")).Record(-1)
	if err := errors.Join(c.Close(), c.Close()); err != nil {
		t.Fatal(err)
	}
	if goodbyes, _ := sidecar.Goodbyes(); goodbyes != 1 {
		t.Errorf("%d times GOODBYE", goodbyes)
	}
	if common, token := sidecar.Told(); common != "service=shop" || token != "secret" {
		t.Errorf("told %q and %q", common, token)
	}
	if help := sidecar.Series("one{route=/pay}").Help; help != "Time to pay." {
		t.Errorf("help %q", help)
	}
	if n := sidecar.Health("clamped_negative_total"); n != 1 {
		t.Errorf("%d clamped", n)
	}
	if n := sidecar.Health("acknowledged_values_total"); n != 1 {
		t.Errorf("%d acknowledged in the last HEALTH", n)
	}
}

// A sidecar ends a connection that says nothing for 5 minutes.
func TestHealth_ofLongIntervals_isTheSignOfLife(t *testing.T) {
	t.Parallel()
	sidecar := peer.Start(t)
	start(t, WithAddress(sidecar.Address()), WithInterval(time.Hour))
	eventually(t, "a second HEALTH", func() bool { return sidecar.Healths() == 2 })
}

func TestHealthEvery_isTenIntervalsWithinBounds(t *testing.T) {
	for interval, every := range map[time.Duration]time.Duration{
		10 * time.Millisecond: time.Second, 300 * time.Millisecond: 3 * time.Second, time.Second: 10 * time.Second, time.Hour: 10 * time.Second,
	} {
		if got := healthEvery(interval); got != every {
			t.Errorf("%v of intervals of %v", got, interval)
		}
	}
}

func TestClient_sidecarThatComesLate_getsOneJoinedIntervalOfEachSeries(t *testing.T) {
	probe, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := probe.Addr().String()
	_ = probe.Close()
	c := start(t, WithAddress("tcp://"+address))
	r := recorderOf(t, c, "late", nil)
	v := randomValues(5, 300)
	for i, value := range v {
		r.Record(value)
		if i%100 == 99 {
			eventually(t, "harvested", func() bool { return c.Health().HarvestedValues == int64(i+1) })
		}
	}
	if h := c.Health(); h.JoinedIntervals < 2 || h.PendingIntervals != 1 || h.Connected {
		t.Errorf("%+v", h)
	}
	sidecar := peer.StartOn(t, address)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	v.assert(t, sidecar.Series("late"))
}

func TestClient_refusedSeries_isCountedAsLostAndHarmsNoOther(t *testing.T) {
	sidecar := peer.Start(t)
	sidecar.Refuse(func(series string) bool { return series == "bad" })
	c := start(t, WithAddress(sidecar.Address()))
	bad, good := recorderOf(t, c, "bad", nil), recorderOf(t, c, "good", nil)
	for round := range int64(3) {
		bad.Record(round)
		good.Record(round)
		eventually(t, "harvested", func() bool { return c.Health().HarvestedValues == 2*(round+1) })
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	values{0, 1, 2}.assert(t, sidecar.Series("good"))
	lost := c.Health().LostValues
	if lost["series_limit"]+lost["unknown_series"] != 3 || len(lost) > 2 {
		t.Errorf("lost %v", lost)
	}
}

// Somebody else has used the id: what was sent and has no answer may be merged or not, and must not be doubled.
func TestClient_numbersTaken_goesOnAsAnother(t *testing.T) {
	sidecar := peer.Start(t)
	c := start(t, WithAddress(sidecar.Address()))
	r := recorderOf(t, c, "taken", nil)
	for round := range int64(3) {
		r.Record(round)
		eventually(t, "acknowledged", func() bool { return c.Health().AcknowledgedValues == round+1 })
		sidecar.SetSettled(func(settled int64) int64 { return settled + 1000 })
		sidecar.Disconnect()
		eventually(t, "connected anew", func() bool { h := c.Health(); return h.Connected && h.Reconnects == round+1 })
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	values{0, 1, 2}.assert(t, sidecar.Series("taken"))
}

// A number far below: the sidecar was set back, and takes no such jump under the old name.
func TestDelivery_numberFarBelow_numbersAnew(t *testing.T) {
	d := newDelivery(newFigures(0))
	layout, _ := hist.NewLayout(1, 1000, 3)
	counters := hist.NewCounters(layout)
	counters.Record(1)
	d.add(&outgoing{definition: defined(layout)}, counters.Harvest(), 0, 1)
	d.next = 100_000
	if err := d.welcomed(wire.WelcomeFrame{MaxBody: 1 << 20, MaxInFlight: 1}); err != nil {
		t.Fatal(err)
	}
	if d.frames(nil); len(d.inFlight) != 1 {
		t.Fatalf("%d in flight", len(d.inFlight))
	}
	if d.isOutOfStep(0) || d.isOutOfStep(40_000) || !d.isOutOfStep(30_000) || !d.isOutOfStep(100_001) {
		t.Error("numbers that fit, or not, are taken for the other")
	}
	if unknown := d.startOver(30_000); unknown != 0 || d.inFlight[0].sequence != 1 || d.next != 2 {
		t.Errorf("%d unknown, first is %d, next %d", unknown, d.inFlight[0].sequence, d.next)
	}
}

// Of what was sent and has no answer nobody knows whether it was merged: it is lost, and what was never sent is not.
func TestDelivery_numbersTaken_sendsAgainOnlyWhatWasNeverSent(t *testing.T) {
	f := newFigures(0)
	d := newDelivery(f)
	layout, _ := hist.NewLayout(1, int64(time.Hour), 3)
	counters := hist.NewCounters(layout)
	for _, v := range randomValues(9, 2_000) {
		counters.Record(v)
	}
	d.add(&outgoing{definition: defined(layout)}, counters.Harvest(), 0, 1)
	if err := d.welcomed(wire.WelcomeFrame{MaxBody: 1024, MaxInFlight: 1}); err != nil {
		t.Fatal(err)
	}
	d.frames(nil) // the first of several parts
	parts, sent := len(d.inFlight), d.inFlight[0].part.Count
	if parts < 3 || !d.isOutOfStep(2) {
		t.Fatalf("%d parts", parts)
	}
	if unknown := d.startOver(2); unknown != sent || f.lost[lostNumbersTaken] != sent {
		t.Errorf("%d unknown, lost %v, not %d", unknown, f.lost, sent)
	}
	if len(d.inFlight) != parts-1 || d.inFlight[0].sequence != 1 || d.inFlight[parts-2].sequence != int64(parts-1) || d.next != int64(parts) {
		t.Errorf("%d parts, the first is %d, next %d", len(d.inFlight), d.inFlight[0].sequence, d.next)
	}
}

// What does not fit any longer is sent in parts, under new numbers, and is the same when it is added up.
func TestDelivery_sidecarThatTakesLess_getsAllInParts(t *testing.T) {
	for _, level := range []int{0, 1} {
		d := newDelivery(newFigures(0))
		layout, _ := hist.NewLayout(1, int64(time.Hour), 3)
		counters := hist.NewCounters(layout)
		recorded := randomValues(9, 2_000)
		for _, v := range recorded {
			counters.Record(v)
		}
		d.add(&outgoing{definition: defined(layout)}, counters.Harvest(), 3, 5)
		if err := d.welcomed(wire.WelcomeFrame{MaxBody: 1 << 20, MaxInFlight: 64, DeflateLevel: level}); err != nil {
			t.Fatal(err)
		}
		d.frames(nil)
		whole := d.inFlight[0].part
		if len(d.inFlight) != 1 || whole.Count != 2_000 {
			t.Fatalf("%d parts", len(d.inFlight))
		}
		if err := d.welcomed(wire.WelcomeFrame{MaxBody: 1024, MaxInFlight: 64, DeflateLevel: level}); err != nil {
			t.Fatal(err)
		}
		d.frames(nil)
		if len(d.inFlight) < 2 || d.inFlight[0].sequence != 2 {
			t.Errorf("%d parts, the first is %d", len(d.inFlight), d.inFlight[0].sequence)
		}
		sum := hist.NewAccumulation(layout)
		for _, i := range d.inFlight {
			if n := wire.IntervalBodyBytes(i.part); n > 1024 || i.part.Start != 3 || i.part.End != 5 {
				t.Errorf("%d bytes, %d to %d", n, i.part.Start, i.part.End)
			}
			a, err := i.part.Accumulation(layout)
			if err != nil || !sum.Add(a) {
				t.Fatal(err)
			}
		}
		if sum.Count != 2_000 || sum.Sum != whole.Sum || sum.Min != slices.Min(recorded) || sum.Max != slices.Max(recorded) {
			t.Errorf("%d values, %v, %d to %d", sum.Count, sum.Sum, sum.Min, sum.Max)
		}
		buckets := map[int]int64{}
		for _, v := range recorded {
			buckets[layout.Index(v)]++
		}
		sum.Each(func(index int, count int64) {
			if buckets[index] != count {
				t.Errorf("%d in bucket %d, not %d", count, index, buckets[index])
			}
		})
	}
}

func TestClient_disabled_recordsForNobody(t *testing.T) {
	c := start(t, WithEnabled(false))
	recorderOf(t, c, "off", nil).Record(1)
	if err := c.Close(); err != nil || c.Health().HarvestedValues != 0 {
		t.Error(err, c.Health())
	}
}

// A logger of the application's may call the client.
type callsBack struct {
	slog.Handler
	client chan *Client
}

func (h callsBack) Handle(context.Context, slog.Record) error {
	c := <-h.client
	h.client <- c
	if _, err := c.Recorder("logged", nil); err != nil {
		return err
	}
	c.Health()
	return nil
}

func TestLogger_thatCallsTheClient_doesNotBlockIt(t *testing.T) {
	handler := callsBack{slog.NewTextHandler(io.Discard, nil), make(chan *Client, 1)}
	c := start(t, WithAddress("tcp://127.0.0.1:1"), WithCloseTimeout(0), WithLogger(slog.New(handler)))
	handler.client <- c
	recorderOf(t, c, "other", nil).Record(1)
	eventually(t, "harvested", func() bool { return c.Health().Series == 2 && c.Health().HarvestedValues == 1 })
}
