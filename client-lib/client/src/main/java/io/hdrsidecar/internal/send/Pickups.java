package io.hdrsidecar.internal.send;

import java.util.ArrayList;
import java.util.List;

/** What earlier clients have left, in the folders of this one. The thread that turns. */
final class Pickups {
  private final List<SpillSender> senders = new ArrayList<>();

  Pickups(SendConfig config, StateLog log) {
    SpillConfig spill = config.spill();
    if (spill != null && spill.picksUp()) {
      senders.add(new SpillSender(spill.folder(), config, log));
    }
    CrashConfig crash = config.crash();
    if (crash != null && crash.picksUp()) {
      senders.add(new SpillSender(crash.folder().folder(), config, log));
    }
  }

  /** The sidecar is there. */
  void startIfDue(long now) {
    senders.forEach(sender -> sender.startIfDue(now));
  }

  /** Adds up what came of it. */
  void collect(SendTally tally) {
    senders.forEach(sender -> sender.collect(tally));
  }

  /** Leaves the rest to others. */
  void stop() {
    senders.forEach(SpillSender::stop);
  }
}
