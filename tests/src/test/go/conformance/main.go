// Command conformance is the Go client as the conformance kit runs it: it does what the lines of its input say, which
// docs/conformance.md draws.
package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"hdrsidecar.io/go/hdrsidecar"
)

var units = map[string]hdrsidecar.Unit{
	"ns": hdrsidecar.Nanoseconds, "us": hdrsidecar.Microseconds, "ms": hdrsidecar.Milliseconds,
	"s": hdrsidecar.Seconds, "bytes": hdrsidecar.Bytes, "none": hdrsidecar.Plain,
}

func main() {
	if err := run(bufio.NewScanner(os.Stdin)); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func run(input *bufio.Scanner) error {
	settings := map[string]time.Duration{}
	recorders := map[string]*hdrsidecar.Recorder{}
	var client *hdrsidecar.Client
	for input.Scan() {
		words := strings.Split(input.Text(), " ")
		if words[0] == "set" {
			settings[words[1]] = time.Duration(number(words[2])) * time.Millisecond
			continue
		}
		if client == nil {
			var err error
			client, err = hdrsidecar.New(hdrsidecar.FromEnvironment(),
				hdrsidecar.WithCloseTimeout(settings["close_timeout_ms"]),
				hdrsidecar.WithStallTimeout(settings["stall_timeout_ms"]),
				hdrsidecar.WithBackoff(settings["min_backoff_ms"], settings["max_backoff_ms"]))
			if err != nil {
				return err
			}
		}
		switch words[0] {
		case "series":
			recorder, err := series(client, words)
			if err != nil {
				return err
			}
			recorders[words[1]] = recorder
		case "record":
			times := int64(1)
			if len(words) > 3 {
				times = number(words[3])
			}
			for value := number(words[2]); times > 0; times-- {
				recorders[words[1]].Record(value)
			}
		case "expected":
			recorders[words[1]].RecordWithExpectedInterval(number(words[2]), number(words[3]))
		case "close":
			if err := client.Close(); !errors.Is(err, hdrsidecar.ErrUndelivered) {
				return err
			}
			return nil // which some sidecars of the kit leave it no other way
		default:
			return fmt.Errorf("unknown line: %s", input.Text())
		}
	}
	return input.Err()
}

func series(client *hdrsidecar.Client, words []string) (*hdrsidecar.Recorder, error) {
	labels := hdrsidecar.Labels{}
	for _, word := range words[7:] {
		name, value, _ := strings.Cut(word, "=")
		labels[name] = value
	}
	return client.Recorder(words[2], labels, hdrsidecar.WithUnit(units[words[3]]),
		hdrsidecar.WithRange(number(words[4]), number(words[5])), hdrsidecar.WithDigits(int(number(words[6]))))
}

func number(word string) int64 {
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		panic(err) // The kit writes numbers.
	}
	return n
}
