package hist

import (
	"math/big"
	"math/rand"
	"sync"
	"testing"
)

func layout(t testing.TB) *Layout {
	t.Helper()
	l, err := NewLayout(1, 3_600_000_000_000, 3)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// The two buckets of the session in PROTOCOL.md: 11169 for 1 ms, and 534 empty ones later that of 1.5 ms.
func TestIndex_ofPROTOCOL(t *testing.T) {
	l := layout(t)
	if got := l.Index(1_000_000); got != 11169 {
		t.Errorf("1 ms: bucket %d", got)
	}
	if got := l.Index(1_500_000); got != 11704 {
		t.Errorf("1.5 ms: bucket %d", got)
	}
}

// Every value is in exactly one interval while it is harvested all the time, and so is its part of the sum.
func TestHarvest_whileManyRecord_losesAndDoublesNothing(t *testing.T) {
	const writers = 8
	each := 200_000
	if testing.Short() {
		each = 25_000
	}
	l := layout(t)
	c := NewCounters(l)
	expected := make([]map[int]int64, writers)
	sums := make([]*big.Int, writers)
	lows, highs := make([]int64, writers), make([]int64, writers)
	var wg sync.WaitGroup
	for w := range writers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			random := rand.New(rand.NewSource(int64(w)))
			counts, sum := map[int]int64{}, new(big.Int)
			low, high := int64(1<<62), int64(-1)
			for range each {
				v := random.Int63n(1 << (1 + random.Intn(41)))
				c.Record(v)
				counts[l.Index(v)]++
				sum.Add(sum, big.NewInt(v))
				low, high = min(low, v), max(high, v)
			}
			expected[w], sums[w], lows[w], highs[w] = counts, sum, low, high
		}()
	}
	done := make(chan struct{})
	go func() { wg.Wait(); close(done) }()
	all := NewAccumulation(l)
	for last := false; !last; {
		select {
		case <-done:
			last = true
		default:
		}
		if a := c.Harvest(); a != nil {
			if a.Min > a.Max {
				t.Fatalf("minimum %d above maximum %d", a.Min, a.Max)
			}
			all.Add(a)
		}
	}
	sum, low, high := new(big.Int), int64(1<<62), int64(-1)
	counts := map[int]int64{}
	for w := range writers {
		for i, n := range expected[w] {
			counts[i] += n
		}
		sum.Add(sum, sums[w])
		low, high = min(low, lows[w]), max(high, highs[w])
	}
	all.Each(func(i int, n int64) {
		if counts[i] != n {
			t.Errorf("bucket %d: %d values, not %d", i, n, counts[i])
		}
		delete(counts, i)
	})
	if len(counts) != 0 {
		t.Errorf("buckets without a value: %v", counts)
	}
	got := new(big.Int).Add(new(big.Int).Lsh(new(big.Int).SetUint64(all.Sum.Hi), 64), new(big.Int).SetUint64(all.Sum.Lo))
	if got.Cmp(sum) != 0 || all.Min != low || all.Max != high || all.Count != int64(writers*each) {
		t.Errorf("count %d, sum %v, minimum %d, maximum %d; expected %d, %v, %d, %d", all.Count, got, all.Min, all.Max, writers*each, sum, low, high)
	}
}

// A cell is full after 2^21 values, and must be emptied before it runs over.
func TestRecord_moreOfAValueThanACellHolds_countsAll(t *testing.T) {
	const n, v = 1<<21 + 1<<20, 1_999_999_999 // at the end of a bucket, so that offsets are large
	c := NewCounters(layout(t))
	for range n {
		c.Record(v)
	}
	a := c.Harvest()
	sum := Sum{}
	sum.AddProduct(n, v)
	if a.Count != n || a.Sum != sum || a.Min != v || a.Max != v {
		t.Errorf("%+v", a)
	}
}

func TestRecord_allocatesNothing(t *testing.T) {
	c := NewCounters(layout(t))
	c.Record(1_000_000)
	if n := testing.AllocsPerRun(1000, func() { c.Record(1_000_000) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkRecord(b *testing.B) {
	c := NewCounters(layout(b))
	b.ReportAllocs()
	for i := 0; i < b.N; i++ {
		c.Record(int64(i&0xfffff) + 1_000_000)
	}
}
