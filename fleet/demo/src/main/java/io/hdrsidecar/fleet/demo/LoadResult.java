package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What one run has measured. Processor time is in cores: 0.25 is a quarter of one.
 *
 * @param payloadBytes mean length of payloads
 * @param rate intervals a second that were acknowledged
 * @param gateway processor time of the gateway
 * @param broker that of the broker
 * @param nodes what is of each node
 * @param topicBytes what an interval takes on its topic
 * @param changelogBytes what it takes in the changelogs of the stores, before they are compacted
 * @param late turns of sidecars that began before the last one was acknowledged
 * @param load average of the machine over a minute, at the end of what was measured
 * @param kept where logs and stores are, if the nodes do not show exactly what was sent
 */
record LoadResult(
    LoadShape shape,
    long payloadBytes,
    double rate,
    double gateway,
    double broker,
    List<OfNode> nodes,
    double topicBytes,
    double changelogBytes,
    long late,
    String load,
    Optional<Path> kept) {
  private static final double MIB = 1 << 20;

  /**
   * Of one node.
   *
   * @param rate intervals a second that it read from the topic
   * @param cores processor time
   * @param longestCommitMillis of the last minute
   * @param diskBytes of its stores
   */
  record OfNode(
      String name,
      long partitions,
      long series,
      double rate,
      double cores,
      long longestCommitMillis,
      JvmProbe.Memory memory,
      long diskBytes) {}

  /** The head of what {@link #row} gives. */
  static String head() {
    return """
        | sidecars | series each | in the fleet | nodes | payload | intervals/s | gateway | broker | nodes | all | µs each | on the topic | in changelogs | late | load | shown |
        | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |""";
  }

  /** One row of Markdown. */
  String row() {
    double ofNodes = nodes.stream().mapToDouble(OfNode::cores).sum();
    double all = gateway + broker + ofNodes;
    return format(
        "| %,d | %,d | %,d | %d | %d B | %,.0f | %.1f %% | %.1f %% | %.1f %% | %.1f %% | %.1f |"
            + " %.0f B | %.0f B | %d | %s | %s |",
        shape.sidecars(),
        shape.series(),
        shape.fleetSeries(),
        shape.nodes(),
        payloadBytes,
        rate,
        100 * gateway,
        100 * broker,
        100 * ofNodes,
        100 * all,
        1e6 * all / rate,
        topicBytes,
        changelogBytes,
        late,
        load,
        kept.map(folder -> "**NOT** what was sent: " + folder).orElse("all that was sent"));
  }

  /** Whether the nodes show exactly what was sent. */
  boolean isEqual() {
    return kept.isEmpty();
  }

  /** The head of what {@link #nodeRows} gives. */
  static String nodeHead() {
    return """
        | of | node | partitions | series shown | intervals/s | of a core | longest commit | live heap | for each series | stores beside it | resident | on disk |
        | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |""";
  }

  /** A row for each node. */
  String nodeRows() {
    return nodes.stream()
        .map(
            node ->
                format(
                    "| %d | %s | %d | %,d | %,.0f | %.1f %% | %,d ms | %.0f MiB | %.1f kB | %.0f MiB |"
                        + " %.0f MiB | %.0f MiB |",
                    shape.nodes(),
                    node.name,
                    node.partitions,
                    node.series,
                    node.rate,
                    100 * node.cores,
                    node.longestCommitMillis,
                    node.memory.liveHeap() / MIB,
                    node.memory.liveHeap() / 1000.0 / Math.max(1, node.series),
                    node.memory.stores() / MIB,
                    node.memory.resident() / MIB,
                    node.diskBytes / MIB))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private static String format(String format, Object... arguments) {
    return String.format(Locale.ROOT, format, arguments);
  }

  /** Load average over a minute, as Linux tells it. */
  static String machineLoad() throws IOException {
    return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
  }
}
