// Sends values with OpenTelemetry's SDK for Go. Arguments: the endpoint, base2 or explicit, delta or cumulative, the
// service's instance, a file with a number of seconds in each line, and http or grpc. Exports after each half. Each
// value is also added to a counter, and its number in the file is what a gauge shows.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/metric"
	sdk "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
)

// Who gives up on a slow machine, by default after 10 s, loses a delta or sends it twice.
const patience = 5 * time.Minute

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func temporality(sdk.InstrumentKind) metricdata.Temporality {
	if os.Args[3] == "delta" {
		return metricdata.DeltaTemporality
	}
	return metricdata.CumulativeTemporality
}

func aggregation(kind sdk.InstrumentKind) sdk.Aggregation {
	if os.Args[2] == "base2" && kind == sdk.InstrumentKindHistogram {
		return sdk.AggregationBase2ExponentialHistogram{MaxSize: 160, MaxScale: 20}
	}
	return sdk.DefaultAggregationSelector(kind)
}

func exporter(ctx context.Context) (sdk.Exporter, error) {
	if os.Args[6] == "grpc" {
		return otlpmetricgrpc.New(ctx, otlpmetricgrpc.WithEndpointURL(os.Args[1]),
			otlpmetricgrpc.WithCompressor("gzip"),
			otlpmetricgrpc.WithTimeout(patience),
			otlpmetricgrpc.WithTemporalitySelector(temporality),
			otlpmetricgrpc.WithAggregationSelector(aggregation))
	}
	return otlpmetrichttp.New(ctx, otlpmetrichttp.WithEndpointURL(os.Args[1]),
		otlpmetrichttp.WithCompression(otlpmetrichttp.GzipCompression),
		otlpmetrichttp.WithTimeout(patience),
		otlpmetrichttp.WithTemporalitySelector(temporality),
		otlpmetrichttp.WithAggregationSelector(aggregation))
}

func main() {
	ctx := context.Background()
	exporter, err := exporter(ctx)
	must(err)
	provider := sdk.NewMeterProvider(sdk.WithReader(sdk.NewPeriodicReader(exporter, sdk.WithTimeout(patience))),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "sdk"),
			attribute.String("service.instance.id", os.Args[4]))))
	meter := provider.Meter("test")
	histogram, err := meter.Float64Histogram("sdk.time", metric.WithUnit("s"))
	must(err)
	counter, err := meter.Float64Counter("sdk.busy", metric.WithUnit("s"))
	must(err)
	gauge, err := meter.Int64Gauge("sdk.last", metric.WithUnit("{value}"))
	must(err)
	file, err := os.ReadFile(os.Args[5])
	must(err)
	lines := strings.Fields(string(file))
	for i, line := range lines {
		value, err := strconv.ParseFloat(line, 64)
		must(err)
		route := metric.WithAttributes(attribute.String("route", "/pay"))
		histogram.Record(ctx, value, route)
		counter.Add(ctx, value, route)
		gauge.Record(ctx, int64(i+1), route)
		if i == len(lines)/2 {
			must(provider.ForceFlush(ctx))
		}
	}
	must(provider.Shutdown(ctx))
}
