package io.hdrsidecar.benchmarks.peers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** One short point with those that need no further program: what must hold whatever the times. */
class PeersIT {
  private static final double THREE_DIGITS = 1e-3;

  @Test
  void call_onePoint_countsAllOfOursWithinThreeDigitsAndWritesATable(@TempDir Path folder)
      throws Exception {
    Path file = folder.resolve("RESULTS.md");
    Peers peers = new Peers();
    int exit =
        new CommandLine(peers)
            .execute(
                "--peers=hdr-sidecar,client_java",
                "--rates=100k",
                "--series=100",
                "--seconds=2",
                "--warm-up=1",
                "--output=" + file);

    assertThat(exit).isZero();
    assertThat(peers.results())
        .extracting(PointResult::peer)
        .containsExactly(Peer.NONE, Peer.HDR_SIDECAR, Peer.CLIENT_JAVA);
    for (PointResult result : peers.results()) {
      assertThat(result.lost()).as("lost by %s", result.peer()).isZero();
      assertThat(result.steadyEvents()).isPositive().isLessThan(result.recorded());
    }
    PointResult ours = peers.results().get(1);
    // A gauge is the highest value of its bucket, but the maximum, which is exact.
    assertThat(ours.errors().subList(0, 3)).allMatch(e -> e >= 0 && e <= THREE_DIGITS);
    assertThat(ours.errors().get(3)).isBetween(-1e-9, 1e-9);
    // Of a native histogram the bucket is right: schema 3 is 9.05 % wide.
    assertThat(ours.nativeErrors()).allMatch(e -> Math.abs(e) < 0.0906);
    assertThat(peers.results().get(2).errors()).allMatch(e -> Math.abs(e) < 0.0906);
    assertThat(ours.wireBytes()).isPositive();
    assertThat(ours.besidePeak()).isPositive();
    assertThat(rows(file)).containsExactly("*the loop alone*", title(ours), "Prometheus native");
  }

  private static String title(PointResult ours) {
    return "**" + ours.peer().title() + "**";
  }

  /** First column of the table of the point. */
  private static List<String> rows(Path file) throws Exception {
    return Files.readString(file)
        .lines()
        .dropWhile(line -> !line.startsWith("### 100,000 events/s, 100 series"))
        .skip(4)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> line.split("\\|", -1)[1].strip())
        .collect(Collectors.toList());
  }
}
