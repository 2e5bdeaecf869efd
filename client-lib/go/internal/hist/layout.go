package hist

import (
	"fmt"
	"math"
	"math/bits"
)

// Layout says which bucket a value falls in, exactly as HdrHistogram does. It is immutable.
type Layout struct {
	lowest  int64
	highest int64
	digits  int

	unitShift uint // u: floor(log2(lowest discernible value))
	subShift  uint // s: bits of the number of sub-buckets
	mask      uint64
	size      int
}

// NewLayout returns the layout of values from lowest (1 or more) to highest (at least twice lowest, at most 2^62) with
// that many significant decimal digits, 0 to 5.
func NewLayout(lowest, highest int64, digits int) (*Layout, error) {
	switch {
	case digits < 0 || digits > 5:
		return nil, fmt.Errorf("significant digits must be 0 to 5: %d", digits)
	case lowest < 1:
		return nil, fmt.Errorf("lowest discernible value must be 1 or more: %d", lowest)
	case highest/2 < lowest:
		return nil, fmt.Errorf("highest trackable value must be at least twice the lowest discernible one, %d: %d", lowest, highest)
	case highest > 1<<62:
		return nil, fmt.Errorf("highest trackable value must be at most 2^62: %d", highest)
	}
	u := unitShift(lowest)
	s := uint(bits.Len64(uint64(2*math.Pow10(digits)) - 1))
	if u+s > 61 {
		return nil, fmt.Errorf("lowest discernible value %d is too large for %d significant digits", lowest, digits)
	}
	l := &Layout{lowest: lowest, highest: highest, digits: digits, unitShift: u, subShift: s, mask: 1<<(s+u) - 1}
	l.size = l.Index(highest) + 1
	return l, nil
}

// unitShift takes the logarithm in floating point, as HdrHistogram does: from 2^48 on it rounds up just below a power of
// two, and a payload whose buckets are meant otherwise would be misread.
func unitShift(lowest int64) uint {
	exact := uint(bits.Len64(uint64(lowest))) - 1
	return max(exact, uint(math.Log(float64(lowest))/math.Log(2)))
}

// Lowest is the lowest discernible value.
func (l *Layout) Lowest() int64 { return l.lowest }

// Highest is the highest trackable value.
func (l *Layout) Highest() int64 { return l.highest }

// Digits is the number of significant decimal digits.
func (l *Layout) Digits() int { return l.digits }

// Size is the number of buckets up to that of the highest trackable value.
func (l *Layout) Size() int { return l.size }

// Index is the bucket of a value from 0 to 2^62.
func (l *Layout) Index(value int64) int {
	shift := l.shiftOf(value)
	return l.indexAt(value, shift)
}

// shiftOf is the number of low bits of a value that its bucket does not tell apart.
func (l *Layout) shiftOf(value int64) uint {
	return uint(bits.Len64(uint64(value)|l.mask)) - l.subShift
}

func (l *Layout) indexAt(value int64, shift uint) int {
	return int((shift-l.unitShift)<<(l.subShift-1)) + int(uint64(value)>>(shift&63))
}

// LowestValue is the lowest value of a bucket.
func (l *Layout) LowestValue(index int) int64 {
	shift := l.bucketShift(index)
	return int64(index-int((shift-l.unitShift)<<(l.subShift-1))) << shift
}

// HighestValue is the highest value of a bucket.
func (l *Layout) HighestValue(index int) int64 {
	return l.LowestValue(index) + int64(1)<<l.bucketShift(index) - 1
}

func (l *Layout) bucketShift(index int) uint {
	bucket := index >> (l.subShift - 1)
	if bucket > 0 {
		bucket-- // The first one has twice as many sub-buckets.
	}
	return uint(bucket) + l.unitShift
}
