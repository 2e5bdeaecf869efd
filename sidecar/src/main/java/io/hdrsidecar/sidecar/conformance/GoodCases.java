package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.conformance.ClientConversation.Answers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Sidecars that do nothing wrong: transports, limits, wishes, and values of every kind. */
final class GoodCases {
  private static final int LEAST_BODY = 4096;
  private static final long WATCH_MILLIS = 300;
  private static final long HIGHEST = 1_000_000;

  private GoodCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        ConformanceCase.of("plain", "takes all", GoodCases::plain, Law.GOODBYE),
        ConformanceCase.of("unix", "listens at a Unix socket", GoodCases::unix, Law.GOODBYE),
        ConformanceCase.of("values", "is sent values at all edges", GoodCases::values),
        ConformanceCase.of(
            "expected-interval",
            "is sent what a stalled caller could not send",
            GoodCases::expectedInterval),
        ConformanceCase.of("labels", "is told common labels", GoodCases::labels),
        ConformanceCase.of("token", "asks for a token", GoodCases::token),
        ConformanceCase.of(
            "token-file",
            "refuses a token, and takes the one that is in the file then",
            GoodCases::tokenFile,
            Law.REFUSED_CONNECTION),
        limited("raw", "wants payloads raw", 1 << 20, 64, 0),
        limited("deflated", "wants payloads deflated at level 9", 1 << 20, 64, 9),
        limited("in-flight-1", "allows 1 interval in flight", 1 << 20, 1, 1),
        limited("in-flight-3", "allows 3 intervals in flight", 1 << 20, 3, 1),
        ConformanceCase.of(
            "longest-body", "allows bodies of 4 KiB, deflated and raw", GoodCases::longestBody),
        ConformanceCase.of(
            "smaller-body",
            "comes back with a longest body that an open interval does not fit",
            GoodCases::smallerBody),
        ConformanceCase.of("many-series", "is sent 300 series", GoodCases::manySeries),
        ConformanceCase.of("late", "comes after the client", GoodCases::late));
  }

  private static void plain(CaseStage stage) throws IOException, InterruptedException {
    stage.program().addOneOfEachKind();
    stage.start();
    stage.record(700);
    ClientConversation conversation = stage.connection();
    conversation.welcome();
    for (int i = 0; i < 20; i++) {
      Answers.ALL.take(conversation, conversation.interval("of what is recorded"));
      stage.record(100);
    }
    stage.closeAndFinish(conversation);
  }

  private static void unix(CaseStage stage) throws IOException, InterruptedException {
    stage.listen(KitListener.unix(stage.folder().resolve("ingest.sock")));
    stage.startWith(3, 300);
    stage.closeAndFinish();
  }

  private static void values(CaseStage stage) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    for (int digits = 0; digits <= 5; digits++) {
      long lowest = 1L << (2 * digits);
      String name = "conformance_digits_" + digits;
      SeriesPlan plan =
          stage.program().add(name, Unit.NONE, lowest, lowest * HIGHEST, digits, Labels.empty());
      long[] edges = {0, 1, lowest - 1, lowest, lowest * HIGHEST - 1, lowest * HIGHEST};
      for (long value : edges) {
        lines.add(stage.program().record(plan, value, 1));
      }
      lines.add(stage.program().record(plan, lowest * HIGHEST + 1, 3));
      lines.add(stage.program().record(plan, Long.MAX_VALUE, 2));
      lines.add(stage.program().record(plan, 12_345, 100_000));
    }
    stage.start();
    stage.tell(lines);
    stage.record(600);
    stage.closeAndFinish();
  }

  private static void expectedInterval(CaseStage stage) throws IOException, InterruptedException {
    ClientProgram program = stage.program();
    SeriesPlan calls =
        program.add("conformance_calls", Unit.NANOSECONDS, 1, HIGHEST, 3, Labels.of("a", "1"));
    stage.start();
    stage.tell(
        List.of(
            program.expected(calls, 50, 100),
            program.expected(calls, 100, 100),
            program.expected(calls, 199, 100),
            program.expected(calls, 200, 100),
            program.expected(calls, 999_999, 1_000)));
    stage.closeAndFinish();
  }

  private static void labels(CaseStage stage) throws IOException, InterruptedException {
    stage.variable("HDR_SIDECAR_LABELS", "service=shop,zone=Zürich-✓");
    stage.expected().commonLabels(Labels.of("service", "shop", "zone", "Zürich-✓"));
    stage.startWith(2, 40);
    stage.closeAndFinish();
  }

  private static void token(CaseStage stage) throws IOException, InterruptedException {
    stage.variable("HDR_SIDECAR_TOKEN", "of-the-kit");
    stage.expected().token("of-the-kit");
    stage.startWith(2, 40);
    stage.closeAndFinish();
  }

  /**
   * The file is written before the refusal, so a client that reads it for the next HELLO has the
   * new one.
   */
  private static void tokenFile(CaseStage stage) throws IOException, InterruptedException {
    Path file = stage.folder().resolve("token");
    Files.writeString(file, "old\n");
    stage.variable("HDR_SIDECAR_TOKEN_FILE", file.toString());
    stage.expected().token("old");
    stage.startWith(2, 40);
    ClientConversation refused = stage.connection();
    Files.writeString(file, "new\n");
    stage.expected().token("new");
    refused.refuse(RefusalCases.UNAUTHORIZED);
    refused.close();
    stage.closeAndFinish();
  }

  private static ConformanceCase limited(
      String name, String says, int body, int inFlight, int level) {
    return ConformanceCase.of(
        name,
        says,
        stage -> {
          stage.limits(body, inFlight, level);
          stage.startWith(8, 200);
          ClientConversation conversation = stage.connection();
          conversation.welcome();
          for (int i = 0; i < Math.min(inFlight, 8); i++) { // there are 8 series
            conversation.merge(conversation.interval("up to the in-flight limit"));
          }
          stage.record(80);
          conversation.watch(WATCH_MILLIS);
          conversation.ack(conversation.instance().highest());
          for (int i = 0; i < 20; i++) {
            stage.record(80); // waits behind the limit
            Answers.ALL.take(conversation, conversation.interval("of what is recorded"));
          }
          stage.closeAndFinish(conversation);
        });
  }

  private static void startWide(CaseStage stage) throws IOException {
    stage
        .program()
        .add("conformance_wide", Unit.NANOSECONDS, 1, 3_600_000_000_000L, 4, Labels.empty());
    stage.start();
    stage.record(6_000);
  }

  /** Its values come again, in parts under other numbers: no number has two contents. */
  private static void smallerBody(CaseStage stage) throws IOException, InterruptedException {
    stage.about(Law.LONGEST_BODY);
    stage.limits(1 << 20, 1, 0);
    startWide(stage);
    ClientConversation first = stage.connection();
    first.welcome();
    Arrival arrival = first.interval("of what is recorded");
    while (arrival.bodyBytes() <= LEAST_BODY) {
      stage.record(6_000);
      Answers.ALL.take(first, arrival);
      arrival = first.interval("of what is recorded");
    }
    first.instance().replaceOpen();
    first.cut();
    stage.limits(LEAST_BODY, 64, 0);
    stage.closeAndFinish();
  }

  private static void longestBody(CaseStage stage) throws IOException, InterruptedException {
    stage.limits(LEAST_BODY, 64, 0);
    startWide(stage);
    ClientConversation raw = stage.connection();
    raw.welcome();
    Answers.ALL.take(raw, raw.interval("of what is recorded"));
    stage.record(6_000);
    stage.closeAndFinish(raw);
  }

  private static void manySeries(CaseStage stage) throws IOException, InterruptedException {
    stage.limits(1 << 20, 7, 1);
    stage.startWith(300, 900);
    ClientConversation conversation = stage.connection();
    conversation.welcome();
    for (int i = 0; i < 100; i++) {
      Answers.ALL.take(conversation, conversation.interval("of what is recorded"));
    }
    stage.record(900);
    stage.closeAndFinish(conversation);
  }

  private static void late(CaseStage stage) throws IOException, InterruptedException {
    Path path = stage.folder().resolve("ingest.sock");
    stage.variable("HDR_SIDECAR_ADDRESS", "unix://" + path);
    stage.startWith(3, 60);
    stage.closeClient();
    stage.listen(KitListener.unix(path));
    stage.finish();
  }
}
