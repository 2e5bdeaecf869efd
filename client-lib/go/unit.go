package hdrsidecar

import (
	"fmt"
	"time"
	"unicode/utf16"

	"hdrsidecar.io/go/hdrsidecar/internal/hist"
)

// Unit is what the values of a series are measured in.
type Unit byte

// Units. Prometheus shows times in seconds, whatever they were recorded in.
const (
	Nanoseconds  Unit = 1
	Microseconds Unit = 2
	Milliseconds Unit = 3
	Seconds      Unit = 4
	Bytes        Unit = 5
	Plain        Unit = 6 // numbers of no unit
)

// perUnit is how many nanoseconds it has; 1 for what is no time.
func (u Unit) perUnit() int64 {
	switch u {
	case Microseconds:
		return int64(time.Microsecond)
	case Milliseconds:
		return int64(time.Millisecond)
	case Seconds:
		return int64(time.Second)
	}
	return 1
}

// RecorderOption sets what differs from latencies in nanoseconds, 1 ns to 1 h, at 3 significant digits.
type RecorderOption func(*recorderConfig)

type recorderConfig struct {
	unit            Unit
	lowest, highest int64 // highest 0: that of the unit
	digits          int
	help            string
}

// WithUnit is what values are measured in. The range is then 1 to 1 h, and for bytes and plain numbers 1 to 2^40.
func WithUnit(u Unit) RecorderOption { return func(c *recorderConfig) { c.unit = u } }

// WithRange is from the lowest discernible value, 1 or more, to the highest trackable one: at least twice the lowest, at
// most 2^62. 0 can be recorded as well.
func WithRange(lowest, highest int64) RecorderOption {
	return func(c *recorderConfig) { c.lowest, c.highest = lowest, max(1, highest) }
}

// WithDigits is how many significant decimal digits are kept apart, 0 to 5; each further one takes ten times the memory.
func WithDigits(n int) RecorderOption { return func(c *recorderConfig) { c.digits = n } }

// WithHelp is a sentence for the HELP of the exposition, at most 1,024 characters.
func WithHelp(text string) RecorderOption { return func(c *recorderConfig) { c.help = text } }

// checkedRecorder is what options make, and the layout.
func checkedRecorder(options []RecorderOption) (recorderConfig, *hist.Layout, error) {
	c := recorderConfig{unit: Nanoseconds, lowest: 1, digits: 3}
	for _, o := range options {
		o(&c)
	}
	if c.unit < Nanoseconds || c.unit > Plain {
		return c, nil, fmt.Errorf("there is no such unit: %d", c.unit)
	}
	if n := characters(c.help); n > 1024 {
		return c, nil, fmt.Errorf("help must have at most 1024 characters: %d", n)
	}
	if c.highest == 0 {
		c.highest = int64(time.Hour) / c.unit.perUnit()
		if c.unit == Bytes || c.unit == Plain {
			c.highest = 1 << 40
		}
	}
	layout, err := hist.NewLayout(c.lowest, c.highest, c.digits)
	return c, layout, err
}

// characters counts as the protocol does: UTF-16 code units.
func characters(text string) int { return len(utf16.Encode([]rune(text))) }
