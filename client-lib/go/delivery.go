package hdrsidecar

import (
	"fmt"

	"hdrsidecar.io/go/hdrsidecar/internal/hist"
	"hdrsidecar.io/go/hdrsidecar/internal/wire"
)

const (
	maxWindow      = 1024
	maxSequenceGap = 65_536
	usualBody      = 1 << 20
	frameOverhead  = 12
)

// outgoing is a series as the sender knows it.
type outgoing struct {
	definition *wire.SeriesDefinition
	id         uint32

	waiting    *hist.Accumulation // not sent, and without a number; nil for none
	start, end int64              // of what waits, milliseconds since the epoch

	announcedOn int // number of the connection that knows the id
	refusedOn   int // number of the connection that refused it
	refusal     string
}

// interval has a number, and keeps it and its contents until it is settled.
type interval struct {
	sequence int64
	series   *outgoing
	part     *wire.Part
	sentOn   int // number of the connection it was last sent on; 0 for none
}

// delivery is what waits and what is in flight: numbered once, kept until settled, resent in order. Its caller holds a
// lock.
type delivery struct {
	queue    []*outgoing
	inFlight []*interval // ascending numbers

	next       int64 // number of the next interval, 1 or more
	lastSent   int64
	connection int // number of the connection, 0 before the first
	limits     wire.WelcomeFrame
	progressed bool

	figures *figures
}

func newDelivery(f *figures) *delivery {
	return &delivery{next: 1, limits: wire.WelcomeFrame{MaxBody: usualBody, MaxInFlight: 1}, figures: f}
}

// add takes what a series recorded; joined to what waits of it, so memory is bounded by the number of series.
func (d *delivery) add(s *outgoing, a *hist.Accumulation, start, end int64) {
	if s.waiting == nil {
		s.waiting, s.start, s.end = a, start, end
		d.queue = append(d.queue, s)
		return
	}
	if !s.waiting.Add(a) {
		d.figures.lose(lostOverflow, a.Count)
		return
	}
	s.start, s.end = min(s.start, start), max(s.end, end)
	d.figures.joined.Add(1)
}

func (d *delivery) isEmpty() bool { return len(d.queue) == 0 && len(d.inFlight) == 0 }

// isOutOfStep says whether a sidecar's number cannot come from what was sent: too high, somebody else has used the id; too
// low and not 0, the sidecar was set back and takes no such jump.
func (d *delivery) isOutOfStep(settled int64) bool {
	next := d.next
	for _, i := range d.inFlight {
		if i.sequence > d.lastSent {
			next = i.sequence
			break
		}
	}
	return settled > d.lastSent || settled > 0 && next-settled > maxSequenceGap
}

// startOver goes on as another instance, numbered from 1. If the old numbers were taken nobody can know what became of what
// was sent and not settled: that is lost, as sending it again could count it twice. Returns how many values.
func (d *delivery) startOver(settled int64) int64 {
	taken := settled > d.lastSent
	if !taken {
		d.forget(settled)
	}
	var unknown int64
	var kept []*interval
	for _, i := range d.inFlight {
		if taken && i.sequence <= d.lastSent {
			unknown += i.part.Count
			d.figures.lose(lostNumbersTaken, i.part.Count)
			continue
		}
		kept = append(kept, i)
		i.sequence, i.sentOn = int64(len(kept)), 0
	}
	d.inFlight, d.next, d.lastSent = kept, int64(len(kept))+1, 0
	return unknown
}

// welcomed takes the limits of a new connection; the caller has asked isOutOfStep.
func (d *delivery) welcomed(w wire.WelcomeFrame) error {
	d.connection++
	d.limits, d.progressed = w, false
	d.forget(w.Settled)
	var kept []*interval
	var failed error
	for _, i := range d.inFlight {
		if wire.IntervalBodyBytes(i.part) <= w.MaxBody {
			kept = append(kept, i)
			continue
		}
		// The sidecar does not have it, and takes no frame as long as that: it waits again, to be sent in parts, under new
		// numbers, as none has two contents. It is either here or there, whatever fails.
		if a, err := i.part.Accumulation(i.series.definition.Layout); err != nil {
			kept, failed = append(kept, i), err
		} else {
			d.add(i.series, a, i.part.Start, i.part.End)
		}
	}
	d.inFlight = kept
	return failed
}

