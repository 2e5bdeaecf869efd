package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.ApiException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.json.schema.Draft;
import io.vertx.json.schema.JsonSchema;
import io.vertx.json.schema.JsonSchemaOptions;
import io.vertx.json.schema.OutputFormat;
import io.vertx.json.schema.Validator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One parameter as the OpenAPI document has it. Its text is read as the type that its schema names,
 * and then held against the schema. Any thread.
 *
 * @see <a href="https://spec.openapis.org/oas/v3.1.0#parameter-object">Parameter Object</a>
 */
final class ParameterRule {
  /**
   * In words, what a value must be: an extension, for schemas that cannot be told in a sentence.
   */
  private static final String EXPECTED = "x-expected";

  private static final JsonSchemaOptions OPTIONS =
      new JsonSchemaOptions()
          .setBaseUri("app://hdr-sidecar")
          .setDraft(Draft.DRAFT202012)
          .setOutputFormat(OutputFormat.Flag);
  private static final Pattern INTEGER = Pattern.compile("-?\\d{1,18}");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9]\\d{0,17})(\\.\\d{1,18})?([eE][+-]?\\d{1,2})?");

  private final JsonObject parameter;
  private final JsonObject schema;
  private final Validator validator;

  /**
   * A rule.
   *
   * @param parameter a Parameter Object without references
   */
  ParameterRule(JsonObject parameter) {
    this.parameter = parameter;
    this.schema = parameter.getJsonObject("schema");
    this.validator = Validator.create(JsonSchema.of(schema), OPTIONS);
  }

  String name() {
    return parameter.getString("name");
  }

  boolean isHeader() {
    return parameter.getString("in").equals("header");
  }

  boolean isRequired() {
    return parameter.getBoolean("required", false);
  }

  /**
   * Whether it stands for parameters of many names, each a property of an object: style form,
   * exploded.
   */
  boolean isObject() {
    return "object".equals(type());
  }

  private @Nullable String type() {
    return schema.getString("type");
  }

  /** The value that stands for it where it is not given; null for nothing. */
  @Nullable String byDefault() {
    Object value = schema.getValue("default");
    return value == null ? null : value.toString();
  }

  /** Whether it is about a parameter of this name, too. Only of an object. */
  boolean covers(String otherName, String text) {
    return validator.validate(new JsonObject().put(otherName, text)).getValid();
  }

  /**
   * Holds a value against the schema.
   *
   * @throws ApiException saying what was expected
   */
  void check(String text) throws ApiException {
    Object value = typed(text);
    if (value == null || !validator.validate(value).getValid()) {
      throw ApiException.badParameter(name(), expected() + ": " + text);
    }
  }

  /** The value; null if the text is none of the type. */
  private @Nullable Object typed(String text) {
    String type = type();
    if ("integer".equals(type)) {
      return INTEGER.matcher(text).matches() ? (Object) Long.valueOf(text) : null;
    }
    if ("number".equals(type)) {
      return NUMBER.matcher(text).matches() ? (Object) Double.valueOf(text) : null;
    }
    if ("array".equals(type)) {
      return numbers(text);
    }
    if ("boolean".equals(type)) {
      boolean known = text.equals("true") || text.equals("false");
      return known ? (Object) Boolean.valueOf(text) : null;
    }
    return text;
  }

  /** A list of numbers: style form, not exploded. */
  private static @Nullable JsonArray numbers(String text) {
    JsonArray numbers = new JsonArray();
    for (String part : text.split(",", -1)) {
      if (!NUMBER.matcher(part.strip()).matches()) {
        return null;
      }
      numbers.add(Double.valueOf(part.strip()));
    }
    return numbers;
  }

  private String expected() {
    if (parameter.containsKey(EXPECTED)) {
      return parameter.getString(EXPECTED);
    }
    JsonArray choices = schema.getJsonArray("enum");
    if (choices != null) {
      int last = choices.size() - 1;
      String first = String.join(", ", choices.stream().limit(last).map(String::valueOf).toList());
      return "must be " + first + " or " + choices.getValue(last);
    }
    if ("boolean".equals(type())) {
      return "must be true or false";
    }
    if ("integer".equals(type())) {
      return "must be a whole number from "
          + schema.getValue("minimum")
          + " to "
          + schema.getValue("maximum");
    }
    return "must be " + schema.encode();
  }
}
