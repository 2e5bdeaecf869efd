package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.query.ApiException;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Lets pass who asks this machine by a name that is always its own. A page of a stranger can give
 * its name the address 127.0.0.1 and then read, by its browser's rules, what is answered there; but
 * the browser says that name in {@code Host}, which the page cannot change.
 */
final class LoopbackNames implements Handler<RoutingContext> {
  private static final Pattern NAMES =
      Pattern.compile("(localhost|127\\.0\\.0\\.1|\\[::1])(:\\d{1,5})?");

  /** Every HTTP/1.1 request has exactly one Host; without any, it is from no browser. */
  @Override
  public void handle(RoutingContext context) {
    List<String> hosts = context.request().headers().getAll(HttpHeaders.HOST);
    if (hosts.stream().allMatch(LoopbackNames::isLoopback)
        && context.request().uri().startsWith("/")) {
      context.next();
    } else {
      context.fail(
          new ApiException(
              403,
              "forbidden",
              "Host: must be localhost, 127.0.0.1 or [::1], as these logs are for this machine"));
    }
  }

  private static boolean isLoopback(String host) {
    return NAMES.matcher(host.toLowerCase(Locale.ROOT)).matches();
  }
}
