package io.hdrsidecar.sidecar.otlp;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A key with what it says, as text: numbers and truths as JSON has them, bytes as base64, lists and
 * maps as JSON. Empty for a value that is not there.
 */
record Attribute(String key, String value) {
  /** Most of one list: more labels than that there are not. */
  static final int MOST = 128;

  /** Most values within one: as objects they take many times their bytes. */
  private static final int MOST_WITHIN = 1000;

  private static final double PLAIN_BELOW = 1e15;

  /** Adds a {@code KeyValue} to a list. */
  static void read(WireReader reader, List<Attribute> into)
      throws MalformedOtlpException, RejectedPointException {
    if (into.size() >= MOST) {
      throw new RejectedPointException(
          NotKeptPoint.BAD_ATTRIBUTES, "there are more than " + MOST + " attributes");
    }
    KeyAndValue pair = pair(reader, new int[] {MOST_WITHIN});
    into.add(new Attribute(pair.key, text(pair.value)));
  }

  private record KeyAndValue(String key, @Nullable Object value) {}

  private static KeyAndValue pair(WireReader reader, int[] left)
      throws MalformedOtlpException, RejectedPointException {
    String key = "";
    Object value = null;
    while (reader.next()) {
      if (reader.is(1, WireReader.BYTES)) {
        key = reader.text();
      } else if (reader.is(2, WireReader.BYTES)) {
        value = value(reader.message(), left);
      } else {
        reader.skip();
      }
    }
    return new KeyAndValue(key, value);
  }

  /**
   * An {@code AnyValue} as Vert.x has it in JSON.
   *
   * @param left how many more there may be
   */
  private static @Nullable Object value(WireReader reader, int[] left)
      throws MalformedOtlpException, RejectedPointException {
    if (left[0]-- == 0) {
      throw new RejectedPointException(
          NotKeptPoint.BAD_ATTRIBUTES, "an attribute has more than " + MOST_WITHIN + " values");
    }
    Object value = null;
    while (reader.next()) {
      if (reader.is(1, WireReader.BYTES)) {
        value = reader.text();
      } else if (reader.is(2, WireReader.VARINT)) {
        value = reader.rawVarint() != 0;
      } else if (reader.is(3, WireReader.VARINT)) {
        value = reader.rawVarint();
      } else if (reader.is(4, WireReader.FIXED64)) {
        value = number(reader.float64());
      } else if (reader.is(5, WireReader.BYTES)) {
        value = list(reader.message(), left);
      } else if (reader.is(6, WireReader.BYTES)) {
        value = map(reader.message(), left);
      } else if (reader.is(7, WireReader.BYTES)) {
        value = Base64.getEncoder().encodeToString(reader.copy());
      } else {
        reader.skip();
      }
    }
    return value;
  }

  /** What JSON has no number for is a text. */
  private static Object number(double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return Double.toString(value);
    }
    return value == Math.rint(value) && Math.abs(value) < PLAIN_BELOW
        ? (Object) (long) value
        : new BigDecimal(Double.toString(value));
  }

  private static JsonArray list(WireReader reader, int[] left)
      throws MalformedOtlpException, RejectedPointException {
    JsonArray list = new JsonArray(new ArrayList<>());
    while (reader.next()) {
      if (reader.is(1, WireReader.BYTES)) {
        list.add(value(reader.message(), left));
      } else {
        reader.skip();
      }
    }
    return list;
  }

  private static JsonObject map(WireReader reader, int[] left)
      throws MalformedOtlpException, RejectedPointException {
    JsonObject map = new JsonObject();
    while (reader.next()) {
      if (reader.is(1, WireReader.BYTES)) {
        KeyAndValue pair = pair(reader.message(), left);
        map.put(pair.key, pair.value);
      } else {
        reader.skip();
      }
    }
    return map;
  }

  private static String text(@Nullable Object value) {
    if (value instanceof JsonObject map) {
      return map.encode();
    }
    if (value instanceof JsonArray list) {
      return list.encode();
    }
    if (value instanceof BigDecimal number) {
      return number.stripTrailingZeros().toString();
    }
    return value == null ? "" : value.toString();
  }
}
