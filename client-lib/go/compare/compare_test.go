// Package compare holds the client against hdrhistogram-go, which it must agree with bucket for bucket, and beside which it
// is measured. It is a module of its own, so that the client's has no dependency.
package compare

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"log/slog"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/HdrHistogram/hdrhistogram-go"
	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/sdk/metric"

	"hdrsidecar.io/go/hdrsidecar"
	"hdrsidecar.io/go/hdrsidecar/internal/hist"
	"hdrsidecar.io/go/hdrsidecar/internal/wire"
)

type layoutCase struct {
	lowest, highest int64
	digits          int
}

// hdrhistogram-go has no room for a highest value that is a power of two, and refuses it.
var layouts = []layoutCase{
	{1, 3_600_000_000_000, 3}, {1, 3_600_000_000_000, 1}, {1, 1<<24 - 1, 5}, {1000, 1<<40 - 1, 2}, {1024, 1<<50 - 1, 3}, {7, 1_000_000, 4},
	{1, 2, 1}, {1 << 20, 1<<62 - 1, 2},
}

func (c layoutCase) random(r *rand.Rand) int64 {
	return min(c.highest, r.Int64N(1<<(1+r.IntN(62))))
}

func (c layoutCase) layout(t testing.TB) *hist.Layout {
	t.Helper()
	l, err := hist.NewLayout(c.lowest, c.highest, c.digits)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// What is recorded here, encoded as on the wire, is what hdrhistogram-go decodes and has recorded itself; sum, minimum and
// maximum are those of the sorted list of values.
func TestRecorded_decodedByHdrHistogram_hasItsBuckets(t *testing.T) {
	for _, of := range layouts {
		for _, level := range []int{0, 1, 9} {
			t.Run(fmt.Sprint(of, level), func(t *testing.T) {
				random := rand.New(rand.NewPCG(uint64(of.lowest), uint64(level)))
				counters := hist.NewCounters(of.layout(t))
				truth := hdrhistogram.New(of.lowest, of.highest, of.digits)
				var values []int64
				sum := new(big.Int)
				for range 5_000 {
					v := of.random(random)
					counters.Record(v)
					values = append(values, v)
					sum.Add(sum, big.NewInt(v))
					if err := truth.RecordValue(v); err != nil {
						t.Fatal(err)
					}
				}
				slices.Sort(values)
				a := counters.Harvest()
				parts := wire.Parts(a, 1, 2, 1<<20, level)
				if len(parts) != 1 {
					t.Fatal(len(parts))
				}
				p := parts[0]
				got := new(big.Int).SetUint64(p.Sum.Hi)
				got.Lsh(got, 64).Add(got, new(big.Int).SetUint64(p.Sum.Lo))
				if p.Count != 5_000 || got.Cmp(sum) != 0 || p.Min != values[0] || p.Max != values[len(values)-1] {
					t.Errorf("%d values, sum %v, %d to %d; not %v, %d to %d", p.Count, got, p.Min, p.Max, sum, values[0], values[len(values)-1])
				}
				decoded, err := hdrhistogram.Decode([]byte(base64.StdEncoding.EncodeToString(wire.Deflated(p.Payload))))
				if err != nil {
					t.Fatal(err)
				}
				assertSame(t, decoded, truth)
			})
		}
	}
}

func assertSame(t *testing.T, got, truth *hdrhistogram.Histogram) {
	t.Helper()
	g, w := got.Distribution(), truth.Distribution()
	if !slices.Equal(g, w) {
		t.Errorf("%d and %d buckets differ", len(g), len(w))
	}
}

// Every bucket of a layout, in order.
func TestLayout_bucketsBeginAndEndWhereThoseOfHdrHistogramDo(t *testing.T) {
	for _, of := range layouts {
		l, truth := of.layout(t), hdrhistogram.New(of.lowest, of.highest, of.digits)
		if err := truth.RecordValue(of.highest); err != nil {
			t.Fatal(err)
		}
		all := truth.Distribution()
		if len(all) != l.Size() {
			t.Errorf("%v: %d buckets, not %d", of, l.Size(), len(all))
		}
		for i, bar := range all {
			if l.LowestValue(i) != bar.From || l.HighestValue(i) != bar.To || l.Index(bar.From) != i || l.Index(bar.To) != i {
				t.Fatalf("%v: bucket %d is %d to %d, not %d to %d", of, i, l.LowestValue(i), l.HighestValue(i), bar.From, bar.To)
			}
		}
	}
}

func TestBackFill_isThatOfHdrHistogram(t *testing.T) {
	of := layouts[0]
	random := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		interval := 1 + random.Int64N(1_000_000)
		v := random.Int64N(interval * (1 + random.Int64N(5_000)))
		truth := hdrhistogram.New(of.lowest, of.highest, of.digits)
		if err := truth.RecordCorrectedValue(v, interval); err != nil {
			t.Fatal(err)
		}
		counters := hist.NewCounters(of.layout(t))
		counters.Record(v)
		a := counters.Harvest()
		if !a.BackFill(v, interval) {
			t.Fatal("no room")
		}
		decoded, err := hdrhistogram.Decode([]byte(base64.StdEncoding.EncodeToString(wire.Parts(a, 1, 2, 1<<20, 1)[0].Payload)))
		if err != nil {
			t.Fatal(err)
		}
		assertSame(t, decoded, truth)
	}
}

