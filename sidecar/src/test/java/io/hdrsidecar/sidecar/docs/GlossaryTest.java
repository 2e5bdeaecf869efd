package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/glossary.md} defines each term once, in the order of the alphabet. */
class GlossaryTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| (?!term|-)([^|]+?) +\\| ");

  /** Words that pages are built on, and that mean something else elsewhere, or nothing. */
  private static final List<String> NEEDED =
      List.of(
          "acknowledge",
          "checkpoint",
          "client",
          "error budget",
          "fleet",
          "gateway",
          "hand on",
          "heat map",
          "in flight",
          "in-flight limit",
          "interval",
          "journal",
          "kind",
          "layout",
          "node",
          "objective",
          "outbox",
          "overflow series",
          "partition",
          "past",
          "raw",
          "resource",
          "row",
          "rule",
          "share",
          "sidecar",
          "step",
          "upstream",
          "window");

  @Test
  void terms_areDefinedOnce_inOrder() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "glossary.md"));
    List<String> terms = ROW.matcher(page).results().map(found -> found.group(1)).toList();
    assertThat(terms).hasSizeGreaterThan(25).doesNotHaveDuplicates();
    assertThat(terms).isSortedAccordingTo(String.CASE_INSENSITIVE_ORDER).containsAll(NEEDED);
  }
}
