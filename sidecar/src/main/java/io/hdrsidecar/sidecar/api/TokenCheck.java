package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.access.Access;
import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.Failures;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request pass that shows a bearer token (RFC 6750), if one is asked for. Probes of the
 * kubelet cannot show one, so {@code /-/healthy} and {@code /-/ready} are open.
 */
public final class TokenCheck implements Handler<RoutingContext> {
  private static final String WWW_AUTHENTICATE = "WWW-Authenticate";
  private static final Set<String> PROBES = Set.of("/-/healthy", "/-/ready");

  private final Access access;
  private final boolean openMetrics;

  /**
   * For one server.
   *
   * @param openMetrics whether {@code /metrics} is open, too
   */
  public TokenCheck(Access access, boolean openMetrics) {
    this.access = access;
    this.openMetrics = openMetrics;
  }

  @Override
  public void handle(RoutingContext context) {
    if (isOpen(context.request().path()) || admits(context.request())) {
      context.next();
    } else {
      context.response().putHeader(WWW_AUTHENTICATE, "Bearer realm=\"hdr-sidecar\"");
      Failures.refuseUnread(
          context, new ApiException(401, "unauthorized", "bearer token missing or wrong"));
    }
  }

  /** Whether a token is asked for now. */
  boolean asks() {
    return !access.admits("");
  }

  /** Whether the token of the request, if one is asked for, is among those that are valid now. */
  boolean admits(HttpServerRequest request) {
    return access.admitsHeader(request.getHeader(HttpHeaders.AUTHORIZATION));
  }

  private boolean isOpen(@Nullable String path) {
    return path != null && (PROBES.contains(path) || (openMetrics && path.equals("/metrics")));
  }
}
