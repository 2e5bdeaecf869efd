package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;

/** What the client of a case has to say of itself and its series. */
final class ExpectedClient {
  private final Kit kit;
  private final ClientProgram program;
  private final IntervalLedger ledger;
  private Labels commonLabels = Labels.empty();
  private String token = "";
  private boolean mayStartOver;

  ExpectedClient(Kit kit, ClientProgram program, IntervalLedger ledger) {
    this.kit = kit;
    this.program = program;
    this.ledger = ledger;
  }

  IntervalLedger ledger() {
    return ledger;
  }

  /** What HELLO has to say. */
  void commonLabels(Labels labels) {
    commonLabels = labels;
  }

  Labels commonLabels() {
    return commonLabels;
  }

  /** What HELLO has to say from now on. */
  void token(String expected) {
    token = expected;
  }

  /** From now on the client may, or has to, speak as another instance. */
  void mayStartOver() {
    mayStartOver = true;
  }

  /** Who speaks in this HELLO, which is held against what it should say. */
  KnownInstance hello(Frame.Hello hello, int connection) {
    String where = "connection " + connection;
    if (!hello.commonLabels().equals(commonLabels)) {
      String came = "labels " + hello.commonLabels();
      ledger.breach(Law.HELLO, "the common labels " + commonLabels, came, where);
    }
    if (!hello.token().equals(token)) {
      String came = hello.token().isEmpty() ? "none" : "'" + hello.token() + "'";
      ledger.breach(Law.HELLO, "the token '" + token + "'", came, where);
    }
    if (hello.resource() != null) {
      String came = "labels of a resource";
      ledger.breach(Law.HELLO, "the end of HELLO behind the token", came, where);
    }
    checkInstance(hello.instance(), where);
    return ledger.instance(hello.instance());
  }

  private void checkInstance(InstanceId instance, String where) {
    if (instance.high() == 0 && instance.low() == 0) {
      ledger.breach(Law.INSTANCE, "16 random bytes", "zeros", where);
    }
    if (ledger.knows(instance)) {
      return;
    }
    if (!kit.isNew(instance)) {
      String came = "one that another process had";
      ledger.breach(Law.INSTANCE, "an id of its own for each process", came, where);
    }
    if (ledger.instances() > 0 && !mayStartOver) {
      String came = "another one, " + instance;
      ledger.breach(Law.INSTANCE, "the same instance on all connections", came, where);
    }
  }

  /** What a definition should say instead; empty if it is right. */
  String differs(SeriesDefinition definition) {
    SeriesKey key = definition.key();
    for (SeriesPlan plan : program.series()) {
      if (key.equals(plan.key()) || key.equals(plan.correctedKey())) {
        return plan.differs(definition);
      }
    }
    return "one of the series of the program";
  }
}
