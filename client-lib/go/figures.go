package hdrsidecar

import (
	"sync"
	"sync/atomic"

	"hdrsidecar.io/go/hdrsidecar/internal/wire"
)

// Why values were lost, besides the reasons of PROTOCOL.md for which a sidecar refuses them.
const (
	lostNumbersTaken = "numbers_taken"
	lostOverflow     = "count_overflow"
	lostTooLarge     = "frame_too_large"
	lostNotDelivered = "not_delivered"
	lostSpillFailed  = "spill_failed"
	lostAfterClose   = "recorded_after_close"
)

// figures are the client's own; any goroutine.
type figures struct {
	startSeconds       int64
	harvestedValues    atomic.Int64
	sent               atomic.Int64
	acknowledged       atomic.Int64
	acknowledgedValues atomic.Int64
	resent             atomic.Int64
	joined             atomic.Int64
	welcomes           atomic.Int64
	clampedNegative    atomic.Int64
	clampedTooLarge    atomic.Int64
	loopFailures       atomic.Int64
	overflowedLookups  atomic.Int64
	lostBackFill       atomic.Int64
	spilledIntervals   atomic.Int64
	spilledValues      atomic.Int64

	mu   sync.Mutex
	lost map[string]int64 // by reason
}

func newFigures(startSeconds int64) *figures {
	return &figures{startSeconds: startSeconds, lost: map[string]int64{}}
}

func (f *figures) lose(reason string, values int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lost[reason] += values
}

// lostByReason is a copy.
func (f *figures) lostByReason() (byReason map[string]int64, all int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	byReason = make(map[string]int64, len(f.lost))
	for reason, values := range f.lost {
		byReason[reason] = values
		all += values
	}
	return byReason, all
}

// wire is what HEALTH says, by the names of PROTOCOL.md.
func (f *figures) wire(series, pending, inFlight int) []wire.Figure {
	_, lost := f.lostByReason()
	return []wire.Figure{
		{Name: "start_time_seconds", Value: f.startSeconds},
		{Name: "series", Value: int64(series)},
		{Name: "pending_intervals", Value: int64(pending)},
		{Name: "in_flight_intervals", Value: int64(inFlight)},
		{Name: "harvested_values_total", Value: f.harvestedValues.Load()},
		{Name: "sent_intervals_total", Value: f.sent.Load()},
		{Name: "acknowledged_intervals_total", Value: f.acknowledged.Load()},
		{Name: "acknowledged_values_total", Value: f.acknowledgedValues.Load()},
		{Name: "resent_intervals_total", Value: f.resent.Load()},
		{Name: "joined_intervals_total", Value: f.joined.Load()},
		{Name: "reconnects_total", Value: f.reconnects()},
		{Name: "lost_values_total", Value: lost},
		{Name: "clamped_negative_total", Value: f.clampedNegative.Load()},
		{Name: "clamped_too_large_total", Value: f.clampedTooLarge.Load()},
		{Name: "loop_failures_total", Value: f.loopFailures.Load()},
		{Name: "overflowed_lookups_total", Value: f.overflowedLookups.Load()},
		{Name: "lost_back_fill_values_total", Value: f.lostBackFill.Load()},
	}
}

func (f *figures) reconnects() int64 { return max(0, f.welcomes.Load()-1) }

// Health is the client's own figures, counted since New. The sidecar shows the same as hdr_sidecar_client_*. At rest,
// HarvestedValues = AcknowledgedValues + SpilledValues + all LostValues + what still waits.
type Health struct {
	Connected             bool             // the sidecar has welcomed this client, and that connection stands
	Series                int64            // series sampled
	PendingIntervals      int64            // intervals waiting to be sent, at most one for each series
	InFlightIntervals     int64            // intervals that have a number and are not acknowledged
	HarvestedValues       int64            // values taken from the recorders
	SentIntervals         int64            // intervals sent, each counted once
	AcknowledgedIntervals int64            // intervals the sidecar has
	AcknowledgedValues    int64            // values in them
	ResentIntervals       int64            // intervals sent again after a reconnect
	JoinedIntervals       int64            // intervals added to one of the same series that waited; no value is lost by that
	Reconnects            int64            // connections after the first
	LostValues            map[string]int64 // values that will not be delivered, by reason; a copy
	ClampedNegative       int64            // negative values, counted as 0
	ClampedTooLarge       int64            // values counted as the highest trackable one
	LoopFailures          int64            // unexpected failures of the client's goroutines, which went on after each
	OverflowedLookups     int64            // lookups above the limit of series
	LostBackFill          int64            // values that RecordWithExpectedInterval could not add
	SpilledIntervals      int64            // intervals written to the spill folder at the end
	SpilledValues         int64            // values in them
}

// Health looks at the client's figures.
func (c *Client) Health() Health {
	series := c.registry.count()
	c.mu.Lock()
	pending, inFlight := len(c.delivery.queue), len(c.delivery.inFlight)
	c.mu.Unlock()
	f := c.figures
	lost, _ := f.lostByReason()
	return Health{
		Connected: c.connected.Load(), Series: int64(series), PendingIntervals: int64(pending), InFlightIntervals: int64(inFlight),
		HarvestedValues: f.harvestedValues.Load(), SentIntervals: f.sent.Load(),
		AcknowledgedIntervals: f.acknowledged.Load(), AcknowledgedValues: f.acknowledgedValues.Load(),
		ResentIntervals: f.resent.Load(), JoinedIntervals: f.joined.Load(), Reconnects: f.reconnects(), LostValues: lost,
		ClampedNegative: f.clampedNegative.Load(), ClampedTooLarge: f.clampedTooLarge.Load(), LoopFailures: f.loopFailures.Load(),
		OverflowedLookups: f.overflowedLookups.Load(), LostBackFill: f.lostBackFill.Load(),
		SpilledIntervals: f.spilledIntervals.Load(), SpilledValues: f.spilledValues.Load(),
	}
}
