package io.hdrsidecar.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Machine MACHINE =
      new Machine("peers", "a machine", LocalDateTime.of(2026, 1, 2, 3, 4), "0.1");
  private static final Point POINT = new Point(1_000_000, 100);
  private static final Point FASTER = new Point(5_000_000, 100);
  private static final List<Double> NO_ERRORS = Collections.nCopies(4, Double.NaN);

  @Test
  void text_twoPeers_takesTheLoopAwayAndGivesTheRatio() {
    // Ten million events: the loop 1 s, ours 2 s and 3 s beside, theirs 21 s and 20 s beside.
    String text =
        report(
            result(Peer.NONE, POINT, 1, 0, 0),
            result(Peer.HDR_SIDECAR, POINT, 2, 3, 0),
            result(Peer.STATSD_UDP, POINT, 21, 20, 0));

    assertThat(text)
        .contains("| *the loop alone* | 1,000,000 | 0.100 |")
        .contains("| **hdr-sidecar** | 1,000,000 | 0.200 | 0.100 | 0.300 | 0.400 | 1.00 |")
        .contains("| statsd, UDP | 1,000,000 | 2.10 | 2.00 | 2.00 | 4.00 | 10.0 |")
        .contains("| 10.0 times: **not met** |")
        .contains("2026-01-02");
  }

  @Test
  void text_peerLost_saysHowMuchWhereItIsJudged() {
    String text =
        report(
            result(Peer.NONE, POINT, 0, 0, 0),
            result(Peer.HDR_SIDECAR, POINT, 1, 1, 0),
            result(Peer.STATSD_UDP, POINT, 50, 50, 2_500_000));

    assertThat(text)
        .contains("| 2,500,000 of 10,000,000 (25.0 %) |")
        .contains(
            "| 50.0 times, and 66.7 times for an event that was counted, as it lost 25.0 %: met |");
  }

  @Test
  void text_twoRates_judgesWhetherTheCostFalls() {
    PointResult loop = result(Peer.NONE, POINT, 0, 0, 0);
    PointResult fasterLoop = result(Peer.NONE, FASTER, 0, 0, 0);
    PointResult ours = result(Peer.HDR_SIDECAR, POINT, 2, 0, 0);

    assertThat(report(loop, ours, fasterLoop, result(Peer.HDR_SIDECAR, FASTER, 1, 0, 0)))
        .contains("0.200 at 1,000,000 → 0.100 at 5,000,000: met |");
    assertThat(report(loop, ours, fasterLoop, result(Peer.HDR_SIDECAR, FASTER, 3, 0, 0)))
        .contains("0.200 at 1,000,000 → 0.300 at 5,000,000: **not met** |");
  }

  @Test
  void text_tooSlow_saysWhatWasReached() {
    assertThat(report(result(Peer.MICROMETER, FASTER, 1, 0, 0)))
        .contains("| 1,000,000 **(too slow)** |");
  }

  private static String report(PointResult... results) {
    return new Report(MACHINE, List.of(results), List.of(), 10, 8).text();
  }

  /** Ten million events in ten seconds. */
  private static PointResult result(
      Peer peer, Point point, double applicationCpu, double besideCpu, long lost) {
    long events = 10_000_000;
    return new PointResult(
        peer,
        point,
        10,
        events,
        applicationCpu,
        besideCpu,
        1 << 20,
        besideCpu > 0 ? 1 << 20 : 0,
        events,
        events - lost,
        0,
        NO_ERRORS,
        NO_ERRORS,
        1000,
        1000,
        1,
        0);
  }
}
