package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameType;
import java.io.IOException;
import java.util.List;

/**
 * Connections that are cut within a frame, at one place after another, by a reset and by an orderly
 * end in turn. Of the client's frames the place says how far the kit reads, of its own how much it
 * sends.
 */
final class CutCases {
  private static final int HEADER_BYTES = 8;

  private CutCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        cut("cut-in-hello", "HELLO", stage -> readingCuts(stage, FrameType.HELLO, 64, 4)),
        cut("cut-in-series", "SERIES", stage -> readingCuts(stage, FrameType.SERIES, 110, 6)),
        cut("cut-in-interval", "INTERVAL", stage -> readingCuts(stage, FrameType.INTERVAL, 200, 8)),
        cut("cut-in-health", "HEALTH", stage -> cutAtTheEnd(stage, FrameType.HEALTH)),
        cut("cut-in-goodbye", "GOODBYE", stage -> cutAtTheEnd(stage, FrameType.GOODBYE)),
        cut("cut-in-welcome", "WELCOME", CutCases::cutInWelcome),
        cut("cut-in-ack", "ACK", CutCases::cutInAck),
        cut("cut-in-reject", "REJECT", CutCases::cutInReject));
  }

  private static ConformanceCase cut(String name, String frame, Script script) {
    String says = "cuts connections within " + frame;
    return ConformanceCase.of(name, says, script, Law.RESEND);
  }

  private static void readingCuts(CaseStage stage, FrameType type, int last, int step)
      throws IOException, InterruptedException {
    stage.about(Law.RESEND);
    for (int place = HEADER_BYTES; place < last; place += step) {
      stage.cutLater(type, place);
    }
    stage.startWith(2, 40);
    while (stage.cutsLeft() > 0) {
      ClientConversation conversation = stage.connection();
      conversation.welcome();
      conversation.readOn();
    }
    stage.closeAndFinish();
  }

  /** Frames of the end come once; how far they are read follows from the seed. */
  private static void cutAtTheEnd(CaseStage stage, FrameType type)
      throws IOException, InterruptedException {
    stage.cutLater(type, stage.random().nextInt(HEADER_BYTES, HEADER_BYTES + 40));
    stage.startWith(2, 40);
    stage.closeAndFinish();
  }

  private static void cutInWelcome(CaseStage stage) throws IOException, InterruptedException {
    stage.startWith(2, 40);
    for (int place = 0; place <= 30; place++) {
      ClientConversation conversation = stage.connection();
      conversation.send(conversation.welcomeBytes(), place);
      conversation.cut();
    }
    stage.closeAndFinish();
  }

  /** It is merged, but a sidecar whose journal is not written yet does not say so in WELCOME. */
  private static void cutInAck(CaseStage stage) throws IOException, InterruptedException {
    stage.about(Law.RESEND);
    stage.startWith(2, 40);
    for (int place = 0; place < 20; place++) {
      ClientConversation conversation = stage.connection();
      conversation.welcome();
      Arrival arrival = conversation.interval("that was sent before, again");
      conversation.merge(arrival);
      conversation.send(SpoiledFrames.ack(arrival.sequence()), place);
      conversation.cut();
    }
    stage.closeAndFinish();
  }

  private static void cutInReject(CaseStage stage) throws IOException, InterruptedException {
    stage.about(Law.RESEND);
    stage.startWith(2, 40);
    Frame.Reject.Scope[] scopes = Frame.Reject.Scope.values();
    for (int place = 0; place < 60; place += 3) {
      ClientConversation conversation = stage.connection();
      conversation.welcome();
      Arrival arrival = conversation.interval("that was sent before, again");
      Frame.Reject.Scope scope = scopes[place % scopes.length];
      long reference = scope == Frame.Reject.Scope.SERIES ? arrival.seriesId() : arrival.sequence();
      byte[] reject =
          SpoiledFrames.reject(scope, reference, RefusalCases.MEMORY_LIMIT, "x".repeat(60));
      conversation.send(reject, place);
      conversation.cut();
    }
    stage.closeAndFinish();
  }
}
