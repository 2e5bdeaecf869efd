// Prints what Go's hdrhistogram-go reads from interval logs, one bucket a line, summed by tag:
// tag, lowest and highest value of the bucket, count; separated by tabs.
package main

import (
	"fmt"
	"os"

	hdrhistogram "github.com/HdrHistogram/hdrhistogram-go"
)

func main() {
	sums := map[string]map[[2]int64]int64{}
	for _, path := range os.Args[1:] {
		file, err := os.Open(path)
		check(err)
		reader := hdrhistogram.NewHistogramLogReader(file)
		for {
			interval, err := reader.NextIntervalHistogram()
			check(err)
			if interval == nil {
				break
			}
			buckets := sums[interval.Tag()]
			if buckets == nil {
				buckets = map[[2]int64]int64{}
				sums[interval.Tag()] = buckets
			}
			for _, bar := range interval.Distribution() {
				if bar.Count > 0 {
					buckets[[2]int64{bar.From, bar.To}] += bar.Count
				}
			}
		}
		check(file.Close())
	}
	for tag, buckets := range sums {
		for bucket, count := range buckets {
			fmt.Printf("%s\t%d\t%d\t%d\n", tag, bucket[0], bucket[1], count)
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
