// Records values with hdrhistogram-go and writes an interval log. First argument: a file of lines
// "second tag value", separated by spaces, in the order of seconds and tags; second argument: the log.
package main

import (
	"bufio"
	"fmt"
	"os"

	hdrhistogram "github.com/HdrHistogram/hdrhistogram-go"
)

func main() {
	values, err := os.Open(os.Args[1])
	check(err)
	log, err := os.Create(os.Args[2])
	check(err)
	writer := hdrhistogram.NewHistogramLogWriter(log)
	check(writer.OutputLogFormatVersion())
	check(writer.OutputLegend())

	var interval *hdrhistogram.Histogram
	write := func() {
		if interval != nil {
			check(writer.OutputIntervalHistogram(interval))
		}
	}
	lastSecond, lastTag := int64(-1), ""
	lines := bufio.NewScanner(values)
	for lines.Scan() {
		var second, value int64
		var tag string
		_, err := fmt.Sscan(lines.Text(), &second, &tag, &value)
		check(err)
		if second != lastSecond || tag != lastTag {
			write()
			interval = hdrhistogram.New(1, 3_600_000_000_000, 3)
			interval.SetTag(tag)
			interval.SetStartTimeMs(second * 1000)
			interval.SetEndTimeMs((second + 1) * 1000)
			lastSecond, lastTag = second, tag
		}
		check(interval.RecordValue(value))
	}
	check(lines.Err())
	write()
	check(log.Close())
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
