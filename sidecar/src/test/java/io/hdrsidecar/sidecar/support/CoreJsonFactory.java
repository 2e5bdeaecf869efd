package io.hdrsidecar.sidecar.support;

import io.vertx.core.json.jackson.JacksonCodec;
import io.vertx.core.spi.JsonFactory;
import io.vertx.core.spi.json.JsonCodec;

/**
 * JSON in tests as in the product. The schema validator brings jackson-databind, with which Vert.x
 * would write types that it cannot write without.
 */
public final class CoreJsonFactory implements JsonFactory {
  @Override
  public int order() {
    return Integer.MIN_VALUE;
  }

  @Override
  public JsonCodec codec() {
    return new JacksonCodec();
  }
}
