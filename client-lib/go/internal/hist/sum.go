package hist

import (
	"math/bits"
)

// Sum is an exact sum of values that are not negative, in 128 bits.
type Sum struct{ Hi, Lo uint64 }

// Add adds a value.
func (s *Sum) Add(value uint64) {
	var carry uint64
	s.Lo, carry = bits.Add64(s.Lo, value, 0)
	s.Hi += carry
}

// AddSum adds another sum.
func (s *Sum) AddSum(o Sum) {
	var carry uint64
	s.Lo, carry = bits.Add64(s.Lo, o.Lo, 0)
	s.Hi, _ = bits.Add64(s.Hi, o.Hi, carry)
}

// AddProduct adds a product.
func (s *Sum) AddProduct(a, b uint64) {
	hi, lo := bits.Mul64(a, b)
	s.AddSum(Sum{Hi: hi, Lo: lo})
}

// Minus takes away a sum that is not larger.
func (s Sum) Minus(o Sum) Sum {
	lo, borrow := bits.Sub64(s.Lo, o.Lo, 0)
	hi, _ := bits.Sub64(s.Hi, o.Hi, borrow)
	return Sum{Hi: hi, Lo: lo}
}

// Less says whether this is the smaller one.
func (s Sum) Less(o Sum) bool { return s.Hi < o.Hi || s.Hi == o.Hi && s.Lo < o.Lo }

// mean is the floor of the sum over a count, and whether something is left; limit when it would be larger.
func (s Sum) mean(count, limit uint64) (floor uint64, exact bool) {
	if s.Hi >= count {
		return limit, true
	}
	q, r := bits.Div64(s.Hi, s.Lo, count)
	if q >= limit {
		return limit, true
	}
	return q, r == 0
}
