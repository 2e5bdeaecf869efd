package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.RequestBody;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.prometheus.FormParameters;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.RoutingContext;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads the parameters of a request from its address and, of a POST, from the form that is its
 * body, which goes first. Event loop of the request only.
 */
final class FormReader {
  private static final String FORM = "application/x-www-form-urlencoded";

  /** Longer than any query may be, with all its characters encoded. */
  private static final int MAX_BODY_BYTES = 128 << 10;

  private static final int MAX_PARAMETERS = 256;

  /**
   * The form that was read.
   *
   * @param release gives back the memory of the body, of which the parameters may refer to parts
   */
  record Form(FormParameters parameters, Runnable release) {}

  private final HeapShare share;

  /**
   * A reader.
   *
   * @param share for bodies
   */
  FormReader(HeapShare share) {
    this.share = share;
  }

  /** All parameters, once the body was read. The caller releases it. */
  Future<Form> read(RoutingContext context) {
    Map<String, List<String>> parameters = new HashMap<>();
    if (!context.request().method().equals(HttpMethod.POST)) {
      addAddress(context, parameters);
      return Future.succeededFuture(new Form(new FormParameters(parameters), () -> {}));
    }
    String type = context.request().getHeader(HttpHeaders.CONTENT_TYPE);
    RequestBody body = RequestBody.of(context.request(), MAX_BODY_BYTES, share);
    if (type != null && !mediaType(type).equals(FORM)) {
      body.release();
      return Future.failedFuture(
          new ApiException(415, "bad_data", "Content-Type: must be " + FORM + ": " + type));
    }
    return body.whole()
        .map(
            whole -> {
              addForm(whole.joined().toString(StandardCharsets.UTF_8), parameters);
              addAddress(context, parameters);
              // Until the query is over: what was decoded is about as long, and waits with it.
              return new Form(new FormParameters(parameters), body::release);
            })
        .recover(
            failure -> {
              body.release();
              return unreadable(failure);
            });
  }

  private static Future<Form> unreadable(Throwable failure) {
    return Future.failedFuture(
        failure instanceof IllegalArgumentException
            ? new ApiException(400, "bad_data", "body: is not a form: " + failure.getMessage())
            : failure);
  }

  private static String mediaType(String contentType) {
    int end = contentType.indexOf(';');
    return (end < 0 ? contentType : contentType.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  private static void addForm(String body, Map<String, List<String>> into) {
    new QueryStringDecoder(body, StandardCharsets.UTF_8, false, MAX_PARAMETERS, true)
        .parameters()
        .forEach((name, values) -> add(name, values, into));
  }

  private static void addAddress(RoutingContext context, Map<String, List<String>> into) {
    MultiMap inAddress = context.queryParams();
    inAddress.names().forEach(name -> add(name, inAddress.getAll(name), into));
  }

  private static void add(String name, List<String> values, Map<String, List<String>> into) {
    into.computeIfAbsent(name, none -> new ArrayList<>()).addAll(values);
  }
}
