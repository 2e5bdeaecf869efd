package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.sidecar.conformance.ClientConversation.Answers;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Answers that come late, in pieces, several times, not at all, or of a later version. */
final class AnswerCases {
  private static final int IN_FLIGHT = 4;
  private static final int STALL_MILLIS = 300;
  private static final int UNKNOWN_REASON = 999;

  private AnswerCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        ConformanceCase.of(
            "late-answers",
            "answers when the in-flight limit is reached, with all ACKs in one write",
            AnswerCases::late),
        ConformanceCase.of("lost-answers", "sends one ACK for three", AnswerCases::lost),
        ConformanceCase.of(
            "repeated-answers",
            "sends each ACK three times, and old ones behind it",
            AnswerCases::repeated),
        ConformanceCase.of("single-bytes", "answers byte by byte", AnswerCases::singleBytes),
        ConformanceCase.of(
            "silent-welcome",
            "takes connections and says nothing",
            AnswerCases::silentBeforeWelcome,
            Law.SILENCE),
        ConformanceCase.of(
            "silent-ack",
            "welcomes, takes intervals and says nothing",
            AnswerCases::silentAfterWelcome,
            Law.SILENCE,
            Law.RESEND),
        ConformanceCase.of(
            "later-versions",
            "says more than this version knows",
            AnswerCases::laterVersions,
            Law.LATER_VERSIONS));
  }

  private static void late(CaseStage stage) throws IOException, InterruptedException {
    stage.limits(1 << 20, IN_FLIGHT, 1);
    stage.about(Law.IN_FLIGHT_LIMIT);
    stage.startWith(10, 200);
    ClientConversation conversation = stage.connection();
    conversation.welcome();
    List<Arrival> held = new ArrayList<>();
    for (int i = 0; i < 5 * IN_FLIGHT; i++) {
      Arrival arrival = conversation.interval("up to the in-flight limit");
      conversation.merge(arrival);
      held.add(arrival);
      stage.record(20);
      if (held.size() == IN_FLIGHT) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Arrival one : held) {
          conversation.settles(one.sequence());
          all.writeBytes(SpoiledFrames.ack(one.sequence()));
        }
        conversation.send(all.toByteArray());
        held.clear();
      }
    }
    stage.closeAndFinish(conversation);
  }

  private static void lost(CaseStage stage) throws IOException, InterruptedException {
    stage.startWith(6, 120);
    ClientConversation conversation = stage.connection();
    conversation.welcome();
    for (int i = 1; i <= 30; i++) {
      Arrival arrival = conversation.interval("of what is recorded");
      conversation.merge(arrival);
      if (i % 3 == 0) {
        conversation.ack(arrival.sequence());
        stage.record(30);
      }
    }
    stage.closeAndFinish(conversation);
  }

  private static void repeated(CaseStage stage) throws IOException, InterruptedException {
    stage.startWith(6, 120);
    ClientConversation conversation = stage.connection();
    conversation.welcome();
    for (int i = 0; i < 20; i++) {
      Arrival arrival = conversation.interval("of what is recorded");
      conversation.merge(arrival);
      conversation.ack(arrival.sequence());
      conversation.ack(arrival.sequence());
      conversation.falseAck(0);
      conversation.falseAck(arrival.sequence() - 1);
      conversation.ack(arrival.sequence());
      stage.record(20);
    }
    stage.closeAndFinish(conversation);
  }

  private static void singleBytes(CaseStage stage) throws IOException, InterruptedException {
    stage.startWith(4, 80);
    ClientConversation conversation = stage.connection();
    conversation.trickle();
    conversation.welcome();
    for (int i = 0; i < 10; i++) {
      Answers.ALL.take(conversation, conversation.interval("of what is recorded"));
      stage.record(20);
    }
    stage.closeAndFinish(conversation);
  }

  private static void silentBeforeWelcome(CaseStage stage)
      throws IOException, InterruptedException {
    stage.about(Law.SILENCE);
    stage.setting("stall_timeout_ms", STALL_MILLIS);
    stage.startWith(2, 40);
    for (int i = 0; i < 2; i++) {
      stage
          .connection()
          .readOnWithoutIntervals(Law.IN_FLIGHT_LIMIT, "before WELCOME states an in-flight limit");
    }
    stage.closeAndFinish();
  }

  private static void silentAfterWelcome(CaseStage stage) throws IOException, InterruptedException {
    stage.about(Law.SILENCE);
    stage.setting("stall_timeout_ms", STALL_MILLIS);
    stage.startWith(2, 40);
    for (int i = 0; i < 2; i++) {
      ClientConversation silent = stage.connection();
      silent.welcome();
      silent.readOn();
    }
    stage.closeAndFinish();
  }

  private static void laterVersions(CaseStage stage) throws IOException, InterruptedException {
    stage.about(Law.LATER_VERSIONS);
    stage.limits(1 << 20, 1, 1);
    stage.startWith(4, 80);
    ClientConversation first = stage.connection();
    first.send(SpoiledFrames.longerWelcome(first.welcomeBytes()));
    for (int i = 0; i < 6; i++) {
      Arrival arrival = first.interval("after a WELCOME and ACKs that are longer than drawn");
      first.merge(arrival);
      first.settles(arrival.sequence());
      first.send(SpoiledFrames.longerAck(arrival.sequence()));
      stage.record(20);
    }
    first.refuse(first.interval("to refuse"), UNKNOWN_REASON);
    stage.record(20);
    first.refuseSeries(first.interval("after an unknown reason"), UNKNOWN_REASON);
    stage.record(40);
    Arrival last = first.interval("after an unknown reason");
    first.merge(last);
    first.send(
        SpoiledFrames.reject(Frame.Reject.Scope.CONNECTION, 0, UNKNOWN_REASON, "not known yet"));
    first.readOnWithoutIntervals(Law.REFUSED_CONNECTION, "on a refused connection");
    stage.closeAndFinish();
  }
}
