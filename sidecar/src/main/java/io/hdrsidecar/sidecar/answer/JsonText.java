package io.hdrsidecar.sidecar.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.hdrsidecar.sidecar.query.QueryException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON as it comes, as bytes. One thread at a time. */
public final class JsonText implements AutoCloseable {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final JsonGenerator out;

  JsonText(OutputStream bytes) throws IOException {
    out = FACTORY.createGenerator(bytes);
  }

  /** Takes the values of an array, one by one. */
  public void beginArray() throws IOException {
    out.writeStartArray();
  }

  public void endArray() throws IOException {
    out.writeEndArray();
  }

  /** An array of whole numbers. */
  void array(long[] numbers) throws IOException {
    out.writeArray(numbers, 0, numbers.length);
  }

  /** Begins an object, or goes on with {@link #field}s. */
  public void beginObject() throws IOException {
    out.writeStartObject();
  }

  public void endObject() throws IOException {
    out.writeEndObject();
  }

  /** A field whose value comes next. */
  public void field(String name) throws IOException {
    out.writeFieldName(name);
  }

  /** A field and its value. */
  public void field(String name, @Nullable Object value) throws IOException, QueryException {
    out.writeFieldName(name);
    write(value);
  }

  /** A whole number, without an object for it. */
  public void number(String name, long number) throws IOException {
    out.writeNumberField(name, number);
  }

  /** Any value that JSON has, and {@link JsonPart}s within. */
  public void write(@Nullable Object value) throws IOException, QueryException {
    if (value == null) {
      out.writeNull();
    } else if (value instanceof JsonPart part) {
      part.writeTo(this);
    } else if (value instanceof JsonObject object) {
      fields(object.getMap());
    } else if (value instanceof JsonArray array) {
      values(array.getList());
    } else if (value instanceof Map<?, ?> map) {
      fields(map);
    } else if (value instanceof List<?> list) {
      values(list);
    } else if (value instanceof CharSequence text) {
      out.writeString(text.toString());
    } else if (value instanceof Boolean flag) {
      out.writeBoolean(flag);
    } else {
      number(value);
    }
  }

  private void number(Object value) throws IOException {
    if (value instanceof Integer || value instanceof Long) {
      out.writeNumber(((Number) value).longValue());
    } else if (value instanceof Double number) {
      out.writeNumber(number);
    } else if (value instanceof BigInteger number) {
      out.writeNumber(number);
    } else if (value instanceof BigDecimal number) {
      out.writeNumber(number);
    } else {
      throw new IllegalArgumentException("not a value of JSON: " + value.getClass());
    }
  }

  private void fields(Map<?, ?> map) throws IOException, QueryException {
    out.writeStartObject();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      field(String.valueOf(entry.getKey()), entry.getValue());
    }
    out.writeEndObject();
  }

  private void values(List<?> list) throws IOException, QueryException {
    out.writeStartArray();
    for (Object value : list) {
      write(value);
    }
    out.writeEndArray();
  }

  /** Hands on what is left; an array or object that is open stays so. */
  @Override
  public void close() throws IOException {
    out.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT).close();
  }
}
