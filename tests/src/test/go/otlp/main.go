// Sends values with OpenTelemetry's SDK for Go. Arguments: the endpoint, base2 or explicit, delta or cumulative, the
// service's instance, a file with a number of seconds in each line, and http or grpc. Exports after each half.
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
	if os.Args[2] == "base2" {
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
	histogram, err := provider.Meter("test").Float64Histogram("sdk.time", metric.WithUnit("s"))
	must(err)
	file, err := os.ReadFile(os.Args[5])
	must(err)
	lines := strings.Fields(string(file))
	for i, line := range lines {
		value, err := strconv.ParseFloat(line, 64)
		must(err)
		histogram.Record(ctx, value, metric.WithAttributes(attribute.String("route", "/pay")))
		if i == len(lines)/2 {
			must(provider.ForceFlush(ctx))
		}
	}
	must(provider.Shutdown(ctx))
}
