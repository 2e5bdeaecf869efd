package hdrsidecar

import (
	"context"
	"errors"
	"math"
	"math/big"
	"testing"
	"time"
)

// Each start is the exact multiple, by fractions of whole numbers.
func TestFixedRate_startsAreExactMultiples(t *testing.T) {
	for rate, exact := range map[float64]*big.Rat{
		1000: big.NewRat(1000, 1), 0.5: big.NewRat(1, 2), 3: big.NewRat(3, 1), 0.1: big.NewRat(1, 10),
		333.33: big.NewRat(33333, 100), 1e9: big.NewRat(1e9, 1), 1e-9: big.NewRat(1, 1e9), 0.30000000000000004: new(big.Rat).SetFrac64(30000000000000004, 1e17),
	} {
		s, err := FixedRate(rate)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int64{0, 1, 2, 3, 999_999_937, 1 << 40} {
			at := new(big.Rat).Quo(new(big.Rat).SetInt64(n*1), exact)
			at.Mul(at, big.NewRat(1e9, 1))
			whole := new(big.Int).Div(at.Num(), at.Denom())
			expected := time.Duration(math.MaxInt64)
			if whole.IsInt64() {
				expected = time.Duration(whole.Int64())
			}
			if got := s.Start(n); got != expected {
				t.Errorf("%v: start %d at %d, not %d", rate, n, got, expected)
			}
		}
	}
	s, err := FixedRateOf(7, time.Minute)
	if err != nil || s.Start(7) != time.Minute || s.Start(1) != 8571428571 {
		t.Error(err, s.Start(7), s.Start(1))
	}
	for _, rate := range []float64{0, -1, 2e9, math.NaN(), math.Inf(1)} {
		if _, err := FixedRate(rate); err == nil {
			t.Errorf("%v: no error", rate)
		}
		if _, err := Poisson(rate, 1); err == nil {
			t.Errorf("%v: no error", rate)
		}
	}
}

func TestPoisson_startsAscendRepeatAndHaveTheirRate(t *testing.T) {
	const n = 100_000
	s, err := Poisson(1000, 42)
	if err != nil {
		t.Fatal(err)
	}
	var starts []time.Duration
	for i := range int64(n) {
		starts = append(starts, s.Start(i))
		if i > 0 && starts[i] < starts[i-1] {
			t.Fatal("start ", i, " is before the one before")
		}
	}
	for _, i := range []int64{0, 77, n - 1} {
		if got := s.Start(i); got != starts[i] {
			t.Errorf("start %d at %v, then %v", i, starts[i], got)
		}
	}
	// The sum of n gaps has a standard deviation of sqrt(n) gaps: five of them.
	if mean := float64(starts[n-1]) / n; math.Abs(mean/1e6-1) > 5/math.Sqrt(n) {
		t.Errorf("mean gap %v ns", mean)
	}
}

func TestRunOpenLoad_lateStarts_keepTheirIntendedTimes(t *testing.T) {
	s, err := FixedRate(1000)
	if err != nil {
		t.Fatal(err)
	}
	var intended []time.Time
	err = RunOpenLoad(context.Background(), s, 20, func(at time.Time) {
		if time.Now().Before(at) {
			t.Error("called before its time")
		}
		intended = append(intended, at)
		if len(intended) == 3 {
			time.Sleep(10 * time.Millisecond)
		}
	})
	if err != nil || len(intended) != 20 {
		t.Fatal(err, len(intended))
	}
	for n, at := range intended {
		if at.Sub(intended[0]) != time.Duration(n)*time.Millisecond {
			t.Errorf("start %d is %v after the first", n, at.Sub(intended[0]))
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	calls := 0
	err = RunOpenLoad(ctx, ScheduleFunc(func(n int64) time.Duration { return time.Duration(n) * time.Hour }), 2, func(time.Time) { calls++; cancel() })
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Error(err, calls)
	}
}
