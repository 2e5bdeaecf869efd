// Command prometheus-write writes series into a Prometheus that takes remote writes. Its argument is the address of the server; each
// line of its input is a series as JSON, with samples or native histograms in order of time.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"

	"github.com/golang/snappy"

	"github.com/prometheus/prometheus/prompb"
)

// series has its labels, the name among them. Times are in milliseconds since 1970.
type series struct {
	Labels     map[string]string `json:"labels"`
	Times      []int64           `json:"times"`
	Values     []float64         `json:"values"`
	Schema     int32             `json:"schema"`
	Histograms []histogram       `json:"histograms"`
}

// histogram has the counts of its buckets, by their index in the schema.
type histogram struct {
	Count   uint64           `json:"count"`
	Sum     float64          `json:"sum"`
	Zeros   uint64           `json:"zeros"`
	Buckets map[int32]uint64 `json:"buckets"`
}

func main() {
	if err := writeLines(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "prometheus-write: %v\n", err)
		os.Exit(1)
	}
}

func writeLines(address string) error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var read series
		if err := json.Unmarshal(lines.Bytes(), &read); err != nil {
			return fmt.Errorf("not a series: %w", err)
		}
		written, err := read.write(address)
		if err != nil {
			return fmt.Errorf("%v: %w", read.Labels, err)
		}
		fmt.Println(written)
	}
	return lines.Err()
}

func (s series) write(address string) (int, error) {
	written := prompb.TimeSeries{Labels: s.labels()}
	for i, value := range s.Values {
		written.Samples = append(written.Samples, prompb.Sample{Timestamp: s.Times[i], Value: value})
	}
	for i, each := range s.Histograms {
		written.Histograms = append(written.Histograms, each.at(s.Times[i], s.Schema))
	}
	message, err := (&prompb.WriteRequest{Timeseries: []prompb.TimeSeries{written}}).Marshal()
	if err != nil {
		return 0, err
	}
	return len(s.Times), post(address+"/api/v1/write", snappy.Encode(nil, message))
}

// labels are in the order of their names, as the protocol has them.
func (s series) labels() []prompb.Label {
	var labels []prompb.Label
	for name, value := range s.Labels {
		labels = append(labels, prompb.Label{Name: name, Value: value})
	}
	sort.Slice(labels, func(i, j int) bool { return labels[i].Name < labels[j].Name })
	return labels
}

func (h histogram) at(time int64, schema int32) prompb.Histogram {
	written := prompb.Histogram{
		Timestamp:     time,
		Schema:        schema,
		Count:         &prompb.Histogram_CountInt{CountInt: h.Count},
		Sum:           h.Sum,
		ZeroThreshold: 0x1p-128,
		ZeroCount:     &prompb.Histogram_ZeroCountInt{ZeroCountInt: h.Zeros},
	}
	var indexes []int32
	for index := range h.Buckets {
		indexes = append(indexes, index)
	}
	sort.Slice(indexes, func(i, j int) bool { return indexes[i] < indexes[j] })
	var next int32
	var before int64
	for _, index := range indexes {
		if spans := len(written.PositiveSpans); spans > 0 && index == next {
			written.PositiveSpans[spans-1].Length++
		} else {
			written.PositiveSpans = append(written.PositiveSpans, prompb.BucketSpan{Offset: index - next, Length: 1})
		}
		count := int64(h.Buckets[index])
		written.PositiveDeltas = append(written.PositiveDeltas, count-before)
		next, before = index+1, count
	}
	return written
}

func post(url string, body []byte) error {
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-protobuf")
	request.Header.Set("Content-Encoding", "snappy")
	request.Header.Set("X-Prometheus-Remote-Write-Version", "0.1.0")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode/100 != 2 {
		return fmt.Errorf("%s: %s", response.Status, said)
	}
	return nil
}
