package hist

import (
	"math"
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"
)

// How a narrow cell packs the values of one bucket into one word: how many in the upper bits, and what they are above
// the bucket's lowest value, added up, in the lower. A value of a bucket of width 2^20 or less adds less than 2^20, so
// 2^22 of them stay within 42 bits.
const (
	narrowShift = 20
	countShift  = 42
	oneValue    = 1 << countShift
	offsetMask  = oneValue - 1
)

// Values in an interval from which a series is worth further stripes.
const hotValues = 50_000

// Counters counts values of any goroutine, without a lock, and hands over what was counted, each value once.
//
// The idea: count and sum of a value are one atomic add. A cell is in HdrHistogram's bucket order; it holds how many
// values fell into the bucket and how far they are above its lowest value, packed into one word. Whoever harvests swaps the
// word with 0. An add comes before that swap or after it, so a value is in exactly one interval, and so is its part of the
// sum. There is no second copy of the counters, and nobody waits for anybody.
//
// A cell with 2^21 values, which its uppermost bit shows, is emptied into the wide page by each goroutine whose add has
// shown that bit. It could only run over if 2^21 further goroutines were stopped between their add and their swap.
//
// Buckets wider than 2^20 (above 2 s at 3 digits, in nanoseconds) count in the wide page alone, with an add each for count
// and offset. The offset is added first and taken last, so the sum of a value at the edge of two intervals may be in the
// earlier one. PROTOCOL.md allows that.
//
// Minimum and maximum are written before the count and taken after it. The extreme of an interval is one of these if it
// falls into the outermost bucket with values; else it is the mean of that bucket, within what was ever recorded. An extreme
// beyond the outermost bucket belongs to a value that is counted later, and waits for it. So over all intervals the
// extremes are exact; that of one interval may be known to its bucket only.
//
// A stripe is chosen by the address of the stack: goroutines that run at the same time have different ones, it costs
// nothing, and where two share a stripe that is slower and not wrong. There is one stripe until the harvest finds a series
// hot; old stripes stay in place, so who still holds the shorter list writes where the harvest looks.
type Counters struct {
	layout  *Layout
	stripes atomic.Pointer[[]*stripe]
	slowest atomic.Pointer[Exemplar]

	// Of the harvesting goroutine: extremes of values that were not counted yet.
	waitingMin, waitingMax int64

	// And those of all values so far: no mean may be beyond them.
	everMin, everMax int64
}

type stripe struct {
	pages []atomic.Pointer[page]
	wide  []atomic.Pointer[widePage]

	_ [64]byte // Read by each record and hardly ever written: not on a line with what others write.

	min, max atomic.Int64

	_ [64]byte
}

type page [pageSize]atomic.Uint64

type widePage struct {
	counts [pageSize]atomic.Uint64
	low    [pageSize]atomic.Uint64 // lower 32 bits of the offsets, added up
	high   [pageSize]atomic.Uint64 // upper 32 bits of the offsets, added up
}

// NewCounters returns empty ones.
func NewCounters(layout *Layout) *Counters {
	c := &Counters{layout: layout, waitingMin: math.MaxInt64, waitingMax: -1, everMin: math.MaxInt64, everMax: -1}
	c.stripes.Store(&[]*stripe{newStripe(layout)})
	return c
}

func newStripe(layout *Layout) *stripe {
	s := &stripe{
		pages: make([]atomic.Pointer[page], pagesOf(layout)),
		wide:  make([]atomic.Pointer[widePage], pagesOf(layout)),
	}
	s.min.Store(math.MaxInt64)
	s.max.Store(-1)
	return s
}

