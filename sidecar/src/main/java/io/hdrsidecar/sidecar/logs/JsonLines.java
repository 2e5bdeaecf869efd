package io.hdrsidecar.sidecar.logs;

import io.vertx.core.json.JsonObject;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** Records as JSON objects, one in a line; numbers and truths are such. */
final class JsonLines extends Formatter {
  @Override
  public String format(LogRecord log) {
    return new JsonObject(LogFields.of(log)).encode() + "\n";
  }
}
