package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.query.QueryException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Supplier;

/** The frame that Prometheus' HTTP API puts around every JSON answer. */
public final class Envelope {
  /** Content type of every JSON answer. */
  public static final String CONTENT_TYPE = "application/json; charset=utf-8";

  private Envelope() {}

  /** A success whose {@code data}, a JSON object or array, is short. */
  public static Answer success(Object data) {
    JsonObject envelope = new JsonObject().put("status", "success").put("data", data);
    return new Answer(CONTENT_TYPE, envelope.toBuffer());
  }

  /** A success that may be long, without warnings. */
  public static Answer success(Object data, HeapClaim claim) throws QueryException {
    return success(data, List::of, claim);
  }

  /**
   * A success that may be long, with warnings, as Prometheus gives them; none are left out.
   *
   * @param data may have {@link JsonPart}s within
   * @param warnings asked for when all data was read
   * @param claim for the bytes
   * @throws QueryException when a part cannot be read
   */
  static Answer success(Object data, Supplier<List<String>> warnings, HeapClaim claim)
      throws QueryException {
    return success(data, warnings, List::of, claim);
  }

  /** The same with infos, too. */
  public static Answer success(
      Object data, Supplier<List<String>> warnings, Supplier<List<String>> infos, HeapClaim claim)
      throws QueryException {
    AnswerBytes bytes = new AnswerBytes(claim);
    try (JsonText json = new JsonText(bytes)) {
      json.beginObject();
      json.field("status", "success");
      json.field("data", data);
      tell(json, "warnings", warnings.get());
      tell(json, "infos", infos.get());
      json.endObject();
    } catch (IOException e) {
      throw new UncheckedIOException("bytes in memory cannot fail", e);
    }
    return new Answer(CONTENT_TYPE, bytes.blocks(), List.of());
  }

  private static void tell(JsonText json, String name, List<String> told)
      throws IOException, QueryException {
    if (!told.isEmpty()) {
      json.field(name, told);
    }
  }
}
