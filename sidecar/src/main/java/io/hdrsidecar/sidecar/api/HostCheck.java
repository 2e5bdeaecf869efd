package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.Failures;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Lets pass who asks a server on loopback by a name that is its own. A page of a stranger can give
 * its name the address 127.0.0.1 (DNS rebinding) and then read, by its browser's rules, what is
 * answered there; but the browser says that name in {@code Host}, which the page cannot change.
 */
final class HostCheck implements Handler<RoutingContext> {
  private static final Pattern PORT = Pattern.compile(":\\d{1,5}$");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost\\.?|127(\\.\\d{1,3}){3}|\\[::1]");

  private final Set<String> names = new HashSet<>();

  /**
   * A check.
   *
   * @param listened the address or name that the server listens on
   * @param further other names, without port
   */
  HostCheck(String listened, Collection<String> further) {
    names.add(inHost(listened));
    further.forEach(name -> names.add(inHost(name)));
  }

  /** An address with colons stands in brackets. */
  private static String inHost(String name) {
    boolean isBare = name.contains(":") && !name.startsWith("[");
    return (isBare ? "[" + name + "]" : name).toLowerCase(Locale.ROOT);
  }

  /** Every HTTP/1.1 request has exactly one Host; without any, it is from no browser. */
  @Override
  public void handle(RoutingContext context) {
    List<String> hosts = context.request().headers().getAll(HttpHeaders.HOST);
    if (hosts.stream().allMatch(this::isOwn) && context.request().uri().startsWith("/")) {
      context.next();
    } else {
      Failures.refuseUnread(
          context,
          new ApiException(
              403,
              "forbidden",
              "Host: must be localhost, 127.0.0.1, [::1] or one of http.host-names where HTTP"
                  + " is served on loopback: "
                  + String.join(", ", hosts)));
    }
  }

  private boolean isOwn(String host) {
    String name = PORT.matcher(host.toLowerCase(Locale.ROOT)).replaceFirst("");
    return LOOPBACK.matcher(name).matches() || names.contains(name);
  }
}