// settle takes an ACK. One of what was never sent cannot be believed.
func (d *delivery) settle(sequence int64) error {
	if err := d.checkSent(sequence); err != nil {
		return err
	}
	d.forget(sequence)
	return nil
}

func (d *delivery) checkSent(sequence int64) error {
	if sequence < 0 || sequence > d.lastSent {
		return fmt.Errorf("answer to interval %d, but only %d were sent", sequence, d.lastSent)
	}
	return nil
}

func (d *delivery) forget(through int64) {
	for len(d.inFlight) > 0 && d.inFlight[0].sequence <= through {
		d.figures.acknowledged.Add(1)
		d.figures.acknowledgedValues.Add(d.inFlight[0].part.Count)
		d.inFlight[0] = nil
		d.inFlight = d.inFlight[1:]
		d.progressed = true
	}
}

// refuseInterval counts what was refused for good; the reason is new if it is the first of it.
func (d *delivery) refuseInterval(r wire.RejectFrame) error {
	if err := d.checkSent(r.Reference); err != nil {
		return err
	}
	for n, i := range d.inFlight {
		if i.sequence == r.Reference {
			d.figures.lose(r.Reason, i.part.Count)
			d.inFlight = append(d.inFlight[:n:n], d.inFlight[n+1:]...)
			d.progressed = true
			break
		}
	}
	return nil
}

// awaiting is how many were sent on this connection and are not settled.
func (d *delivery) awaiting() int {
	n := 0
	for _, i := range d.inFlight {
		if i.sentOn == d.connection && d.connection > 0 {
			n++
		}
	}
	return n
}

// frames appends what the window has room for: what has a number first, then what waits.
func (d *delivery) frames(to []byte) []byte {
	room := min(d.limits.MaxInFlight, maxWindow) - d.awaiting()
	for n := 0; n < len(d.inFlight); n++ {
		i := d.inFlight[n]
		if room <= 0 {
			return to
		}
		if i.sentOn == d.connection {
			continue
		}
		if to = d.announce(to, i.series); i.series.refusedOn == d.connection {
			d.figures.lose(i.series.refusal, i.part.Count)
			d.inFlight = append(d.inFlight[:n:n], d.inFlight[n+1:]...)
			n--
			continue
		}
		to = d.send(to, i)
		room--
	}
	for room > 0 && len(d.queue) > 0 {
		s := d.queue[0]
		d.queue = d.queue[1:]
		a := s.waiting
		s.waiting = nil
		if to = d.announce(to, s); s.refusedOn == d.connection {
			d.figures.lose(s.refusal, a.Count)
			continue
		}
		for _, part := range wire.Parts(a, s.start, s.end, d.limits.MaxBody, d.limits.DeflateLevel) {
			i := &interval{sequence: d.next, series: s, part: part}
			d.next++
			d.inFlight = append(d.inFlight, i)
			if room > 0 {
				to = d.send(to, i)
				room--
			}
		}
	}
	return to
}

// announce says once per connection what an id stands for.
func (d *delivery) announce(to []byte, s *outgoing) []byte {
	if s.announcedOn == d.connection {
		return to
	}
	s.announcedOn = d.connection
	frame := wire.AppendSeries(nil, s.id, s.definition)
	if wire.BodyBytes(frame) > d.limits.MaxBody {
		// Sent all the same it would end the connection, and with it every other series.
		s.refusedOn, s.refusal = d.connection, lostTooLarge
		return to
	}
	return append(to, frame...)
}

// drain is all that is left, in the order of its numbers: what is in flight, then what waits, which gets its numbers now.
func (d *delivery) drain() []*interval {
	for _, s := range d.queue {
		for _, part := range wire.Parts(s.waiting, s.start, s.end, d.limits.MaxBody, 1) {
			d.inFlight = append(d.inFlight, &interval{sequence: d.next, series: s, part: part})
			d.next++
		}
		s.waiting = nil
	}
	left := d.inFlight
	d.queue, d.inFlight = nil, nil
	return left
}

func (d *delivery) send(to []byte, i *interval) []byte {
	if i.sequence > d.lastSent {
		d.lastSent = i.sequence
		d.figures.sent.Add(1)
	} else {
		d.figures.resent.Add(1)
	}
	i.sentOn = d.connection
	return wire.AppendInterval(to, i.sequence, i.series.id, i.part)
}
