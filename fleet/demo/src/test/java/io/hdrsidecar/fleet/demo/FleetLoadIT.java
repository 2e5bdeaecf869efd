package io.hdrsidecar.fleet.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The command of tests/benchmarks/README.md with a load so small that it measures nothing. */
final class FleetLoadIT {
  private static final int PARTITIONS = 4;

  private final StringWriter output = new StringWriter();

  private int run(String... options) {
    return FleetLoad.command()
        .setOut(new PrintWriter(output, true))
        .setErr(new PrintWriter(output, true))
        .execute(options);
  }

  /** The rows of a table of which this is in the head, as cells. */
  private List<List<String>> rows(String head) {
    return output
        .toString()
        .lines()
        .dropWhile(line -> !line.contains(head))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> Stream.of(line.split("\\|")).skip(1).map(String::strip).toList())
        .toList();
  }

  @Test
  void smallLoad_isShownByNodesAsItWasSent() {
    int code =
        run(
            "--sidecars=3",
            "--series=5",
            "--deployments=2",
            "--interval=200",
            "--nodes=2",
            "--partitions=" + PARTITIONS,
            "--warm-up=1",
            "--seconds=5",
            "--kafka=compression.type=lz4");
    assertThat(code).as("%s", output).isZero();
    List<List<String>> runs = rows("| sidecars |");
    assertThat(runs).hasSize(1);
    assertThat(runs.get(0)).startsWith("3", "5", "10", "2").endsWith("all that was sent");
    List<List<String>> nodes = rows("| partitions |");
    assertThat(nodes).extracting(cells -> cells.get(1)).containsExactly("node-1", "node-2");
    assertThat(nodes.stream().mapToInt(cells -> Integer.parseInt(cells.get(2))))
        .allMatch(partitions -> partitions > 0)
        .satisfies(all -> assertThat(all.stream().mapToInt(p -> p).sum()).isEqualTo(PARTITIONS));
    assertThat(nodes.stream().mapToInt(cells -> Integer.parseInt(cells.get(3))).sum())
        .as("series shown: 5 of each of 2 deployments")
        .isEqualTo(10);
  }

  @Test
  void moreDeploymentsThanSidecars_areRefused() {
    assertThat(run("--sidecars=3", "--deployments=4")).isEqualTo(2);
    assertThat(output.toString()).contains("--deployments must be from 1 to 3, not 4");
  }
}
