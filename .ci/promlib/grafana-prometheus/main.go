// Command grafana-prometheus is the back end of Grafana's data source for Prometheus without Grafana. Its argument is the address
// of the server, the second the data source's jsonData; each line of its input is a call as JSON, each line of its output what
// Grafana would hand to its panels, its alerting or its query editor.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/grafana/grafana/pkg/promlib"
)

// call is one question: health, heuristics, resource or query.
type call struct {
	Call string `json:"call"`

	// Of a resource: what Grafana's front end sends on.
	Method string `json:"method"`
	Path   string `json:"path"`
	URL    string `json:"url"`
	Body   string `json:"body"`

	// Of queries: their range in milliseconds since 1970, and each as a panel has it.
	From      int64   `json:"from"`
	To        int64   `json:"to"`
	FromAlert bool    `json:"fromAlert"`
	Queries   []query `json:"queries"`
}

type query struct {
	RefID         string          `json:"refId"`
	IntervalMs    int64           `json:"intervalMs"`
	MaxDataPoints int64           `json:"maxDataPoints"`
	Model         json.RawMessage `json:"model"`
}

type resource struct {
	Status int             `json:"status"`
	Body   json.RawMessage `json:"body"`
}

type dataSource struct {
	service *promlib.Service
	plugin  backend.PluginContext
}

func main() {
	if err := askLines(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "grafana-prometheus: %v\n", err)
		os.Exit(1)
	}
}

func askLines(address, jsonData string) error {
	asking := dataSource{
		service: promlib.NewService(httpclient.NewProvider(), log.New(), nil),
		plugin: backend.PluginContext{
			OrgID:    1,
			PluginID: "prometheus",
			DataSourceInstanceSettings: &backend.DataSourceInstanceSettings{
				ID: 1, UID: "prometheus", Type: "prometheus", Name: "Prometheus", URL: address, JSONData: json.RawMessage(jsonData),
			},
			GrafanaConfig: backend.NewGrafanaCfg(nil),
		},
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
		answered, err := asking.ask(asked)
		if err != nil {
			return fmt.Errorf("%s: %w", lines.Text(), err)
		}
		if err := encoder.Encode(answered); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (d dataSource) ask(asked call) (any, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	ctx = backend.WithGrafanaConfig(ctx, d.plugin.GrafanaConfig)
	switch asked.Call {
	case "health":
		return d.service.CheckHealth(ctx, &backend.CheckHealthRequest{PluginContext: d.plugin})
	case "heuristics":
		return d.service.GetHeuristics(ctx, promlib.HeuristicsRequest{PluginContext: d.plugin})
	case "resource":
		return d.resource(ctx, asked)
	case "query":
		return d.service.QueryData(ctx, d.queries(asked))
	}
	return nil, fmt.Errorf("a call this program does not know: %q", asked.Call)
}

func (d dataSource) resource(ctx context.Context, asked call) (answered resource, err error) {
	request := &backend.CallResourceRequest{
		PluginContext: d.plugin, Method: asked.Method, Path: asked.Path, URL: asked.URL, Body: []byte(asked.Body),
	}
	sender := backend.CallResourceResponseSenderFunc(func(response *backend.CallResourceResponse) error {
		answered = resource{Status: response.Status, Body: response.Body}
		return nil
	})
	return answered, d.service.CallResource(ctx, request, sender)
}

func (d dataSource) queries(asked call) *backend.QueryDataRequest {
	request := &backend.QueryDataRequest{PluginContext: d.plugin, Headers: map[string]string{}}
	if asked.FromAlert {
		request.Headers["FromAlert"] = "true"
	}
	for _, each := range asked.Queries {
		request.Queries = append(request.Queries, backend.DataQuery{
			RefID:         each.RefID,
			MaxDataPoints: each.MaxDataPoints,
			Interval:      time.Duration(each.IntervalMs) * time.Millisecond,
			TimeRange:     backend.TimeRange{From: time.UnixMilli(asked.From), To: time.UnixMilli(asked.To)},
			JSON:          each.Model,
		})
	}
	return request
}
