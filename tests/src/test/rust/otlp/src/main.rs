//! Sends values with OpenTelemetry's SDK for Rust. Arguments: the endpoint, base2 or explicit, delta
//! or cumulative, the service's instance, and a file with a number of seconds in each line. Exports
//! after each half. Each value is also added to a counter, and its number in the file is what a
//! gauge shows.
use async_trait::async_trait;
use bytes::Bytes;
use http::{Request, Response};
use opentelemetry::{KeyValue, metrics::MeterProvider};
use opentelemetry_http::{HttpClient, HttpError};
use opentelemetry_otlp::{Compression, MetricExporter, Protocol, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::metrics::{
    Aggregation, Instrument, PeriodicReader, SdkMeterProvider, Stream, Temporality,
};
use std::error::Error;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().collect();
    let exporter = MetricExporter::builder()
        .with_http()
        .with_http_client(OneRequestAConnection)
        .with_protocol(Protocol::HttpBinary)
        .with_compression(Compression::Gzip)
        .with_endpoint(&arguments[1])
        .with_temporality(match arguments[3].as_str() {
            "delta" => Temporality::Delta,
            _ => Temporality::Cumulative,
        })
        .build()?;
    let reader = PeriodicReader::builder(exporter)
        .with_interval(Duration::from_secs(3600))
        .build();
    let resource = Resource::builder_empty()
        .with_attributes([
            KeyValue::new("service.name", "sdk"),
            KeyValue::new("service.instance.id", arguments[4].clone()),
        ])
        .build();
    let is_base2 = arguments[2] == "base2";
    let provider = SdkMeterProvider::builder()
        .with_reader(reader)
        .with_resource(resource)
        .with_view(move |each: &Instrument| (is_base2 && each.name() == "sdk.time").then(base2))
        .build();
    let meter = provider.meter("test");
    let histogram = meter.f64_histogram("sdk.time").with_unit("s").build();
    let counter = meter.f64_counter("sdk.busy").with_unit("s").build();
    let gauge = meter.u64_gauge("sdk.last").with_unit("{value}").build();
    let text = fs::read_to_string(&arguments[5])?;
    let values: Vec<f64> = text.lines().map(str::parse).collect::<Result<_, _>>()?;
    let route = [KeyValue::new("route", "/pay")];
    for (i, value) in values.iter().enumerate() {
        histogram.record(*value, &route);
        counter.add(*value, &route);
        gauge.record(i as u64 + 1, &route);
        if i == values.len() / 2 {
            provider.force_flush()?;
        }
    }
    provider.force_flush()?;
    provider.shutdown()?;
    Ok(())
}

/// With as many buckets as other SDKs have by default.
fn base2() -> Stream {
    Stream::builder()
        .with_aggregation(Aggregation::Base2ExponentialHistogram {
            max_size: 160,
            max_scale: 20,
            record_min_max: true,
        })
        .build()
        .expect("a stream")
}

/// What carries the SDK's requests: the client that it brings takes a minute to build.
#[derive(Debug)]
struct OneRequestAConnection;

#[async_trait]
impl HttpClient for OneRequestAConnection {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let to = request.uri().authority().ok_or("an address with a host")?;
        let mut connection = TcpStream::connect(to.as_str())?;
        let mut head = format!("POST {} HTTP/1.1\r\nhost: {to}\r\n", request.uri().path());
        for (name, value) in request.headers() {
            head += &format!("{name}: {}\r\n", value.to_str()?);
        }
        head += &format!(
            "connection: close\r\ncontent-length: {}\r\n\r\n",
            request.body().len()
        );
        connection.write_all(head.as_bytes())?;
        connection.write_all(request.body())?;
        let mut answer = Vec::new();
        connection.read_to_end(&mut answer)?;
        let text = String::from_utf8_lossy(&answer);
        let status: u16 = text.split(' ').nth(1).ok_or("a status")?.parse()?;
        let body = text.find("\r\n\r\n").map_or(answer.len(), |at| at + 4);
        Ok(Response::builder()
            .status(status)
            .body(Bytes::copy_from_slice(&answer[body..]))?)
    }
}
