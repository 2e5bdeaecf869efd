package io.hdrsidecar.sidecar.promql;

/** What an expression gives, with the names that Prometheus has for it. */
public enum ValueType {
  SCALAR("scalar", "scalar"),
  STRING("string", "string"),
  VECTOR("vector", "instant vector"),
  MATRIX("matrix", "range vector");

  private final String resultType;
  private final String words;

  ValueType(String resultType, String words) {
    this.resultType = resultType;
    this.words = words;
  }

  /** In answers. */
  public String resultType() {
    return resultType;
  }

  /** In messages. */
  public String words() {
    return words;
  }
}