// Record counts a value from 0 to the highest trackable one.
func (c *Counters) Record(value int64) {
	stripes := *c.stripes.Load()
	s := stripes[0]
	if len(stripes) > 1 {
		var here byte
		hash := uint64(uintptr(unsafe.Pointer(&here))>>11) * 0x9e3779b97f4a7c15
		s = stripes[int(hash>>32)&(len(stripes)-1)]
	}
	if value > s.max.Load() || value < s.min.Load() {
		s.widen(value)
	}
	l := c.layout
	shift := l.shiftOf(value)
	index := l.indexAt(value, shift)
	if shift > narrowShift {
		s.addWide(index, value, shift)
		return
	}
	p := s.pages[index>>pageBits].Load()
	if p == nil {
		p = pageAt(&s.pages[index>>pageBits])
	}
	cell := &p[index&(pageSize-1)]
	if int64(cell.Add(oneValue|uint64(value)&(1<<(shift&63)-1))) < 0 {
		s.empty(cell, index)
	}
}

func (s *stripe) widen(value int64) {
	for m := s.max.Load(); value > m && !s.max.CompareAndSwap(m, value); m = s.max.Load() {
	}
	for m := s.min.Load(); value < m && !s.min.CompareAndSwap(m, value); m = s.min.Load() {
	}
}

func (s *stripe) addWide(index int, value int64, shift uint) {
	w := pageAt(&s.wide[index>>pageBits])
	i := index & (pageSize - 1)
	offset := uint64(value) & (1<<(shift&63) - 1)
	w.low[i].Add(offset & math.MaxUint32)
	w.high[i].Add(offset >> 32)
	w.counts[i].Add(1)
}

// empty moves what a cell holds; offsets before counts, as addWide does.
func (s *stripe) empty(cell *atomic.Uint64, index int) {
	packed := cell.Swap(0)
	if packed == 0 {
		return
	}
	w := pageAt(&s.wide[index>>pageBits])
	i := index & (pageSize - 1)
	w.low[i].Add(packed & offsetMask)
	w.counts[i].Add(packed >> countShift)
}

// pageAt is the page there, created if there is none; who comes second takes that of the first.
func pageAt[P any](at *atomic.Pointer[P]) *P {
	if p := at.Load(); p != nil {
		return p
	}
	if p := new(P); at.CompareAndSwap(nil, p) {
		return p
	}
	return at.Load()
}

// Trace keeps the exemplar with the largest value until the next harvest.
func (c *Counters) Trace(e *Exemplar) {
	for present := c.slowest.Load(); present == nil || e.Value > present.Value; present = c.slowest.Load() {
		if c.slowest.CompareAndSwap(present, e) {
			return
		}
	}
}

// Slower says whether a value would be kept by Trace.
func (c *Counters) Slower(value int64) bool {
	present := c.slowest.Load()
	return present == nil || value > present.Value
}

// Harvest takes what was counted since the last time; nil if nothing was. One goroutine at a time.
func (c *Counters) Harvest() *Accumulation {
	var a *Accumulation
	first, last := edge{index: math.MaxInt}, edge{index: -1}
	stripes := *c.stripes.Load()
	for _, s := range stripes {
		s.harvest(c.layout.Size(), func(index int, count uint64, offsets Sum) {
			if a == nil {
				a = NewAccumulation(c.layout)
			}
			a.AddBucket(index, int64(count))
			a.Sum.AddProduct(count, uint64(c.layout.LowestValue(index)))
			a.Sum.AddSum(offsets)
			first.take(index, index < first.index, count, offsets)
			last.take(index, index > last.index, count, offsets)
		})
	}
	// After all counts, as a value's extreme is written before its count.
	lows, highs := []int64{c.waitingMin}, []int64{c.waitingMax}
	for _, s := range stripes {
		lows = append(lows, s.min.Swap(math.MaxInt64))
		highs = append(highs, s.max.Swap(-1))
	}
	c.extremes(a, lows, highs, first, last)
	if a == nil {
		return nil
	}
	a.AddExemplar(c.slowest.Swap(nil))
	c.grow(len(stripes), a.Count)
	return a
}

// edge is the outermost bucket with values.
type edge struct {
	index   int
	count   uint64
	offsets Sum
}

