package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.sidecar.conformance.ClientConversation.Answers;
import java.io.IOException;
import java.util.List;

/** What is settled, as sidecars say that were killed, restarted, or robbed of a client's name. */
final class NumberCases {
  private static final int MANY = 1000;

  private NumberCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        ConformanceCase.of(
            "ack-lost",
            "merges and ends before the ACK, which WELCOME then covers",
            NumberCases::ackLost,
            Law.RESEND),
        ConformanceCase.of(
            "killed",
            "ends with intervals that it has not merged",
            NumberCases::killed,
            Law.RESEND),
        ConformanceCase.of(
            "restart-empty",
            "starts again and knows no number",
            stage -> restarted(stage, Long.MAX_VALUE),
            Law.RESEND),
        ConformanceCase.of(
            "restart-lower",
            "starts again with a lower number than it acknowledged",
            stage -> restarted(stage, 2),
            Law.RESEND),
        ConformanceCase.of(
            "ack-too-high",
            "acknowledges what was never sent",
            NumberCases::ackTooHigh,
            Law.IMPOSSIBLE,
            Law.RESEND),
        ConformanceCase.of(
            "numbers-taken",
            "has settled more than was sent; nothing is open",
            stage -> numbersTaken(stage, false),
            Law.IMPOSSIBLE),
        ConformanceCase.of(
            "numbers-taken-open",
            "has settled more than was sent; an interval is open",
            stage -> numbersTaken(stage, true),
            Law.IMPOSSIBLE));
  }

  private static void ackLost(CaseStage stage) throws IOException, InterruptedException {
    stage.startWith(4, 80);
    for (int i = 0; i < 6; i++) {
      ClientConversation conversation = stage.connection();
      conversation.welcome();
      for (int merged = 0; merged < 3; merged++) {
        Arrival arrival = conversation.interval("of what is recorded");
        conversation.merge(arrival);
        conversation.settles(arrival.sequence());
        stage.record(40);
      }
      conversation.cut();
    }
    stage.closeAndFinish();
  }

  private static void killed(CaseStage stage) throws IOException, InterruptedException {
    stage.about(Law.RESEND);
    stage.startWith(5, 100);
    for (int i = 0; i < 6; i++) {
      ClientConversation conversation = stage.connection();
      conversation.welcome();
      Answers.ALL.take(conversation, conversation.interval("of what is recorded"));
      stage.record(50);
      for (int open = 0; open <= i; open++) {
        conversation.interval("up to the in-flight limit");
        stage.record(50);
      }
      conversation.cut();
    }
    stage.closeAndFinish();
  }

  /** What is open stays open: the client still has it, and only that. */
  private static void restarted(CaseStage stage, long lower)
      throws IOException, InterruptedException {
    stage.about(Law.RESEND);
    stage.startWith(5, 100);
    for (int i = 0; i < 4; i++) {
      ClientConversation conversation = stage.connection();
      conversation.welcome(Math.max(0, conversation.instance().settled - lower));
      for (int settled = 0; settled < 4; settled++) {
        Answers.ALL.take(conversation, conversation.interval("of what is recorded"));
        stage.record(50);
      }
      conversation.interval("up to the in-flight limit");
      conversation.cut();
    }
    stage.closeAndFinish();
  }

  private static void ackTooHigh(CaseStage stage) throws IOException, InterruptedException {
    stage.about(Law.IMPOSSIBLE);
    stage.startWith(4, 80);
    for (int i = 0; i < 4; i++) {
      ClientConversation conversation = stage.connection();
      conversation.welcome();
      Arrival arrival = conversation.interval("of what is recorded");
      conversation.falseAck(arrival.sequence() + MANY * (i + 1L));
      conversation.readOn();
      stage.record(40);
    }
    stage.closeAndFinish();
  }

  /** With an in-flight limit of 1 the kit has read all that was sent. */
  private static void numbersTaken(CaseStage stage, boolean leavesOneOpen)
      throws IOException, InterruptedException {
    stage.about(Law.IMPOSSIBLE);
    stage.limits(1 << 20, 1, 1);
    stage.startWith(3, 60);
    ClientConversation first = stage.connection();
    first.welcome();
    for (int i = 0; i < 3; i++) {
      Answers.ALL.take(first, first.interval("of what is recorded"));
      stage.record(30);
    }
    KnownInstance robbed = first.instance();
    Arrival open = first.interval("of what is recorded");
    if (leavesOneOpen) {
      robbed.abandonOpen();
    } else {
      first.merge(open);
      first.settles(open.sequence());
    }
    first.cut();

    ClientConversation second = stage.connection();
    stage.expected().mayStartOver();
    second.welcome(robbed.highest() + MANY);
    second.readOnWithoutIntervals(Law.IMPOSSIBLE, "under numbers that somebody else has used");

    stage.record(30);
    ClientConversation third = stage.connection();
    if (third.instance() == robbed) {
      String came = "the instance whose numbers are taken";
      stage.ledger().breach(Law.IMPOSSIBLE, "a new instance", came, "connection 3");
    }
    third.welcome();
    stage.closeAndFinish(third);
  }
}
