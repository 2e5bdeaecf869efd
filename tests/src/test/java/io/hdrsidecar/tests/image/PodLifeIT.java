package io.hdrsidecar.tests.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.RequiresDocker;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The life of a pod with a native sidecar, in a kubelet's order: the sidecar first, the application
 * when it is ready; at the end SIGTERM to the application, and when that has ended, to the sidecar.
 * What the application has counted itself is what is merged, scraped and kept.
 */
@RequiresDocker
final class PodLifeIT {
  private static final String RESPONSES = "checkout{kind=\"response\"}";
  private static final Pattern SUMMARY = Pattern.compile("shop calls=(\\d+) responses=(\\S+)");
  private static final long ENOUGH = 300;

  private Pod pod;

  @BeforeEach
  void makePod() throws Exception {
    pod = new Pod();
  }

  @AfterEach
  void removePod() throws Exception {
    pod.remove();
  }

  @Test
  void pod_thatIsDeleted_losesNoCount() throws Exception {
    pod.startSidecar("HDR_SIDECAR_DRAIN=30s");
    pod.awaitReady();
    try (PrometheusServer prometheus = PrometheusServer.scraping(pod.port())) {
      // More than the four callers can do, so that SIGTERM finds calls waiting, which are still
      // made.
      pod.startApplication("EXAMPLE_RATE=1200");
      awaitCalls(ENOUGH);

      pod.signal(Pod.APPLICATION, "TERM");
      assertThat(pod.await(Pod.APPLICATION)).isEqualTo(143);
      Histogram recorded = recordedByApplication();
      assertThat(counts(decode(pod.histogram(RESPONSES)))).isEqualTo(counts(recorded));

      pod.signal(Pod.SIDECAR, "TERM");
      assertThat(pod.await(Pod.SIDECAR)).as(pod.logs(Pod.SIDECAR)).isZero();
      assertThat(pod.logs(Pod.SIDECAR)).contains("event=last_scrape");

      double calls = recorded.getTotalCount();
      for (String kind : new String[] {"response", "service", "wait"}) {
        String scraped = "last_over_time(checkout_seconds{kind=\"" + kind + "\"}[1h])";
        Eventually.holds(
            () ->
                assertThat(prometheus.value("histogram_count(" + scraped + ")"))
                    .as(kind)
                    .isEqualTo(calls));
      }
      assertThat(calls).isGreaterThanOrEqualTo(ENOUGH);
    }
  }

  @Test
  void sidecarContainer_killedAndStartedAgain_goesOnWithItsJournal() throws Exception {
    killAndStartAgain();
  }

  /** As OpenShift's restricted-v2 starts them: a user of the namespace's range in group 0. */
  @Test
  void containers_ofAUserThatNoImageKnows_goOnWithTheJournal() throws Exception {
    pod.remove();
    pod = new Pod("1000680000:0", "1000680000:0", "1000680000");
    killAndStartAgain();
  }

  private void killAndStartAgain() throws Exception {
    String[] variables = {"HDR_SIDECAR_JOURNAL_DIRECTORY=/var/lib/hdr-sidecar/journal"};
    pod.startSidecar(variables);
    pod.awaitReady();
    pod.startApplication();
    awaitCalls(ENOUGH);

    pod.signal(Pod.SIDECAR, "KILL");
    assertThat(pod.await(Pod.SIDECAR)).isEqualTo(137);
    pod.restart(Pod.SIDECAR);
    pod.awaitReady();
    awaitCalls(3 * ENOUGH);

    pod.signal(Pod.APPLICATION, "TERM");
    pod.await(Pod.APPLICATION);
    assertThat(counts(decode(pod.histogram(RESPONSES)))).isEqualTo(counts(recordedByApplication()));
    assertThat(pod.state(Pod.SIDECAR, "OOMKilled")).isEqualTo("false");
  }

  private void awaitCalls(long calls) throws Exception {
    Eventually.holds(
        () ->
            assertThat(decode(pod.histogram(RESPONSES)).getTotalCount())
                .isGreaterThanOrEqualTo(calls));
  }

  /** As the application's own histogram has it, which no sidecar has seen. */
  private Histogram recordedByApplication() throws Exception {
    String log = pod.logs(Pod.APPLICATION);
    Matcher summary = SUMMARY.matcher(log);
    assertThat(summary.find()).as(log).isTrue();
    assertThat(log).doesNotContain("failed");
    Histogram recorded = decode(summary.group(2));
    assertThat(recorded.getTotalCount()).isEqualTo(Long.parseLong(summary.group(1)));
    return recorded;
  }

  private static Histogram decode(String base64) throws DataFormatException {
    return Histogram.decodeFromCompressedByteBuffer(
        ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0);
  }

  /** Counts by lowest value of their bucket. */
  private static Map<Long, Long> counts(Histogram histogram) {
    Map<Long, Long> counts = new TreeMap<>();
    for (HistogramIterationValue value : histogram.recordedValues()) {
      counts.put(
          histogram.lowestEquivalentValue(value.getValueIteratedTo()),
          value.getCountAtValueIteratedTo());
    }
    return counts;
  }
}
