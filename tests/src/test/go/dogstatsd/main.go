// Sends values with DataDog's client for Go. Arguments: the address, as the client takes it, and a file of lines
// "kind value": kind d is a distribution, ms a time in milliseconds.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/DataDog/datadog-go/v5/statsd"
)

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	client, err := statsd.New(os.Args[1], statsd.WithoutTelemetry(), statsd.WithExtendedClientSideAggregation(),
		statsd.WithTags([]string{"env:test"}))
	must(err)
	file, err := os.Open(os.Args[2])
	must(err)
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		value, err := strconv.ParseFloat(fields[1], 64)
		must(err)
		if fields[0] == "d" {
			must(client.Distribution("client.size", value, nil, 1))
		} else {
			must(client.TimeInMilliseconds("client.time", value, nil, 1))
		}
	}
	must(client.Close())
}
