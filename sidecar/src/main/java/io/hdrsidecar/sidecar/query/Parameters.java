package io.hdrsidecar.sidecar.query;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The parameters of a request, which have been held against the API's document: none is unknown or
 * given twice, and each has the form that the document says. Defaults that it declares are among
 * them.
 */
public final class Parameters {
  private final Map<String, String> byName = new HashMap<>();

  /** Takes names and values, of which none comes twice. */
  public Parameters(Collection<Map.Entry<String, String>> entries) {
    entries.forEach(entry -> byName.put(entry.getKey(), entry.getValue()));
  }

  /** The value, or the default when it was not given. */
  public String get(String name, String otherwise) {
    return byName.getOrDefault(name, otherwise);
  }

  /** The value, if it was given. */
  public Optional<String> get(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * The value.
   *
   * @throws QueryException when it was not given, or is empty
   */
  public String require(String name) throws QueryException {
    String value = get(name, "");
    if (value.isEmpty()) {
      throw QueryException.badParameter(name, "required, but missing");
    }
    return value;
  }

  /**
   * A whole number.
   *
   * @throws QueryException when it was not given
   */
  public int wholeNumber(String name) throws QueryException {
    return Integer.parseInt(require(name));
  }

  /** All that start so, without the prefix. */
  public Map<String, String> withPrefix(String prefix) {
    Map<String, String> found = new HashMap<>();
    byName.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            found.put(name.substring(prefix.length()), value);
          }
        });
    return found;
  }
}
