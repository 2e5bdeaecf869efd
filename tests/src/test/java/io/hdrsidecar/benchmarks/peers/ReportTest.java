package io.hdrsidecar.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.benchmarks.peers.beside.ClientLosses;
import java.time.LocalDateTime;
import java.util.ArrayList;
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
    String text = report(loop(1), ours(2, 3), result(Peer.STATSD_UDP, POINT, 21, 20, 0));

    assertThat(text)
        .contains("| *the loop alone* | 1,000,000 | 0.100 |")
        .contains("| **hdr-sidecar** | 1,000,000 | 0.200 | 0.100 | 0.300 | 0.400 | 1.00 | 0 |")
        .contains("| statsd, UDP | 1,000,000 | 2.10 | 2.00 | 2.00 | 4.00 | 10.0 | 0 |")
        .contains("| 10.0 times: **not met** |")
        .contains("2026-01-02");
  }

  @Test
  void text_peerLost_saysHowMuchWhereItIsJudged() {
    String text = report(loop(0), ours(1, 1), result(Peer.STATSD_UDP, POINT, 50, 50, 2_500_000));

    assertThat(text)
        .contains(
            "| 2,500,000 of 10,000,000 (25.0 %): client's queue 500,000, transport or exporter"
                + " 2,000,000 (3 packets not sent) |")
        .contains(
            "| 50.0 times, and 66.7 times for an event that was counted, as it lost 25.0 %: met |");
  }

  @Test
  void text_peerBehind_saysSoAndGivesTheRatioWithTheRest() {
    // Four of ten million events were missing at the end, two of them for good.
    String text =
        report(loop(0), ours(1, 1), result(Peer.STATSD_UDP, POINT, 5, 5, 2_000_000, 4_000_000, 10));

    assertThat(text)
        .contains("| 1.00 | 5.00 | 1.00, **2,000,000 events late** |")
        .contains(
            "| 5.00 times, 10.0 times with what both used afterwards, as 2,000,000 of its events"
                + " were late, and 12.5 times for an event that was counted, as it lost 20.0 %:"
                + " **not met** |");
  }

  @Test
  void text_twoRates_judgesWhetherTheCostFalls() {
    PointResult loop = loop(0);
    PointResult fasterLoop = result(Peer.NONE, FASTER, 0, 0, 0);
    PointResult ours = ours(2, 0);

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

  @Test
  void text_costLessThanCanBeTold_givesABoundAndNoRatio() {
    // 0.05 s of ten million events is 0.005 s for a million.
    String text =
        report(
            loop(1.02),
            ours(2, 0),
            result(Peer.CLIENT_JAVA, POINT, 1, 0, 0), // less than the loop alone
            result(Peer.MICROMETER, POINT, 1.06, 0, 0)); // more, by less than can be told

    assertThat(text)
        .contains("| Prometheus native | 1,000,000 | 0.100 | -0.00200 |  | < 0.00500 | – |")
        .contains("| Micrometer percentiles | 1,000,000 | 0.106 | 0.00400 |  | < 0.00500 | – |")
        .contains(
            "Micrometer percentiles costs at least 10 times hdr-sidecar's at "
                + POINT
                + " | not measured |");
  }

  @Test
  void text_oursCheaperThanCanBeTold_isInNoRatioAndNoGoal() {
    String text = report(loop(2), ours(1, 0), result(Peer.OTLP, POINT, 9, 9, 0));

    assertThat(text)
        .contains("| OpenTelemetry | 1,000,000 | 0.900 | 0.700 | 0.900 | 1.60 | – |")
        .contains("OpenTelemetry costs at least 4 times hdr-sidecar's at " + POINT + " | not");
  }

  @Test
  void text_seriesSlope_isJudgedByWhatAFurtherOneTakes() {
    // A tenth of a second each second is 0.1 s for 100,000 events: 100 → 1,000 costs 100 µs each.
    assertThat(seriesReport(0.01, 0.10, 1.00))
        .contains("| 100 µs a second and further series up to 1,000 → 100 up to 10,000: met |");
    assertThat(seriesReport(0.01, 0.10, 1.90)).contains("→ 200 up to 10,000: **not met** |");
    assertThat(seriesReport(0.01, 0.10)).contains("than from 100 to 1,000 (100k events/s) | not");
  }

  /** Our processor time in each second, with 100, 1,000 and 10,000 series. */
  private static String seriesReport(double... cpuPerSecond) {
    List<PointResult> results = new ArrayList<>();
    int series = 100;
    for (double cpu : cpuPerSecond) {
      Point point = new Point(100_000, series);
      results.add(result(Peer.NONE, point, 0, 0, 0));
      // Ten million events are a hundred seconds of them.
      results.add(result(Peer.HDR_SIDECAR, point, 100 * cpu, 0, 0));
      series *= 10;
    }
    return report(results.toArray(PointResult[]::new));
  }

  @Test
  void text_threeRounds_showsTheMedianWithLeastAndMost() {
    String text = report(loop(0), result(Peer.HDR_SIDECAR, POINT, 4, 0, 7), ours(1, 0), ours(2, 0));

    assertThat(text)
        .containsOnlyOnce("| **hdr-sidecar** |")
        .contains("| 0.200 (0.100–0.400) | 1.00 |")
        .contains("| 0, in another round 7 |");
  }

  private static String report(PointResult... results) {
    return new Report(MACHINE, List.of(results), List.of(), 10, 8, 1).text();
  }

  private static PointResult loop(double cpu) {
    return result(Peer.NONE, POINT, cpu, 0, 0);
  }

  private static PointResult ours(double applicationCpu, double besideCpu) {
    return result(Peer.HDR_SIDECAR, POINT, applicationCpu, besideCpu, 0);
  }

  /** Ten million events in ten seconds. */
  private static PointResult result(
      Peer peer, Point point, double applicationCpu, double besideCpu, long lost) {
    return result(peer, point, applicationCpu, besideCpu, lost, lost, 0);
  }

  private static PointResult result(
      Peer peer,
      Point point,
      double applicationCpu,
      double besideCpu,
      long lost,
      long behind,
      double restCpu) {
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
        behind,
        restCpu,
        peer == Peer.STATSD_UDP ? new ClientLosses(lost / 5, 3) : null,
        0,
        NO_ERRORS,
        NO_ERRORS,
        1000,
        1000,
        1,
        0);
  }
}
