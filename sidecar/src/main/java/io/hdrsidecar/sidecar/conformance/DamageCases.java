package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.sidecar.conformance.ClientConversation.Answers;
import java.io.IOException;
import java.util.List;

/** Answers whose bytes are wrong. None of them may be acted upon, or waited for. */
final class DamageCases {
  private static final int HOUR_MILLIS = 3_600_000;
  private static final int WELCOME_BITS = 31 * 8;
  private static final int ACK_BITS = 20 * 8;
  private static final int HIGHEST_TYPE = 9;

  private DamageCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        damage("damaged-welcome", "flips a bit of WELCOME", DamageCases::welcome),
        damage("damaged-ack", "flips a bit of an ACK", DamageCases::ack),
        damage("no-frames", "answers with what is no frame for a client", DamageCases::noFrames));
  }

  private static ConformanceCase damage(String name, String says, Script script) {
    return ConformanceCase.of(
        name,
        says,
        stage -> {
          stage.about(Law.DAMAGE);
          stage.setting("stall_timeout_ms", HOUR_MILLIS); // It has to see the damage itself.
          stage.limits(1 << 20, 1, 1);
          script.play(stage);
        },
        Law.DAMAGE,
        Law.RESEND);
  }

  private static void welcome(CaseStage stage) throws IOException, InterruptedException {
    stage.startWith(2, 40);
    for (int bit = stage.random().nextInt(9); bit < WELCOME_BITS; bit += 9) {
      ClientConversation damaged = stage.connection();
      damaged.send(SpoiledFrames.flipped(damaged.welcomeBytes(), bit));
      damaged.readOnWithoutIntervals(Law.DAMAGE, "after a damaged WELCOME, bit " + bit);
    }
    stage.closeAndFinish();
  }

  /** A client that believes the ACK sends the next interval, or never this one again. */
  private static void ack(CaseStage stage) throws IOException, InterruptedException {
    stage.startWith(2, 40);
    for (int bit = stage.random().nextInt(7); bit < ACK_BITS; bit += 7) {
      ClientConversation damaged = stage.connection();
      damaged.welcome();
      Arrival arrival = damaged.interval("that was sent before, again");
      damaged.send(SpoiledFrames.flipped(SpoiledFrames.ack(arrival.sequence()), bit));
      damaged.readOnWithoutIntervals(Law.DAMAGE, "after a damaged ACK, bit " + bit);
    }
    stage.closeAndFinish();
  }

  private static void noFrames(CaseStage stage) throws IOException, InterruptedException {
    stage.startWith(2, 40);
    byte[] eight = new byte[8];
    byte[][] wrong = {
      SpoiledFrames.NOT_A_FRAME,
      SpoiledFrames.frame(HIGHEST_TYPE, eight),
      SpoiledFrames.frame(0, eight),
      SpoiledFrames.frame(5, eight, Integer.MAX_VALUE),
      SpoiledFrames.frame(5, eight, -1),
      SpoiledFrames.frame(5, new byte[7]),
      SpoiledFrames.frame(4, new byte[80]),
      SpoiledFrames.frame(6, new byte[3]),
    };
    for (byte[] bytes : wrong) {
      ClientConversation early = stage.connection();
      early.send(bytes);
      early.readOnWithoutIntervals(Law.DAMAGE, "after what is no WELCOME");

      ClientConversation open = stage.connection();
      open.welcome();
      open.interval("that was sent before, again");
      open.send(bytes);
      open.readOnWithoutIntervals(Law.DAMAGE, "after what is no answer");
    }
    twoWelcomes(stage);
    stage.closeAndFinish();
  }

  private static void twoWelcomes(CaseStage stage) throws IOException {
    ClientConversation ackFirst = stage.connection();
    ackFirst.send(SpoiledFrames.ack(0));
    ackFirst.readOnWithoutIntervals(Law.DAMAGE, "after an ACK in place of WELCOME");
    ClientConversation twice = stage.connection();
    twice.welcome();
    Answers.ALL.take(twice, twice.interval("that was sent before, again"));
    twice.send(twice.welcomeBytes());
    twice.readOn();
  }
}
