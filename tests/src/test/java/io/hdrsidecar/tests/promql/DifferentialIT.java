package io.hdrsidecar.tests.promql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.hdrsidecar.tests.support.RequiresPrograms;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries over one load, asked of a sidecar and of a real Prometheus that know the same, at
 * one moment or at steps. Counts, sums and means must be equal; percentiles must lie in the bucket
 * in which Prometheus has them, and within 0.1 % of the value in the sorted list; or the sidecar
 * refuses the query. {@code -Dhdr.promql.queries=10000} and {@code -Dhdr.promql.seed=N}.
 */
@RequiresDocker
@RequiresPrograms("prometheus-write")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class DifferentialIT {
  private static final long SEED = Long.getLong("hdr.promql.seed", System.nanoTime() & 0xffffff);
  private static final int QUERIES = Integer.getInteger("hdr.promql.queries", 400);

  /** Of the queries that are asked here, at least so many must be answered, not refused. */
  private static final double LEAST_ANSWERED = 0.8;

  @RegisterExtension final Processes processes = new Processes();

  private final RecordedLoad load = RecordedLoad.ended(SEED);
  private PrometheusServer prometheus;

  @BeforeAll
  void write() throws Exception {
    prometheus = PrometheusServer.scrapingJobs("", "groups: []");
    load.write(prometheus);
  }

  @AfterAll
  void stop() {
    prometheus.close();
  }

  @Test
  void randomQueries_askedOfBoth_areAnsweredExactlyOrWithinOrRefused() throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    load.send(sidecar);

    askAll("memory", sidecar, QUERIES);
  }

  /** What a kill leaves, read from files: its memory for the past has no room for all of it. */
  @Test
  void randomQueries_askedOfASidecarStartedAgain_areAnsweredFromItsJournal(@TempDir Path journal)
      throws Exception {
    String[] options = {"--journal-directory=" + journal, "--history-max-memory=1MiB"};
    SidecarProcess killed = processes.sidecar(0, options);
    load.send(killed);
    killed.kill();

    askAll("journal", processes.sidecar(0, options), QUERIES / 4);
  }

  /** Steps of ranges are remembered; what arrives late must still be in them. */
  @Test
  void ranges_askedAgain_haveWhatHasArrivedSince() throws Exception {
    SidecarProcess sidecar = processes.sidecar();
    RecordedLoad early = load.only(second -> !isLate(second));
    early.send(sidecar);
    RandomQueries questions = new RandomQueries(load, SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    Map<PromqlQuery, AskedMoments> ranges = new LinkedHashMap<>();
    while (ranges.size() < QUERIES / 4) {
      PromqlQuery question = questions.next();
      if (question.outer().isEmpty() && question.window().kind() != Window.Kind.TOTAL) {
        ranges.put(question, range(questions, random));
      }
    }
    Differential differential = new Differential(address(sidecar), "");
    for (int i = 0; i < 2; i++) {
      for (Map.Entry<PromqlQuery, AskedMoments> range : ranges.entrySet()) {
        differential.askAlone(range.getKey(), range.getValue(), early);
      }
    }
    load.only(DifferentialIT::isLate).send(sidecar);
    for (Map.Entry<PromqlQuery, AskedMoments> range : ranges.entrySet()) {
      differential.askAlone(range.getKey(), range.getValue(), load);
      differential.askAlone(range.getKey(), range.getValue().aStepLater(), load);
    }
    verify("late", differential);
  }

  /** Some of the second half, so that nobody can forget all there is. */
  private static boolean isLate(int second) {
    return second > RecordedLoad.SECONDS / 2 && second % 3 == 0;
  }

  private void askAll(String past, SidecarProcess sidecar, int queries) throws Exception {
    Differential differential = new Differential(address(sidecar), prometheus.url());
    RandomQueries questions = new RandomQueries(load, SEED);
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < queries; i++) {
      PromqlQuery question = questions.next();
      differential.ask(question, moments(question, questions, random), load);
    }
    verify(past, differential);
  }

  private static String address(SidecarProcess sidecar) {
    return "http://127.0.0.1:" + sidecar.httpPort() + "/prometheus";
  }

  private static void verify(String past, Differential differential) throws Exception {
    String report = "promql: past=%s seed=%d %s".formatted(past, SEED, differential);
    System.out.print(report);
    Files.writeString(
        Files.createDirectories(Path.of("target")).resolve("promql-" + past + ".txt"),
        report + String.join("\n", differential.wrong()));

    assertThat(differential.wrong()).as("seed %d", SEED).isEmpty();
    assertThat(differential.answered()).isGreaterThan(LEAST_ANSWERED);
  }

  /** What was counted since the start of a series is known now: it has started by being sent. */
  private static AskedMoments moments(
      PromqlQuery question, RandomQueries questions, SplittableRandom random) {
    if (question.window().kind() == Window.Kind.TOTAL) {
      return new AskedMoments(System.currentTimeMillis(), 1, 1000);
    }
    return random.nextInt(4) > 0
        ? new AskedMoments(questions.moment(), 1, 1000)
        : range(questions, random);
  }

  private static AskedMoments range(RandomQueries questions, SplittableRandom random) {
    return new AskedMoments(questions.moment(), 2 + random.nextInt(8), random.nextInt(1, 8) * 500L);
  }
}
