// Command promql-parse says what Prometheus' own parser makes of expressions. Each line of its input is an expression as a JSON
// string; each line of its output an object: {"canonical": how Prometheus writes it} or {"error": why it refuses it}.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"github.com/prometheus/prometheus/promql/parser"
)

type answer struct {
	Canonical string `json:"canonical,omitempty"`
	Error     string `json:"error,omitempty"`
}

func main() {
	if err := parseLines(); err != nil {
		fmt.Fprintf(os.Stderr, "promql-parse: %v\n", err)
		os.Exit(1)
	}
}

func parseLines() error {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	// Nothing experimental: what a Prometheus understands as it is installed.
	prometheus := parser.NewParser(parser.Options{})
	for lines.Scan() {
		var expression string
		if err := json.Unmarshal(lines.Bytes(), &expression); err != nil {
			return fmt.Errorf("not a JSON string: %s: %w", lines.Text(), err)
		}
		if err := encoder.Encode(parse(prometheus, expression)); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return out.Flush()
}

func parse(prometheus parser.Parser, expression string) answer {
	parsed, err := prometheus.ParseExpr(expression)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Canonical: parsed.String()}
}
