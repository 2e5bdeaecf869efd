// Command prometheus-client asks a server with Prometheus' own client of its HTTP API. Its argument is the address of the server;
// each line of its input is a call as JSON, each line of its output what the client has understood of the answer.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
)

// call is one question. Times are in seconds since 1970; none is left open.
type call struct {
	Call  string   `json:"call"`
	Query string   `json:"query"`
	Time  float64  `json:"time"`
	Start float64  `json:"start"`
	End   float64  `json:"end"`
	Step  float64  `json:"step"`
	Match []string `json:"match"`
	Label string   `json:"label"`
	Limit uint64   `json:"limit"`
}

type answer struct {
	// Type is that of a query's value, such as matrix.
	Type      string      `json:"type,omitempty"`
	Value     any         `json:"value,omitempty"`
	Warnings  v1.Warnings `json:"warnings,omitempty"`
	ErrorType string      `json:"errorType,omitempty"`
	Error     string      `json:"error,omitempty"`
}

func main() {
	if err := askLines(os.Args[1]); err != nil {
		fmt.Fprintf(os.Stderr, "prometheus-client: %v\n", err)
		os.Exit(1)
	}
}

func askLines(address string) error {
	client, err := api.NewClient(api.Config{Address: address})
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	for lines.Scan() {
		var asked call
		if err := json.Unmarshal(lines.Bytes(), &asked); err != nil {
			return fmt.Errorf("not a call: %s: %w", lines.Text(), err)
		}
		answered, err := asked.ask(v1.NewAPI(client))
		var refused *v1.Error
		if errors.As(err, &refused) {
			answered = answer{ErrorType: string(refused.Type), Error: refused.Msg}
		} else if err != nil {
			return fmt.Errorf("%s: %w", lines.Text(), err)
		}
		if err := encoder.Encode(answered); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (c call) ask(server v1.API) (answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	start, end := instant(c.Start), instant(c.End)
	var options []v1.Option
	if c.Limit > 0 {
		options = append(options, v1.WithLimit(c.Limit))
	}
	switch c.Call {
	case "query":
		value, warnings, err := server.Query(ctx, c.Query, instant(c.Time), options...)
		if err != nil {
			return answer{}, err
		}
		return answer{Type: value.Type().String(), Value: value, Warnings: warnings}, nil
	case "query_range":
		step := time.Duration(c.Step * float64(time.Second))
		value, warnings, err := server.QueryRange(ctx, c.Query, v1.Range{Start: start, End: end, Step: step}, options...)
		if err != nil {
			return answer{}, err
		}
		return answer{Type: value.Type().String(), Value: value, Warnings: warnings}, nil
	case "labels":
		return of(server.LabelNames(ctx, c.Match, start, end, options...))
	case "label_values":
		return of(server.LabelValues(ctx, c.Label, c.Match, start, end, options...))
	case "series":
		return of(server.Series(ctx, c.Match, start, end, options...))
	case "metadata":
		return withoutWarnings(server.Metadata(ctx, c.Query, ""))
	case "exemplars":
		return withoutWarnings(server.QueryExemplars(ctx, c.Query, start, end))
	case "buildinfo":
		return withoutWarnings(server.Buildinfo(ctx))
	}
	return answer{}, fmt.Errorf("a call this program does not know: %q", c.Call)
}

func of[T any](value T, warnings v1.Warnings, err error) (answer, error) {
	return answer{Value: value, Warnings: warnings}, err
}

func withoutWarnings[T any](value T, err error) (answer, error) {
	return answer{Value: value}, err
}

func instant(seconds float64) time.Time {
	if seconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(int64(math.Round(seconds * 1000))).UTC()
}
