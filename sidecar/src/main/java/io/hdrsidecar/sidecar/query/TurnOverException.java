package io.hdrsidecar.sidecar.query;

/** A query takes longer than its {@link QueryTurn}: it is to be asked again where there is time. */
public final class TurnOverException extends RuntimeException {
  private static final long serialVersionUID = 1;

  TurnOverException() {
    super("the question takes longer than its turn", null, false, false);
  }
}
