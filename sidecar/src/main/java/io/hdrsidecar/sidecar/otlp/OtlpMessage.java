package io.hdrsidecar.sidecar.otlp;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What of OTLP's messages is looked at: numbers, names in JSON and kinds of their fields. Fields
 * that are not here are skipped in either form.
 *
 * <p>Source: {@code opentelemetry/proto} v1.9 and the section "JSON Protobuf Encoding" of OTLP's
 * specification: ids in hexadecimal, 64-bit numbers as texts, enumerations as numbers.
 */
@SuppressWarnings("ImmutableEnumChecker") // Lists and maps that nobody can change.
enum OtlpMessage {
  KEY_VALUE(text(1, "key"), one(2, "value", "ANY_VALUE")),
  ANY_VALUE(
      text(1, "stringValue"),
      number(2, "boolValue", Kind.BOOL),
      number(3, "intValue", Kind.INT64),
      number(4, "doubleValue", Kind.DOUBLE),
      one(5, "arrayValue", "ARRAY_VALUE"),
      one(6, "kvlistValue", "KEY_VALUE_LIST"),
      number(7, "bytesValue", Kind.BASE64)),
  ARRAY_VALUE(many(1, "values", "ANY_VALUE")),
  KEY_VALUE_LIST(many(1, "values", "KEY_VALUE")),
  RESOURCE(many(1, "attributes", "KEY_VALUE")),
  SCOPE(text(1, "name"), text(2, "version"), many(3, "attributes", "KEY_VALUE")),
  EXEMPLAR(
      number(2, "timeUnixNano", Kind.FIXED64),
      number(3, "asDouble", Kind.DOUBLE),
      number(4, "spanId", Kind.HEX),
      number(5, "traceId", Kind.HEX),
      number(6, "asInt", Kind.FIXED64)),
  NUMBER_POINT(
      many(7, "attributes", "KEY_VALUE"),
      number(2, "startTimeUnixNano", Kind.FIXED64),
      number(3, "timeUnixNano", Kind.FIXED64),
      number(4, "asDouble", Kind.DOUBLE),
      number(6, "asInt", Kind.FIXED64),
      number(8, "flags", Kind.UINT64)),
  /** Of a summary, which is only counted. */
  OTHER_POINT,
  HISTOGRAM_POINT(
      many(9, "attributes", "KEY_VALUE"),
      number(2, "startTimeUnixNano", Kind.FIXED64),
      number(3, "timeUnixNano", Kind.FIXED64),
      number(4, "count", Kind.FIXED64),
      number(5, "sum", Kind.DOUBLE),
      row(6, "bucketCounts", Kind.FIXED64),
      row(7, "explicitBounds", Kind.DOUBLE),
      many(8, "exemplars", "EXEMPLAR"),
      number(10, "flags", Kind.UINT64),
      number(11, "min", Kind.DOUBLE),
      number(12, "max", Kind.DOUBLE)),
  BUCKETS(number(1, "offset", Kind.SINT32), row(2, "bucketCounts", Kind.UINT64)),
  EXPONENTIAL_POINT(
      many(1, "attributes", "KEY_VALUE"),
      number(2, "startTimeUnixNano", Kind.FIXED64),
      number(3, "timeUnixNano", Kind.FIXED64),
      number(4, "count", Kind.FIXED64),
      number(5, "sum", Kind.DOUBLE),
      number(6, "scale", Kind.SINT32),
      number(7, "zeroCount", Kind.FIXED64),
      one(8, "positive", "BUCKETS"),
      one(9, "negative", "BUCKETS"),
      number(10, "flags", Kind.UINT64),
      many(11, "exemplars", "EXEMPLAR"),
      number(12, "min", Kind.DOUBLE),
      number(13, "max", Kind.DOUBLE),
      number(14, "zeroThreshold", Kind.DOUBLE)),
  OTHER_DATA(many(1, "dataPoints", "OTHER_POINT")),
  GAUGE(many(1, "dataPoints", "NUMBER_POINT")),
  SUM(
      many(1, "dataPoints", "NUMBER_POINT"),
      number(2, "aggregationTemporality", Kind.TEMPORALITY),
      number(3, "isMonotonic", Kind.BOOL)),
  HISTOGRAM(
      many(1, "dataPoints", "HISTOGRAM_POINT"),
      number(2, "aggregationTemporality", Kind.TEMPORALITY)),
  EXPONENTIAL_HISTOGRAM(
      many(1, "dataPoints", "EXPONENTIAL_POINT"),
      number(2, "aggregationTemporality", Kind.TEMPORALITY)),
  METRIC(
      text(1, "name"),
      text(2, "description"),
      text(3, "unit"),
      one(5, "gauge", "GAUGE"),
      one(7, "sum", "SUM"),
      one(9, "histogram", "HISTOGRAM"),
      one(10, "exponentialHistogram", "EXPONENTIAL_HISTOGRAM"),
      one(11, "summary", "OTHER_DATA")),
  SCOPE_METRICS(one(1, "scope", "SCOPE"), many(2, "metrics", "METRIC")),
  RESOURCE_METRICS(one(1, "resource", "RESOURCE"), many(2, "scopeMetrics", "SCOPE_METRICS")),
  REQUEST(many(1, "resourceMetrics", "RESOURCE_METRICS"));

  /** What a field holds. */
  enum Kind {
    MESSAGE,
    TEXT,
    /** Bytes that JSON has in hexadecimal. */
    HEX,
    BASE64,
    BOOL,
    INT64,
    UINT64,
    SINT32,
    FIXED64,
    DOUBLE,
    /** A number; its name is understood, too. */
    TEMPORALITY;

    /** How it is encoded, where it stands alone. */
    int wireType() {
      return switch (this) {
        case MESSAGE, TEXT, HEX, BASE64 -> WireReader.BYTES;
        case FIXED64, DOUBLE -> WireReader.FIXED64;
        case BOOL, INT64, UINT64, SINT32, TEMPORALITY -> WireReader.VARINT;
      };
    }
  }

  /**
   * A field.
   *
   * @param name in JSON
   * @param message what it holds, for a message
   * @param isRow whether it holds any number of them
   */
  record Field(
      int number, String name, Kind kind, @Nullable Supplier<OtlpMessage> message, boolean isRow) {}

  private final List<Field> fields;
  private final Map<String, Field> byName;

  OtlpMessage(Field... fields) {
    this.fields = List.of(fields);
    this.byName =
        Arrays.stream(fields)
            .collect(Collectors.toUnmodifiableMap(Field::name, Function.identity()));
  }

  private static Field text(int number, String name) {
    return new Field(number, name, Kind.TEXT, null, false);
  }

  private static Field number(int number, String name, Kind kind) {
    return new Field(number, name, kind, null, false);
  }

  private static Field row(int number, String name, Kind kind) {
    return new Field(number, name, kind, null, true);
  }

  // Messages hold each other, so one is found by its name when it is needed.
  private static Field one(int number, String name, String message) {
    return new Field(number, name, Kind.MESSAGE, () -> valueOf(message), false);
  }

  private static Field many(int number, String name, String message) {
    return new Field(number, name, Kind.MESSAGE, () -> valueOf(message), true);
  }

  // The field that JSON calls so; null for one that is skipped.
  @Nullable Field named(String name) {
    return byName.get(name);
  }

  // The field with this number; null for one that is skipped.
  @Nullable Field numbered(int number) {
    for (Field field : fields) {
      if (field.number == number) {
        return field;
      }
    }
    return null;
  }
}
