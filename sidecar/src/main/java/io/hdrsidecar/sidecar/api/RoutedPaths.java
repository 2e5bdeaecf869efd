package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.Failures;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Route;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.Set;
import java.util.TreeSet;

/** Which methods a path takes, and what the others are told. */
final class RoutedPaths {
  private RoutedPaths() {}

  /** Method and path of each route, as documents write it; HEAD left out, which goes with GET. */
  static Set<String> of(Router router) {
    Set<String> found = new TreeSet<>();
    for (Route route : router.getRoutes()) {
      Set<HttpMethod> methods = route.methods();
      if (methods != null && !methods.contains(HttpMethod.HEAD)) {
        String path = String.valueOf(route.getPath()).replaceAll(":(\\w+)", "{$1}");
        methods.forEach(method -> found.add(method + " " + path));
      }
    }
    return found;
  }

  /** A POST that changes something, which no page of another origin may. */
  static void changing(Router router, String path, Handler<RoutingContext> handler) {
    router.route(HttpMethod.POST, path).handler(new OriginCheck()).failureHandler(Failures::answer);
    route(router, HttpMethod.POST, path, handler);
  }

  /** A query that may come as a form as well, which changes nothing either. */
  static void asking(
      Router router, String path, Handler<RoutingContext> handler, boolean takesForms) {
    router.route(HttpMethod.GET, path).handler(handler).failureHandler(Failures::answer);
    router.route(HttpMethod.HEAD, path).handler(handler).failureHandler(Failures::answer);
    if (takesForms) {
      router.route(HttpMethod.POST, path).handler(handler).failureHandler(Failures::answer);
    }
    String allowed = takesForms ? "GET, HEAD, POST" : "GET, HEAD";
    router.route(path).handler(context -> Failures.refuseMethod(context, allowed));
  }

  /** Other methods on the path are refused, naming the right one. GET serves HEAD too. */
  static void route(
      Router router, HttpMethod method, String path, Handler<RoutingContext> handler) {
    router.route(method, path).handler(handler).failureHandler(Failures::answer);
    if (method.equals(HttpMethod.GET)) {
      router.route(HttpMethod.HEAD, path).handler(handler).failureHandler(Failures::answer);
    }
    String allowed = method.equals(HttpMethod.GET) ? "GET, HEAD" : method.name();
    router.route(path).handler(context -> Failures.refuseMethod(context, allowed));
  }
}
