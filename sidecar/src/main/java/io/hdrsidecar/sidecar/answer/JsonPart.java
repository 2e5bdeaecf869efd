package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.query.QueryException;
import java.io.IOException;

/**
 * A value within a JSON answer that may be long: it is written while it is read, and is not held
 * meanwhile.
 */
@FunctionalInterface
public interface JsonPart {
  /**
   * Writes one value.
   *
   * @throws QueryException when there is no answer after all
   */
  void writeTo(JsonText json) throws IOException, QueryException;
}
