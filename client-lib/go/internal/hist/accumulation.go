package hist

import "math"

const (
	pageBits = 8
	pageSize = 1 << pageBits
)

// Exemplar is a value that was recorded with a trace.
type Exemplar struct {
	Value      int64
	TimeMillis int64
	TraceID    string
	SpanID     string
}

// Accumulation is what one series recorded in some time. One goroutine at a time.
type Accumulation struct {
	layout *Layout
	pages  []*[pageSize]uint64

	Count    int64
	Sum      Sum
	Min, Max int64 // of the values, not of their buckets; MaxInt64 and -1 when there are none
	Slowest  *Exemplar
}

// NewAccumulation returns an empty one.
func NewAccumulation(layout *Layout) *Accumulation {
	return &Accumulation{layout: layout, pages: make([]*[pageSize]uint64, pagesOf(layout)), Min: math.MaxInt64, Max: -1}
}

func pagesOf(layout *Layout) int { return (layout.Size() + pageSize - 1) >> pageBits }

// Layout is how it counts.
func (a *Accumulation) Layout() *Layout { return a.layout }

// fits says whether so many values more can be counted.
func (a *Accumulation) fits(count int64) bool { return count <= math.MaxInt64-a.Count }

// AddBucket adds values to a bucket; sum and extremes are the caller's.
func (a *Accumulation) AddBucket(index int, count int64) {
	page := a.pages[index>>pageBits]
	if page == nil {
		page = new([pageSize]uint64)
		a.pages[index>>pageBits] = page
	}
	page[index&(pageSize-1)] += uint64(count)
	a.Count += count
}

// Widen takes the minimum and maximum of values that were added.
func (a *Accumulation) Widen(lowest, highest int64) {
	a.Min = min(a.Min, lowest)
	a.Max = max(a.Max, highest)
}

// AddExemplar keeps the one with the larger value.
func (a *Accumulation) AddExemplar(e *Exemplar) {
	if e != nil && (a.Slowest == nil || e.Value > a.Slowest.Value) {
		a.Slowest = e
	}
}

// Add adds another of the same layout; false, and nothing added, when the counts would pass 2^63-1.
func (a *Accumulation) Add(o *Accumulation) bool {
	if !a.fits(o.Count) {
		return false
	}
	o.Each(a.AddBucket)
	a.Sum.AddSum(o.Sum)
	a.Widen(o.Min, o.Max)
	a.AddExemplar(o.Slowest)
	return true
}

// Each calls with each bucket that has values, in order.
func (a *Accumulation) Each(f func(index int, count int64)) {
	for p, page := range a.pages {
		if page == nil {
			continue
		}
		for i, count := range page {
			if count != 0 {
				f(p<<pageBits|i, int64(count))
			}
		}
	}
}

// BackFill adds the values that a caller who waits for each reply did not send during one that took value: value -
// interval, value - 2 intervals, ... down to one interval, as HdrHistogram's recordValueWithExpectedInterval does, without
// the value itself. It takes a step for each bucket, not for each value. False, and nothing added, when there are too many.
func (a *Accumulation) BackFill(value, interval int64) bool {
	missing := Missing(value, interval)
	if missing == 0 {
		return true
	}
	if !a.fits(missing) {
		return false
	}
	smallest, largest := value%interval+interval, value-interval
	for next := smallest; next <= largest; {
		index := a.layout.Index(next)
		end := min(a.layout.HighestValue(index), largest)
		n := (end-next)/interval + 1
		a.AddBucket(index, n)
		next += n * interval
	}
	half := uint64(missing / 2)
	if missing%2 == 0 { // The mean is no member then, but two halves are whole.
		a.Sum.AddProduct(uint64(smallest), half)
		a.Sum.AddProduct(uint64(largest), half)
	} else {
		a.Sum.AddProduct(uint64(smallest)+half*uint64(interval), uint64(missing))
	}
	a.Widen(smallest, largest)
	return true
}

// Missing is how many values BackFill adds; 0 for an interval of 0 or less.
func Missing(value, interval int64) int64 {
	// The division is dear, and most values are below two intervals.
	if interval <= 0 || value-interval < interval {
		return 0
	}
	return value/interval - 1
}
