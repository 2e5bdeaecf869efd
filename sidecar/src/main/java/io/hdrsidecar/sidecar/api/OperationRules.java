package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.ApiException;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.ext.web.RoutingContext;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one operation as the OpenAPI document has them: none unknown, none twice, none
 * missing, each as its schema says. They are read by the first request, on a worker, as that takes
 * longer than an event loop may. Any thread.
 */
final class OperationRules implements Handler<RoutingContext> {
  private final Supplier<List<ParameterRule>> source;
  private volatile @Nullable List<ParameterRule> rules;

  /**
   * Rules of an operation.
   *
   * @param source asked by the first request
   */
  OperationRules(Supplier<List<ParameterRule>> source) {
    this.source = source;
  }

  private synchronized List<ParameterRule> read() {
    List<ParameterRule> known = rules;
    if (known == null) {
      known = List.copyOf(source.get());
      rules = known;
    }
    return known;
  }

  /** Lets what the document allows pass. Nobody may want the body before {@link #check}. */
  @Override
  public void handle(RoutingContext context) {
    check(context).onSuccess(allowed -> context.next()).onFailure(context::fail);
  }

  /**
   * Refuses what the document does not allow, and adds what it declares as defaults. Completes on
   * the context of the request, and at once when the rules are known.
   *
   * @return fails with an {@link ApiException} naming the parameter, and saying what was expected
   */
  Future<Void> check(RoutingContext context) {
    List<ParameterRule> known = rules;
    return known != null
        ? checked(context, known)
        : context.vertx().executeBlocking(this::read).compose(read -> checked(context, read));
  }

  private static Future<Void> checked(RoutingContext context, List<ParameterRule> rules) {
    try {
      check(context, rules);
      return Future.succeededFuture();
    } catch (ApiException e) {
      return Future.failedFuture(e);
    }
  }

  private static void check(RoutingContext context, List<ParameterRule> rules) throws ApiException {
    List<Map.Entry<String, String>> given = context.queryParams().entries();
    Set<String> names = new HashSet<>();
    for (Map.Entry<String, String> each : given) {
      if (!names.add(each.getKey())) {
        throw ApiException.badParameter(each.getKey(), "given more than once");
      }
    }
    // In the order of their names: the same answer, however they are ordered in the request.
    Map<String, String> sorted = new TreeMap<>();
    given.forEach(each -> sorted.put(each.getKey(), each.getValue()));
    for (Map.Entry<String, String> each : sorted.entrySet()) {
      requireKnown(rules, each.getKey(), each.getValue());
    }
    for (ParameterRule rule : rules) {
      if (rule.isHeader()) {
        checkOne(rule, context.request().getHeader(rule.name()));
      } else if (!rule.isObject()) {
        checkOne(rule, sorted.get(rule.name()));
        String byDefault = rule.byDefault();
        if (byDefault != null && !sorted.containsKey(rule.name())) {
          context.queryParams().add(rule.name(), byDefault);
        }
      }
    }
  }

  private static void requireKnown(List<ParameterRule> rules, String name, String value)
      throws ApiException {
    List<ParameterRule> inQuery = rules.stream().filter(rule -> !rule.isHeader()).toList();
    if (inQuery.stream()
        .noneMatch(each -> each.isObject() ? each.covers(name, value) : each.name().equals(name))) {
      String known = inQuery.stream().map(ParameterRule::name).collect(Collectors.joining(", "));
      throw ApiException.badParameter(name, "not a known parameter; known: " + known);
    }
  }

  private static void checkOne(ParameterRule rule, @Nullable String value) throws ApiException {
    if (rule.isRequired() && (value == null || value.isEmpty())) {
      throw ApiException.badParameter(rule.name(), "required, but missing");
    }
    if (value != null) {
      rule.check(value);
    }
  }
}
