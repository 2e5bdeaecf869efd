package io.hdrsidecar.sidecar.otlp;

import java.util.List;

/** Single fields of a message, each found by a reader of its own. */
final class Fields {
  private Fields() {}

  /** The message of a field, an empty one where it is not; of several, the last. */
  static WireReader message(WireReader reader, int number) throws MalformedOtlpException {
    WireReader found = new WireReader(new byte[0]);
    while (reader.next()) {
      if (reader.is(number, WireReader.BYTES)) {
        found = reader.message();
      } else {
        reader.skip();
      }
    }
    return found;
  }

  /** The text of a field; empty where it is not. */
  static String text(WireReader reader, int number) throws MalformedOtlpException {
    String text = "";
    while (reader.next()) {
      if (reader.is(number, WireReader.BYTES)) {
        text = reader.text();
      } else {
        reader.skip();
      }
    }
    return text;
  }

  /** The number of a field that is a varint; 0 where it is not. */
  static long number(WireReader reader, int number) throws MalformedOtlpException {
    long found = 0;
    while (reader.next()) {
      if (reader.is(number, WireReader.VARINT)) {
        found = reader.rawVarint();
      } else {
        reader.skip();
      }
    }
    return found;
  }

  /** What is wrong with attributes; empty for nothing. */
  static String attributes(WireReader reader, int number, List<Attribute> into)
      throws MalformedOtlpException {
    try {
      while (reader.next()) {
        if (reader.is(number, WireReader.BYTES)) {
          Attribute.read(reader.message(), into);
        } else {
          reader.skip();
        }
      }
      return "";
    } catch (RejectedPointException e) {
      return e.problem();
    }
  }

  /** How many points the data of a metric have. */
  static long points(WireReader data) throws MalformedOtlpException {
    long points = 0;
    while (data.next()) {
      points += data.is(1, WireReader.BYTES) ? 1 : 0;
      data.skip();
    }
    return points;
  }
}