func (e *edge) take(index int, further bool, count uint64, offsets Sum) {
	if further {
		*e = edge{index: index}
	}
	if index == e.index {
		e.count += count
		e.offsets.AddSum(offsets)
	}
}

// extremes finds those of an interval, and which have to wait; see Counters.
func (c *Counters) extremes(a *Accumulation, lows, highs []int64, first, last edge) {
	c.waitingMin, c.waitingMax = math.MaxInt64, -1
	firstLowest, firstHighest, lastLowest, lastHighest := int64(math.MaxInt64), int64(-1), int64(math.MaxInt64), int64(-1)
	if a != nil {
		firstLowest, firstHighest = c.layout.LowestValue(first.index), c.layout.HighestValue(first.index)
		lastLowest, lastHighest = c.layout.LowestValue(last.index), c.layout.HighestValue(last.index)
	}
	lowest, highest := int64(math.MaxInt64), int64(-1)
	for _, v := range lows {
		c.everMin = min(c.everMin, v)
		if v < firstLowest {
			c.waitingMin = min(c.waitingMin, v)
		} else if v <= firstHighest {
			lowest = min(lowest, v)
		}
	}
	for _, v := range highs {
		c.everMax = max(c.everMax, v)
		if v > lastHighest {
			c.waitingMax = max(c.waitingMax, v)
		} else if v >= lastLowest {
			highest = max(highest, v)
		}
	}
	if a == nil {
		return
	}
	lowKnown, highKnown := lowest != math.MaxInt64, highest >= 0
	if !lowKnown {
		floor, _ := first.offsets.mean(first.count, uint64(firstHighest-firstLowest))
		lowest = c.clampToEver(firstLowest + int64(floor))
	}
	if !highKnown {
		ceiling, exact := last.offsets.mean(last.count, uint64(lastHighest-lastLowest))
		if !exact {
			ceiling++
		}
		highest = c.clampToEver(lastLowest + int64(ceiling))
	}
	switch { // Known ones were recorded; a mean gives way.
	case lowest > highest && lowKnown:
		highest = lowest
	case lowest > highest:
		lowest = highest
	}
	a.Widen(lowest, highest)
}

func (c *Counters) clampToEver(v int64) int64 { return max(c.everMin, min(c.everMax, v)) }

func (s *stripe) harvest(size int, take func(index int, count uint64, offsets Sum)) {
	for p := range s.pages {
		narrow, wide := s.pages[p].Load(), s.wide[p].Load()
		if narrow != nil {
			for i := range narrow {
				if narrow[i].Load() == 0 {
					continue // A swap would take the line from who records; a load does not.
				}
				if packed := narrow[i].Swap(0); packed != 0 {
					take(p<<pageBits|i, packed>>countShift, Sum{Lo: packed & offsetMask})
				}
			}
		}
		if wide == nil {
			continue
		}
		for i := 0; i < pageSize && p<<pageBits|i < size; i++ {
			if wide.counts[i].Load() == 0 {
				continue
			}
			count := wide.counts[i].Swap(0)
			offsets := Sum{Lo: wide.low[i].Swap(0)}
			offsets.AddProduct(wide.high[i].Swap(0), 1<<32)
			take(p<<pageBits|i, count, offsets)
		}
	}
}

// grow doubles the stripes of a hot series.
func (c *Counters) grow(stripes int, count int64) {
	if count < hotValues || stripes >= maxStripes() {
		return
	}
	grown := append(make([]*stripe, 0, 2*stripes), *c.stripes.Load()...)
	for len(grown) < 2*stripes {
		grown = append(grown, newStripe(c.layout))
	}
	c.stripes.Store(&grown)
}

// maxStripes is four for each processor, a power of two: so two goroutines seldom share one. One processor needs one.
func maxStripes() int {
	processors := runtime.GOMAXPROCS(0)
	if processors == 1 {
		return 1
	}
	return min(64, 4<<bits.Len(uint(processors-1)))
}
