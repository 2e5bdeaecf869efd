package io.hdrsidecar.sidecar.otlp;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.otlp.OtlpMessage.Field;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Writes a request in JSON as protobuf, so that everything behind it reads one form. Any order of
 * fields is taken, and a field that is not known is skipped with all that is in it.
 */
final class JsonRequest {
  /** Each message is an object, and those of a row are in an array. */
  private static final int MOST_NESTING = 2 * WireCheck.MOST_DEPTH;

  private static final int MOST_NUMBER_LENGTH = 400;

  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          // Names that nobody knows are a sender's choice: they are not to be kept.
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MOST_NESTING)
                  .maxNumberLength(MOST_NUMBER_LENGTH)
                  .build())
          .build();

  private final JsonParser json;
  private final WireWriter writer;

  private JsonRequest(JsonParser json, WireWriter writer) {
    this.json = json;
    this.writer = writer;
  }

  /**
   * As protobuf.
   *
   * @param claim gets what that takes
   * @throws MalformedOtlpException when it is no JSON, or a value is not of its field's kind
   */
  static WireReader read(byte[] bytes, int length, HeapClaim claim) throws MalformedOtlpException {
    WireWriter writer = new WireWriter(claim);
    try (JsonParser json = FACTORY.createParser(bytes, 0, length)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedOtlpException("JSON: must be an object");
      }
      new JsonRequest(json, writer).message(OtlpMessage.REQUEST);
      if (json.nextToken() != null) {
        throw new MalformedOtlpException("JSON: goes on behind its object");
      }
    } catch (JsonProcessingException e) {
      throw new MalformedOtlpException("JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new MalformedOtlpException("JSON: " + e.getMessage());
    }
    return writer.reader();
  }

  /** From behind its brace up to the other. */
  private void message(OtlpMessage message) throws IOException, MalformedOtlpException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      Field field = message.named(json.currentName());
      JsonToken token = json.nextToken();
      if (field == null) {
        json.skipChildren();
      } else if (token != JsonToken.VALUE_NULL) {
        field(field, token);
      }
    }
  }

  private void field(Field field, JsonToken token) throws IOException, MalformedOtlpException {
    if (!field.isRow()) {
      one(field, token);
      return;
    }
    if (token != JsonToken.START_ARRAY) {
      throw wrong(field, "a list");
    }
    boolean isPacked = field.message() == null;
    int start = isPacked ? writer.begin(field.number()) : 0;
    for (JsonToken each = json.nextToken(); each != JsonToken.END_ARRAY; each = json.nextToken()) {
      if (isPacked) {
        number(field, each);
      } else {
        one(field, each);
      }
    }
    if (isPacked) {
      writer.end(start);
    }
  }

  private void one(Field field, JsonToken token) throws IOException, MalformedOtlpException {
    if (field.message() != null) {
      if (token != JsonToken.START_OBJECT) {
        throw wrong(field, "an object");
      }
      int start = writer.begin(field.number());
      message(field.message().get());
      writer.end(start);
      return;
    }
    writer.tag(field.number(), field.kind().wireType());
    switch (field.kind()) {
      case TEXT -> writer.sized(text(field, token).getBytes(StandardCharsets.UTF_8));
      case HEX -> writer.sized(bytes(field, token));
      case BASE64 -> writer.sized(bytes(field, token));
      default -> number(field, token);
    }
  }

  private String text(Field field, JsonToken token) throws IOException, MalformedOtlpException {
    if (token != JsonToken.VALUE_STRING) {
      throw wrong(field, "a text");
    }
    return json.getText();
  }

  private byte[] bytes(Field field, JsonToken token) throws IOException, MalformedOtlpException {
    String text = text(field, token);
    try {
      return field.kind() == OtlpMessage.Kind.HEX
          ? HexFormat.of().parseHex(text)
          : Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw wrong(field, field.kind().name().toLowerCase(Locale.ROOT));
    }
  }

  private void number(Field field, JsonToken token) throws IOException, MalformedOtlpException {
    switch (field.kind()) {
      case BOOL -> {
        if (!token.isBoolean()) {
          throw wrong(field, "true or false");
        }
        writer.varint(token == JsonToken.VALUE_TRUE ? 1 : 0);
      }
      case DOUBLE -> writer.fixed64(Double.doubleToRawLongBits(decimal(field, token)));
      case FIXED64 -> writer.fixed64(whole(field, token));
      case SINT32 -> writer.sint32(Math.toIntExact(small(field, token)));
      default -> writer.varint(whole(field, token));
    }
  }

  private long small(Field field, JsonToken token) throws IOException, MalformedOtlpException {
    long value = whole(field, token);
    if (value != (int) value) {
      throw wrong(field, "a number of 32 bits");
    }
    return value;
  }

  /** 64-bit numbers are texts, so that JavaScript can hold them; numbers are taken, too. */
  private long whole(Field field, JsonToken token) throws IOException, MalformedOtlpException {
    if (token != JsonToken.VALUE_STRING && !token.isNumeric()) {
      throw wrong(field, "a whole number");
    }
    String text = digits(field).strip();
    if (field.kind() == OtlpMessage.Kind.TEMPORALITY && token == JsonToken.VALUE_STRING) {
      return text.endsWith("_DELTA") ? 1 : text.endsWith("_CUMULATIVE") ? 2 : 0;
    }
    try {
      return text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      return exact(field, text);
    }
  }

  /** Such as 1e3, or 2.0. */
  private static long exact(Field field, String text) throws MalformedOtlpException {
    try {
      BigDecimal value = new BigDecimal(text);
      if (Math.abs((long) value.scale()) > 40) { // So that none is written out with all its zeros.
        throw wrong(field, "a whole number");
      }
      return value.longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      throw wrong(field, "a whole number");
    }
  }

  private double decimal(Field field, JsonToken token) throws IOException, MalformedOtlpException {
    if (token != JsonToken.VALUE_STRING && !token.isNumeric()) {
      throw wrong(field, "a number");
    }
    try {
      return Double.parseDouble(digits(field)); // NaN and Infinity, too, as the mapping has them.
    } catch (NumberFormatException e) {
      throw wrong(field, "a number");
    }
  }

  /** A number, which may be a text of any length to the parser. */
  private String digits(Field field) throws IOException, MalformedOtlpException {
    if (json.getTextLength() > MOST_NUMBER_LENGTH) {
      throw wrong(field, "a number of at most " + MOST_NUMBER_LENGTH + " characters");
    }
    return json.getText();
  }

  private static MalformedOtlpException wrong(Field field, String expected) {
    return new MalformedOtlpException("JSON: " + field.name() + " must be " + expected);
  }
}
