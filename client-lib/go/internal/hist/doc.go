// Package hist counts values in HdrHistogram's buckets: Counters on the goroutines that record, Accumulation for whoever
// takes what was counted. Values go in, interval histograms with their exact sum, minimum and maximum come out.
package hist
