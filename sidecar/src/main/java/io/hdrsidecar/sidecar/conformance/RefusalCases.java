package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.conformance.ClientConversation.Answers;
import java.io.IOException;
import java.util.List;

/** Refusals of each kind: of the connection, before and after WELCOME, of series, of intervals. */
final class RefusalCases {
  static final int UNAUTHORIZED = RejectReason.UNAUTHORIZED.code();
  static final int MEMORY_LIMIT = RejectReason.MEMORY_LIMIT.code();
  private static final int REPLACED = RejectReason.REPLACED.code();
  private static final int UNKNOWN = 999;

  private static final int[] OF_CONNECTIONS = {
    1, 2, 3, 4, 5, 6, 7, 8, 10, 19, 20, 21, 22, 23, 25, 26, UNKNOWN
  };
  private static final int[] OF_SERIES = {8, 10, 11, 12, 18, 24, UNKNOWN};
  private static final int[] OF_INTERVALS = {8, 12, 13, 14, 15, 16, 17, 24, UNKNOWN};

  private RefusalCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        ConformanceCase.of(
            "refused-connections",
            "refuses connections, for every reason, in place of WELCOME",
            RefusalCases::inPlaceOfWelcome,
            Law.REFUSED_CONNECTION),
        ConformanceCase.of(
            "refused-later",
            "refuses connections, for every reason, when an interval has come",
            stage -> refusedLater(stage, OF_CONNECTIONS),
            Law.REFUSED_CONNECTION),
        ConformanceCase.of(
            "takeover",
            "says that another connection took this one's place, again and again",
            stage -> refusedLater(stage, REPLACED, REPLACED, REPLACED),
            Law.REFUSED_CONNECTION),
        ConformanceCase.of(
            "refused-series",
            "refuses series, for every reason, and takes them on the next connection",
            RefusalCases::series,
            Law.REFUSED_SERIES),
        ConformanceCase.of(
            "refused-intervals",
            "refuses intervals, for every reason",
            RefusalCases::intervals,
            Law.REFUSED_INTERVAL));
  }

  private static void inPlaceOfWelcome(CaseStage stage) throws IOException, InterruptedException {
    stage.about(Law.REFUSED_CONNECTION);
    stage.startWith(2, 40);
    for (int reason : OF_CONNECTIONS) {
      ClientConversation refused = stage.connection();
      refused.refuse(reason);
      refused.readOnWithoutIntervals(Law.REFUSED_CONNECTION, "on a refused connection");
    }
    stage.closeAndFinish();
  }

  /**
   * The interval is settled behind the refusal. With an in-flight limit of 1 only a client that
   * reads on after the refusal can send another.
   */
  private static void refusedLater(CaseStage stage, int... reasons)
      throws IOException, InterruptedException {
    stage.about(Law.REFUSED_CONNECTION);
    stage.limits(1 << 20, 1, 1);
    stage.startWith(3, 60);
    for (int reason : reasons) {
      ClientConversation refused = stage.connection();
      refused.welcome();
      Arrival arrival = refused.interval("before a refusal");
      stage.record(60);
      refused.merge(arrival);
      refused.refuse(reason);
      refused.ack(arrival.sequence());
      refused.readOnWithoutIntervals(Law.REFUSED_CONNECTION, "on a refused connection");
    }
    stage.closeAndFinish();
  }

  private static void series(CaseStage stage) throws IOException, InterruptedException {
    stage.about(Law.REFUSED_SERIES);
    stage.limits(1 << 20, 1, 1);
    stage.startWith(OF_SERIES.length + 2, 90);
    ClientConversation first = stage.connection();
    first.welcome();
    for (int reason : OF_SERIES) {
      first.refuseSeries(first.interval("of a series that is not refused"), reason);
      stage.record(90);
    }
    for (int i = 0; i < 10; i++) {
      Answers.ALL.take(first, first.interval("of a series that is not refused"));
      stage.record(90);
    }
    first.cut();
    stage.closeAndFinish();
  }

  private static void intervals(CaseStage stage) throws IOException, InterruptedException {
    stage.about(Law.REFUSED_INTERVAL);
    stage.limits(1 << 20, 1, 1);
    stage.startWith(4, 80);
    ClientConversation first = stage.connection();
    first.welcome();
    for (int reason : OF_INTERVALS) {
      first.refuse(first.interval("to refuse"), reason);
      stage.record(40);
      Answers.ALL.take(first, first.interval("after a refused one"));
    }
    first.cut();
    ClientConversation second = stage.connection();
    second.welcome(0); // It has forgotten all; the client has what is open, and nothing refused.
    stage.closeAndFinish(second);
  }
}