// Beside each other in one run: go test -bench . -run '^$' -cpu 1,2.
func BenchmarkRecord(b *testing.B) {
	b.Run("hdr-sidecar", func(b *testing.B) {
		client, err := hdrsidecar.New(hdrsidecar.WithAddress("tcp://127.0.0.1:1"), hdrsidecar.WithCloseTimeout(0),
			hdrsidecar.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))))
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = client.Close() }()
		r, err := client.Recorder("bench", nil)
		if err != nil {
			b.Fatal(err)
		}
		parallel(b, func(v int64) { r.Record(v) })
	})
	b.Run("client_golang, classic", func(b *testing.B) {
		h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "bench", Buckets: prometheus.DefBuckets})
		parallel(b, func(v int64) { h.Observe(float64(v) / 1e9) })
	})
	b.Run("client_golang, native", func(b *testing.B) {
		h := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "bench", NativeHistogramBucketFactor: 1.1})
		parallel(b, func(v int64) { h.Observe(float64(v) / 1e9) })
	})
	b.Run("OpenTelemetry, explicit", func(b *testing.B) {
		openTelemetry(b, metric.AggregationExplicitBucketHistogram{Boundaries: prometheus.DefBuckets})
	})
	b.Run("OpenTelemetry, exponential", func(b *testing.B) {
		openTelemetry(b, metric.AggregationBase2ExponentialHistogram{MaxSize: 160, MaxScale: 20})
	})
	b.Run("hdrhistogram-go-mutex", func(b *testing.B) {
		var mu sync.Mutex
		h := hdrhistogram.New(1, 3_600_000_000_000, 3)
		parallel(b, func(v int64) {
			mu.Lock()
			_ = h.RecordValue(v)
			mu.Unlock()
		})
	})
	b.Run("hdrhistogram-go-one-goroutine", func(b *testing.B) { // It is not safe for more.
		h := hdrhistogram.New(1, 3_600_000_000_000, 3)
		b.ReportAllocs()
		for i := range b.N {
			_ = h.RecordValue(value(uint64(i)))
		}
	})
}

// openTelemetry collects for nobody: what is measured is Record alone, as of the others.
func openTelemetry(b *testing.B, aggregation metric.Aggregation) {
	reader := metric.NewManualReader(metric.WithAggregationSelector(
		func(metric.InstrumentKind) metric.Aggregation { return aggregation }))
	provider := metric.NewMeterProvider(metric.WithReader(reader))
	h, err := provider.Meter("bench").Float64Histogram("bench")
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	parallel(b, func(v int64) { h.Record(ctx, float64(v)/1e9) })
}

// value spreads latencies of 0.1 to 10 ms over some 1,500 buckets, without a generator that costs as much as recording.
func value(i uint64) int64 { return 100_000 + int64(i*0x9e3779b97f4a7c15>>40)%9_900_000 }

func parallel(b *testing.B, record func(v int64)) {
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for i := uint64(0); pb.Next(); i++ {
			record(value(i))
		}
	})
}
