package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.conformance.ClientConversation.Answers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** How clients come back, and how they end: with a sidecar, without one, and with a dead one. */
final class EndCases {
  private static final int CLOSE_MILLIS = 700;

  /** Enough for a slow machine to deliver what is left before GOODBYE. */
  private static final int UNANSWERED_MILLIS = 5_000;

  private static final int FIRST_BACKOFF_MILLIS = 50;
  private static final int LONGEST_BACKOFF_MILLIS = 1_000;

  /** Attempts that any back-off may begin with, and the least that a later one waits. */
  private static final int FIRST_ATTEMPTS = 8;

  private static final int LEAST_WAIT_MILLIS = 400;
  private static final int AWAY_MILLIS = 2_000;
  private static final long NEARLY_A_SECOND_NANOS = 800_000_000;

  private EndCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        ConformanceCase.of(
            "back-off", "closes all connections for two seconds", EndCases::backOff, Law.BACK_OFF),
        ConformanceCase.of(
            "goodbye-lost", "ends at GOODBYE without an ACK", EndCases::goodbyeLost, Law.GOODBYE),
        ConformanceCase.of(
            "goodbye-unanswered",
            "says nothing to GOODBYE, and stays",
            EndCases::goodbyeUnanswered,
            Law.GOODBYE),
        ConformanceCase.of(
            "close-while-away",
            "is away when the client closes, and comes back",
            EndCases::closeWhileAway,
            Law.RESEND),
        ConformanceCase.apart("never-there", "is never there", EndCases::neverThere, Law.END),
        ConformanceCase.apart(
            "never-settles",
            "takes intervals and settles none until the client has closed",
            EndCases::neverSettles,
            Law.END,
            Law.IN_FLIGHT_LIMIT),
        ConformanceCase.of(
            "spill-never-there",
            "is never there, and the client has a spill folder",
            EndCases::spillWithoutSidecar,
            Law.SPILL),
        ConformanceCase.of(
            "spill-in-flight",
            "goes away with open intervals, and the client has a spill folder",
            EndCases::spillInFlight,
            Law.SPILL,
            Law.RESEND));
  }

  /** An upper bound on attempts: a slow machine makes fewer, never more. */
  private static void backOff(CaseStage stage) throws IOException, InterruptedException {
    stage.setting("min_backoff_ms", FIRST_BACKOFF_MILLIS);
    stage.setting("max_backoff_ms", LONGEST_BACKOFF_MILLIS);
    stage.startWith(2, 40);
    int attempts = 0;
    long start = System.nanoTime();
    long millis = 0;
    while (millis < AWAY_MILLIS) {
      ClientConversation refused = stage.connection();
      attempts++;
      millis = (System.nanoTime() - start) / 1_000_000;
      refused.cut();
    }
    long most = FIRST_ATTEMPTS + millis / LEAST_WAIT_MILLIS;
    if (attempts > most) {
      String expected = "at most " + most + " connections in " + millis + " ms";
      stage.ledger().breach(Law.BACK_OFF, expected, String.valueOf(attempts), "all connections");
    }
    stage.closeAndFinish();
  }

  private static void goodbyeLost(CaseStage stage) throws IOException, InterruptedException {
    stage.startWith(2, 40);
    stage.closeClient();
    ClientConversation conversation = stage.connection();
    conversation.welcome();
    if (conversation.serve(Answers.ALL)) {
      stage.expected().mayStartOver();
      conversation.cut();
    }
    stage.finish();
  }

  private static void goodbyeUnanswered(CaseStage stage) throws IOException, InterruptedException {
    stage.setting("close_timeout_ms", UNANSWERED_MILLIS);
    stage.startWith(2, 40);
    ClientConversation conversation = stage.connection();
    conversation.welcome();
    long start = System.nanoTime();
    while (System.nanoTime() - start < NEARLY_A_SECOND_NANOS) { // Then HEALTH may be due, too.
      Answers.ALL.take(conversation, conversation.interval("of what is recorded"));
      stage.record(20);
    }
    stage.closeClient();
    if (!conversation.serve(Answers.ALL)) {
      stage.ledger().breach(Law.GOODBYE, "GOODBYE at the end", "none", "connection 1");
    }
    conversation.awaitEnd();
    stage.expected().mayStartOver();
    stage.finish();
  }

  private static void closeWhileAway(CaseStage stage) throws IOException, InterruptedException {
    stage.startWith(3, 60);
    ClientConversation first = stage.connection();
    first.welcome();
    Answers.ALL.take(first, first.interval("of what is recorded"));
    stage.record(60);
    first.interval("up to the in-flight limit");
    stage.closeClient();
    first.cut();
    for (int i = 0; i < 5; i++) {
      stage.connection().cut();
    }
    stage.finish();
  }

  private static void neverThere(CaseStage stage) throws IOException, InterruptedException {
    stage.comparesNothing();
    stage.variable("HDR_SIDECAR_ADDRESS", KitListener.nobody());
    stage.setting("close_timeout_ms", CLOSE_MILLIS);
    stage.startWith(2, 40);
    stage.closeClient();
    stage.awaitEnd();
  }

  private static void neverSettles(CaseStage stage) throws IOException, InterruptedException {
    stage.comparesNothing();
    stage.limits(1 << 20, 2, 1);
    stage.setting("close_timeout_ms", CLOSE_MILLIS);
    stage.startWith(4, 80);
    ClientConversation conversation = stage.connection();
    conversation.welcome();
    conversation.interval("of what is recorded");
    stage.closeClient();
    conversation.readOn();
    stage.finish((again, arrival) -> {});
  }

  private static void spillWithoutSidecar(CaseStage stage)
      throws IOException, InterruptedException {
    Path folder = spillFolder(stage);
    stage.variable("HDR_SIDECAR_ADDRESS", KitListener.nobody());
    stage.variable("HDR_SIDECAR_LABELS", "service=shop");
    stage.expected().commonLabels(Labels.of("service", "shop"));
    stage.startWith(3, 300);
    stage.closeClient();
    SpillJudge.read(folder, stage);
    stage.awaitEnd();
  }

  private static Path spillFolder(CaseStage stage) {
    Path folder = stage.folder().resolve("spill");
    stage.about(Law.SPILL);
    stage.variable("HDR_SIDECAR_SPILL_FOLDER", folder.toString());
    stage.setting("close_timeout_ms", CLOSE_MILLIS);
    return folder;
  }

  private static void spillInFlight(CaseStage stage) throws IOException, InterruptedException {
    Path folder = spillFolder(stage);
    stage.limits(1 << 20, 3, 1);
    stage.startWith(5, 100);
    ClientConversation first = stage.connection();
    first.welcome();
    Answers.ALL.take(first, first.interval("of what is recorded"));
    stage.record(50);
    first.interval("up to the in-flight limit");
    first.interval("up to the in-flight limit");
    stage.record(50);
    stage.stopListening();
    first.cut();
    stage.closeClient();
    SpillJudge.read(folder, stage);
    stage.awaitEnd();
  }
}
