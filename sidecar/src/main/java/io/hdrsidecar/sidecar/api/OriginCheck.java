package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.ApiException;
import io.hdrsidecar.sidecar.http.Failures;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Keeps pages of other origins from changing anything: any page may have its reader's browser send
 * a {@code POST} of plain text anywhere, with no query asked before. Browsers say where it comes
 * from, in headers that no page can set. What sends neither of them is no browser and passes.
 *
 * @see <a href="https://www.w3.org/TR/fetch-metadata/">Fetch Metadata</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc6454#section-7">Origin</a>
 */
final class OriginCheck implements Handler<RoutingContext> {
  private static final String FETCH_SITE = "Sec-Fetch-Site";
  private static final Set<String> OWN_SITES = Set.of("same-origin", "none");

  @Override
  public void handle(RoutingContext context) {
    HttpServerRequest request = context.request();
    String site = request.getHeader(FETCH_SITE);
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    if (site != null && !OWN_SITES.contains(site)) {
      refuse(context, FETCH_SITE, "same-origin or none", site);
    } else if (site == null && origin != null && !isOfHost(origin, request)) {
      refuse(context, "Origin", "that of this server", origin);
    } else {
      context.next();
    }
  }

  /**
   * Compares host and port. Not the scheme: in front of this server TLS may end. Browsers leave
   * {@code Sec-Fetch-Site} out where they find neither TLS nor loopback.
   */
  private static boolean isOfHost(String origin, HttpServerRequest request) {
    @Nullable String host = request.getHeader(HttpHeaders.HOST);
    int authority = origin.indexOf("://");
    return host != null
        && authority > 0
        && origin
            .substring(authority + 3)
            .toLowerCase(Locale.ROOT)
            .equals(host.toLowerCase(Locale.ROOT));
  }

  private static void refuse(RoutingContext context, String header, String expected, String came) {
    Failures.refuseUnread(
        context,
        new ApiException(
            403,
            "forbidden",
            header
                + ": pages of another origin may change nothing; must be "
                + expected
                + ": "
                + came));
  }
}
