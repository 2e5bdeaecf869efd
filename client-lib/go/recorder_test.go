package hdrsidecar

import (
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"hdrsidecar.io/go/hdrsidecar/internal/hist"
	"hdrsidecar.io/go/hdrsidecar/internal/peer"
	"hdrsidecar.io/go/hdrsidecar/internal/wire"
)

func defined(layout *hist.Layout) *wire.SeriesDefinition {
	return &wire.SeriesDefinition{Unit: 1, Layout: layout, Name: "defined"}
}

func TestRecord_allocatesNothing(t *testing.T) {
	r := recorderOf(t, start(t, WithEnabled(false)), "alloc", nil)
	r.Record(1_000_000)
	if n := testing.AllocsPerRun(1000, func() { r.Record(1_000_000) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestRecord_outsideTheRange_countsAtItsEnd(t *testing.T) {
	sidecar := peer.Start(t)
	c := start(t, WithAddress(sidecar.Address()))
	r := recorderOf(t, c, "ends", nil)
	for _, v := range []int64{math.MinInt64, -1, 0, int64(time.Hour), int64(time.Hour) + 1, math.MaxInt64} {
		r.Record(v)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	values{0, 0, 0, int64(time.Hour), int64(time.Hour), int64(time.Hour)}.assert(t, sidecar.Series("ends"))
	if h := c.Health(); h.ClampedNegative != 2 || h.ClampedTooLarge != 2 {
		t.Errorf("%+v", h)
	}
}

func TestRecordWithExpectedInterval_addsWhatWasNotSent_toASeriesOfItsOwn(t *testing.T) {
	sidecar := peer.Start(t)
	c := start(t, WithAddress(sidecar.Address()))
	r := recorderOf(t, c, "co", nil)
	raw := values{5, 1_000, 9_500_000, 123_456_789, 3_000_000_000}
	var corrected values
	for _, v := range raw {
		r.RecordWithExpectedInterval(v, 1_000_003) // 8 at once, 122 and 2,998 later
		for missing := v; missing == v || missing >= 1_000_003; missing -= 1_000_003 {
			corrected = append(corrected, missing)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	raw.assert(t, sidecar.Series("co"))
	corrected.assert(t, sidecar.Series("co{corrected=expected_interval}"))
	if lost := c.Health().LostBackFill; lost != 0 {
		t.Errorf("%d lost", lost)
	}
}

func TestRecordDuration_countsInTheUnitOfTheSeries(t *testing.T) {
	sidecar := peer.Start(t)
	c := start(t, WithAddress(sidecar.Address()))
	d := 90*time.Minute + 123_456_789*time.Nanosecond
	expected := map[Unit]int64{
		Nanoseconds: int64(time.Hour), Microseconds: 3_600_000_000, Milliseconds: 3_600_000, Seconds: 3_600, Bytes: 1 << 40, Plain: 1 << 40,
	}
	names := map[Unit]string{Nanoseconds: "ns", Microseconds: "us", Milliseconds: "ms", Seconds: "s", Bytes: "bytes", Plain: "plain"}
	for unit, name := range names {
		recorderOf(t, c, name, nil, WithUnit(unit)).RecordDuration(d)
		recorderOf(t, c, name+"_wide", nil, WithUnit(unit), WithRange(1, 1<<62), WithDigits(2)).RecordDuration(d)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	for unit, name := range names {
		if got := sidecar.Series(name); got.Max != expected[unit] || got.Unit != byte(unit) || got.Digits != 3 {
			t.Errorf("%s: %+v", name, got)
		}
		perUnit := map[Unit]int64{Microseconds: 1e3, Milliseconds: 1e6, Seconds: 1e9}[unit]
		if got := sidecar.Series(name + "_wide"); got.Max != int64(d)/max(1, perUnit) || got.Digits != 2 {
			t.Errorf("%s, wide: %+v", name, got)
		}
	}
}

func TestRecordTraced_slowestOfAnInterval_isItsExemplar(t *testing.T) {
	sidecar := peer.Start(t)
	c := start(t, WithAddress(sidecar.Address()), WithInterval(time.Hour))
	r := recorderOf(t, c, "traced", nil)
	r.RecordTraced(10, "fast", "1")
	r.RecordTraced(30, "slow", "2")
	r.RecordTraced(20, "middle", "3")
	r.RecordTraced(40, "with blank", "")
	r.RecordTraced(50, strings.Repeat("x", 65), "")
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	values{10, 20, 30, 40, 50}.assert(t, sidecar.Series("traced"))
	if got := sidecar.Series("traced").TraceID; got != "slow" {
		t.Errorf("exemplar of %q", got)
	}
}

func TestRecorder_sameSeries_isTheSameOrAnError(t *testing.T) {
	c := start(t, WithEnabled(false), WithCommonLabels(Labels{"service": "shop"}))
	r := recorderOf(t, c, "same", Labels{"a": "1", "b": "2", "empty": ""})
	if r != recorderOf(t, c, "same", Labels{"b": "2", "a": "1"}) {
		t.Error("another recorder for the same series")
	}
	many := Labels{}
	for _, n := range "abcdefghijklmnopqrstuvwxyzABCDE" { // and service
		many["l"+string(n)] = "x"
	}
	for name, of := range map[string]func() error{
		"other options": func() error { _, err := c.Recorder("same", Labels{"a": "1", "b": "2"}, WithDigits(2)); return err },
		"name":          func() error { _, err := c.Recorder("a-b", nil); return err },
		"reserved":      func() error { _, err := c.Recorder("a", Labels{"le": "1"}); return err },
		"contradiction": func() error { _, err := c.Recorder("a", Labels{"service": "other"}); return err },
		"corrected":     func() error { _, err := c.Recorder("a", Labels{"corrected": "expected_interval"}); return err },
		"unit":          func() error { _, err := c.Recorder("a", nil, WithUnit(7)); return err },
		"digits":        func() error { _, err := c.Recorder("a", nil, WithDigits(6)); return err },
		"range":         func() error { _, err := c.Recorder("a", nil, WithRange(10, 11)); return err },
		"help":          func() error { _, err := c.Recorder("a", nil, WithHelp(strings.Repeat("ü", 1025))); return err },
		"many labels":   func() error { _, err := c.Recorder("a", many); return err },
	} {
		if of() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRecorder_aboveTheLimit_sharesASeriesWithThoseOfItsName(t *testing.T) {
	sidecar := peer.Start(t)
	c := start(t, WithAddress(sidecar.Address()), WithMaxSeries(2))
	for n, user := range []string{"a", "b", "c", "d"} {
		recorderOf(t, c, "flood", Labels{"user": user}).Record(int64(n))
	}
	recorderOf(t, c, "flood", Labels{"user": "e"}, WithUnit(Bytes), WithRange(1, 1000)).Record(9)
	s, err := c.Scheduled("flood", nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	s.Record(now, now.Add(3), now.Add(5))
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	values{0}.assert(t, sidecar.Series("flood{user=a}"))
	for kind, v := range map[string]int64{"response": 5, "service": 2, "wait": 3} {
		values{v}.assert(t, sidecar.Series("flood{kind="+kind+",overflow=true}"))
	}
	if got := sidecar.Series("flood{overflow=true}"); got.Count != 3 || got.Sum.Cmp(big.NewInt(2+3+9)) != 0 {
		t.Errorf("%+v", got)
	}
	if n := c.Health().OverflowedLookups; n != 6 {
		t.Errorf("%d lookups", n)
	}
}

func TestScheduled_callsThatAreLateEarlyOrTurnedRound(t *testing.T) {
	sidecar := peer.Start(t)
	c := start(t, WithAddress(sidecar.Address()))
	s, err := c.Scheduled("times", Labels{"route": "/pay"})
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	s.Record(now, now.Add(10), now.Add(30)) // late
	s.Record(now.Add(7), now, now.Add(5))   // early
	s.Record(now, now.Add(4), now.Add(1))   // an end before its start
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	values{30, 5, 4}.assert(t, sidecar.Series("times{kind=response,route=/pay}"))
	values{20, 5, 0}.assert(t, sidecar.Series("times{kind=service,route=/pay}"))
	values{10, 0, 4}.assert(t, sidecar.Series("times{kind=wait,route=/pay}"))
	if _, err := c.Scheduled("times", Labels{"kind": "mine"}); err == nil {
		t.Error("no error")
	}
}

// The sidecar refuses a series with two labels of one name.
func TestRecordWithExpectedInterval_ofASeriesWithALabelCorrected_setsItOnce(t *testing.T) {
	sidecar := peer.Start(t)
	c := start(t, WithAddress(sidecar.Address()))
	recorderOf(t, c, "co", Labels{"corrected": "by_hand", "route": "/pay"}).RecordWithExpectedInterval(10, 4)
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	expected := []string{"co{corrected=by_hand,route=/pay}", "co{corrected=expected_interval,route=/pay}"}
	if got := sidecar.Names(); !slices.Equal(got, expected) {
		t.Errorf("%v, not %v", got, expected)
	}
}

func TestWithCommonLabels_mapThatIsChangedLater_changesNothing(t *testing.T) {
	sidecar := peer.Start(t)
	labels := Labels{"service": "shop"}
	c := start(t, WithAddress(sidecar.Address()), WithCommonLabels(labels))
	labels["service"] = "other"
	if _, err := c.Recorder("calls", Labels{"service": "shop"}); err != nil {
		t.Error(err)
	}
}
