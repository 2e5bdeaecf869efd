package hdrsidecar

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"strconv"
	"time"
)

// Schedule says when calls are meant to start, whatever the calls before them did: an open load. Start is the time from the
// schedule's origin to the n-th start, n = 0, 1, 2, ...; not below that of n - 1.
type Schedule interface {
	Start(n int64) time.Duration
}

// ScheduleFunc is a Schedule of your own, for example of a recorded trace.
type ScheduleFunc func(n int64) time.Duration

// Start calls f.
func (f ScheduleFunc) Start(n int64) time.Duration { return f(n) }

// fixedRate are multiples of a fraction of nanoseconds, each rounded down once.
type fixedRate struct{ numerator, denominator *big.Int }

// FixedRate is equally spaced starts, 1e-9 to 1e9 a second. The rate is taken as the shortest decimal number that Go prints
// for it, and every start is that number's exact multiple, rounded down to a nanosecond: no drift, however long it runs. A
// start that lies more than 292 years after the origin is the longest duration. Any goroutine.
func FixedRate(perSecond float64) (Schedule, error) {
	if !(perSecond >= 1e-9 && perSecond <= 1e9) {
		return nil, fmt.Errorf("calls per second must be 1e-9 to 1e9: %v", perSecond)
	}
	rate, _ := new(big.Rat).SetString(strconv.FormatFloat(perSecond, 'g', -1, 64))
	period := new(big.Rat).Quo(big.NewRat(int64(time.Second), 1), rate)
	return &fixedRate{period.Num(), period.Denom()}, nil
}

// FixedRateOf is equally spaced starts, such as 1,000 per minute; as exact as FixedRate, for rates that no decimal number
// hits. At most one call a nanosecond. Any goroutine.
func FixedRateOf(calls int64, per time.Duration) (Schedule, error) {
	if calls <= 0 || int64(per) < calls {
		return nil, fmt.Errorf("calls must be 1 or more, and at most one a nanosecond: %d per %v", calls, per)
	}
	period := big.NewRat(int64(per), calls)
	return &fixedRate{period.Num(), period.Denom()}, nil
}

func (f *fixedRate) Start(n int64) time.Duration {
	if f.numerator.IsUint64() && f.denominator.IsUint64() && n >= 0 {
		hi, lo := bits.Mul64(uint64(n), f.numerator.Uint64())
		if hi >= f.denominator.Uint64() {
			return math.MaxInt64
		}
		start, _ := bits.Div64(hi, lo, f.denominator.Uint64())
		return time.Duration(min(start, math.MaxInt64))
	}
	start := new(big.Int).Mul(big.NewInt(n), f.numerator)
	if start.Div(start, f.denominator); !start.IsInt64() {
		return math.MaxInt64
	}
	return time.Duration(start.Int64())
}

// poisson adds up in whole nanoseconds and a fraction below one, so that precision does not fade as the sum grows.
type poisson struct {
	meanGap float64 // nanoseconds
	seed    uint64

	random   *rand.Rand
	n        int64
	nanos    int64
	fraction float64
}

// Poisson is starts of callers who know nothing of each other, with exponentially distributed gaps. The same seed gives the
// same starts, on the same kind of processor. One goroutine at a time; each start follows from the one before, so asking for
// an earlier one begins anew.
func Poisson(perSecond float64, seed uint64) (Schedule, error) {
	if !(perSecond >= 1e-9 && perSecond <= 1e9) {
		return nil, fmt.Errorf("calls per second must be 1e-9 to 1e9: %v", perSecond)
	}
	p := &poisson{meanGap: 1e9 / perSecond, seed: seed}
	p.restart()
	return p, nil
}

// restart: the first call comes one gap after the origin, as the process has no memory.
func (p *poisson) restart() {
	p.random = rand.New(rand.NewPCG(p.seed, 0))
	p.n, p.nanos, p.fraction = -1, 0, 0
	p.advance()
}

func (p *poisson) advance() {
	gap := p.fraction - p.meanGap*math.Log(1-p.random.Float64())
	whole := math.Floor(gap)
	p.fraction = gap - whole
	p.n++
	if whole >= float64(math.MaxInt64-p.nanos) {
		p.nanos = math.MaxInt64
		return
	}
	p.nanos += int64(whole)
}

func (p *poisson) Start(n int64) time.Duration {
	if n < p.n {
		p.restart()
	}
	for p.n < n {
		p.advance()
	}
	return time.Duration(p.nanos)
}

// A sleep overshoots; the rest is spun.
const spin = 100 * time.Microsecond

// RunOpenLoad starts the first calls of a schedule on this goroutine, with now as its origin, and returns after the last, or
// with the context's error once it is done. It never skips a start and never moves one: after a stall the late starts follow
// at once, each with its own intended time, so what the stall cost is in their wait times. atStart is called at the intended
// time or late; work that must overlap is handed to another goroutine from there.
func RunOpenLoad(ctx context.Context, s Schedule, calls int64, atStart func(intended time.Time)) error {
	origin := time.Now()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for n := range calls {
		intended := origin.Add(s.Start(n))
		for left := time.Until(intended); left > 0; left = time.Until(intended) {
			if left <= spin {
				runtime.Gosched()
				continue
			}
			timer.Reset(left - spin)
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-timer.C:
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		atStart(intended)
	}
	return nil
}
