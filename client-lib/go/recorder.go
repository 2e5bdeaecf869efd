package hdrsidecar

import (
	"sync/atomic"
	"time"

	"hdrsidecar.io/go/hdrsidecar/internal/hist"
)

const (
	maxDirectBackFill = 16
	backFillQueue     = 1024
)

// Recorder counts the values of one series. All methods are for any goroutine; they never panic, block or log. Get it once
// and keep it: a lookup costs more than recording.
type Recorder struct {
	counters *hist.Counters
	highest  int64
	perUnit  int64 // nanoseconds of a duration for each 1 of a value
	figures  *figures
	series   *outgoing

	corrected     atomic.Pointer[Recorder]
	makeCorrected func() *Recorder
	backFills     chan backFill // only of a corrected series
}

type backFill struct{ value, interval int64 }

// Record counts a value in the unit of the series; for latencies, nanoseconds of service time. A negative one counts as 0,
// one above the range as its end, and both are counted in Health as clamped. It takes constant time, and allocates only
// counters of a magnitude that is new.
func (r *Recorder) Record(value int64) {
	if uint64(value) > uint64(r.highest) {
		value = r.clamp(value)
	}
	r.counters.Record(value)
}

func (r *Recorder) clamp(value int64) int64 {
	if value < 0 {
		r.figures.clampedNegative.Add(1)
		return 0
	}
	r.figures.clampedTooLarge.Add(1)
	return r.highest
}

// RecordDuration counts a duration in the unit of the series, rounded down; for bytes and plain numbers, its nanoseconds.
func (r *Recorder) RecordDuration(d time.Duration) {
	if r.perUnit != 1 {
		d /= time.Duration(r.perUnit)
	}
	r.Record(int64(d))
}

// RecordTraced counts a value as Record does. The largest such value of each interval travels with it, as an exemplar. A
// trace id is 1 to 64 characters and a span id 0 to 32, visible ASCII; others are left out. It allocates where the value is
// kept.
func (r *Recorder) RecordTraced(value int64, traceID, spanID string) {
	if uint64(value) > uint64(r.highest) {
		value = r.clamp(value)
	}
	if len(traceID) > 0 && len(traceID) <= 64 && len(spanID) <= 32 && r.counters.Slower(value) && isVisible(traceID) && isVisible(spanID) {
		r.counters.Trace(&hist.Exemplar{Value: value, TimeMillis: max(0, time.Now().UnixMilli()), TraceID: traceID, SpanID: spanID})
	}
	r.counters.Record(value)
}

func isVisible(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < 0x21 || text[i] > 0x7e {
			return false
		}
	}
	return true
}

// RecordWithExpectedInterval counts a service time measured by a caller that waits for each reply before its next request.
// The raw series gets the value alone. A second one, labelled corrected="expected_interval", also gets the values of the
// requests that were never sent: value - interval, value - 2 intervals, ... down to one interval. Not for response times,
// which contain the wait already. Both are in the unit of the series. An interval of 0 or less: nothing is missing.
//
// Up to 16 missing values are counted at once, more by the client's own goroutine; what exceeds its queue of 1,024 between
// two samples is counted in Health as LostBackFill.
func (r *Recorder) RecordWithExpectedInterval(value, expectedInterval int64) {
	r.Record(value)
	if r.makeCorrected == nil {
		return
	}
	c := r.corrected.Load()
	if c == nil {
		c = r.makeCorrected()
	}
	value = max(0, min(value, r.highest))
	c.counters.Record(value)
	missing := hist.Missing(value, expectedInterval)
	if missing <= maxDirectBackFill {
		for v := value - expectedInterval; missing > 0; v -= expectedInterval {
			c.counters.Record(v)
			missing--
		}
		return
	}
	select {
	case c.backFills <- backFill{value: value, interval: expectedInterval}:
	default:
		c.figures.lostBackFill.Add(missing)
	}
}

// Time runs f and counts how long it took, also when it panics.
func (r *Recorder) Time(f func()) {
	defer r.Since(time.Now())
	f()
}

// Since counts the time from a start to now, by the monotonic clock: defer r.Since(time.Now()).
func (r *Recorder) Since(start time.Time) { r.RecordDuration(time.Since(start)) }

// harvest takes what was counted since the last time; nil for nothing. One goroutine at a time.
func (r *Recorder) harvest() *hist.Accumulation {
	a := r.counters.Harvest()
	for n := len(r.backFills); n > 0; n-- {
		if a == nil {
			a = hist.NewAccumulation(r.series.definition.Layout)
		}
		b := <-r.backFills
		if !a.BackFill(b.value, b.interval) {
			r.figures.lostBackFill.Add(hist.Missing(b.value, b.interval))
		}
	}
	if a == nil || a.Count == 0 {
		return nil
	}
	r.figures.harvestedValues.Add(a.Count)
	return a
}
