package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.http.ApiException;
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
 * missing, each as its schema says. Any thread.
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

  private List<ParameterRule> rules() {
    List<ParameterRule> known = rules;
    if (known == null) {
      known = List.copyOf(source.get());
      rules = known;
    }
    return known;
  }

  /** Lets what the document allows pass. */
  @Override
  public void handle(RoutingContext context) {
    try {
      check(context);
      context.next();
    } catch (ApiException e) {
      context.fail(e);
    }
  }

  /**
   * Refuses what the document does not allow, and adds what it declares as defaults.
   *
   * @throws ApiException naming the parameter, and saying what was expected
   */
  void check(RoutingContext context) throws ApiException {
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
      requireKnown(each.getKey(), each.getValue());
    }
    for (ParameterRule rule : rules()) {
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

  private void requireKnown(String name, String value) throws ApiException {
    List<ParameterRule> inQuery = rules().stream().filter(rule -> !rule.isHeader()).toList();
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
