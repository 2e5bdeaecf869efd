package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/log-events.md} has each event that the main sources log, with its levels. */
class LogEventsTest {
  private static final Pattern EVENT =
      Pattern.compile("\"(?:level=(?<level>[A-Z]+) )?event=(?<name>[\\w{}]+)");
  private static final Pattern LEVEL = Pattern.compile("\\b(DEBUG|INFO|WARNING|ERROR)\\b");
  private static final Pattern ROW =
      Pattern.compile(
          "(?m)^\\| (?<names>`[^|]*?) +\\| (?<levels>[a-z, ]+?) +\\| [^|]+\\| [^|]+\\|$");
  private static final Pattern NAMED = Pattern.compile("event=(\\w+)");

  /** Names that a value completes. Another one is not in the table, and fails the test. */
  private static final Map<String, List<String>> COMPLETED =
      Map.of(
          "{0}", List.of("sla_met", "sla_broken"),
          "{0}_stopped", List.of("spill_stopped", "crash_stopped"),
          "{0}_failed", List.of("spill_failed", "crash_failed"),
          "{0}_picked_up", List.of("spill_picked_up", "crash_picked_up"),
          "{0}_too_large", List.of("spill_too_large", "crash_too_large"),
          "{0}_damaged", List.of("spill_damaged", "crash_damaged"));

  /**
   * An event where it is logged.
   *
   * @param levels that its statement names; none where a variable has it
   */
  private record Logged(String name, Set<String> levels, boolean isAlone) {}

  @Test
  void page_events_areThoseOfTheSources() throws IOException {
    List<Logged> logged = logged();
    assertThat(logged).hasSizeGreaterThan(100);
    assertThat(rows().keySet())
        .containsExactlyInAnyOrderElementsOf(
            logged.stream().map(Logged::name).collect(Collectors.toCollection(TreeSet::new)));
  }

  @Test
  void page_levels_areThoseOfTheSources() throws IOException {
    Map<String, Set<String>> rows = rows();
    Map<String, Set<String>> found = new TreeMap<>();
    for (Logged event : logged()) {
      Set<String> row = rows.getOrDefault(event.name(), Set.of());
      if (event.isAlone()) {
        assertThat(row).as("levels of %s", event.name()).containsAll(event.levels());
      }
      if (!event.levels().isEmpty()) {
        found.computeIfAbsent(event.name(), name -> new TreeSet<>()).addAll(event.levels());
      }
    }
    found.forEach(
        (name, levels) -> assertThat(levels).as("levels of %s", name).containsAll(rows.get(name)));
  }

  @Test
  void documents_nameEventsThatThereAre() throws IOException {
    Set<String> known = rows().keySet();
    List<String> unknown = new ArrayList<>();
    try (Stream<Path> pages = Files.list(ProjectFiles.ROOT.resolve("docs"))) {
      for (Path page : pages.filter(file -> file.toString().endsWith(".md")).toList()) {
        Matcher named = NAMED.matcher(Files.readString(page));
        while (named.find()) {
          if (!known.contains(named.group(1))) {
            unknown.add(page.getFileName() + ": " + named.group());
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  /** Levels by event, as the page's tables say. */
  private static Map<String, Set<String>> rows() throws IOException {
    Map<String, Set<String>> rows = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(ProjectFiles.ROOT.resolve("docs/log-events.md")));
    while (row.find()) {
      Set<String> levels = new TreeSet<>(Arrays.asList(row.group("levels").split(", ", -1)));
      for (String name : row.group("names").replace("`", "").split(", ", -1)) {
        assertThat(rows.put(name, levels)).as("a second row of %s", name).isNull();
      }
    }
    return rows;
  }

  private static List<Logged> logged() throws IOException {
    List<Logged> all = new ArrayList<>();
    for (Path source : sources()) {
      String text = Files.readString(source);
      Matcher event = EVENT.matcher(text);
      while (event.find()) {
        String statement = statement(text, event.start());
        String level = event.group("level") == null ? statement : event.group("level");
        Set<String> levels = levels(level);
        List<String> names =
            COMPLETED.getOrDefault(event.group("name"), List.of(event.group("name")));
        long inStatement =
            EVENT.matcher(statement).results().map(e -> e.group(2)).distinct().count();
        boolean isAlone =
            inStatement <= 1 && names.stream().noneMatch(n -> n.startsWith("sla_met"));
        names.forEach(name -> all.add(new Logged(name, levels, isAlone)));
      }
    }
    return all;
  }

  /** From the call of the logger to its end; empty where the text is not given to a logger. */
  private static String statement(String text, int at) {
    int begin = text.lastIndexOf(".log(", at);
    boolean isOther = begin < 0 || text.substring(begin, at).contains(";");
    return isOther ? "" : text.substring(begin, text.indexOf(';', at));
  }

  private static Set<String> levels(String text) {
    return LEVEL
        .matcher(text)
        .results()
        .map(found -> found.group().equals("WARNING") ? "warn" : lower(found.group()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static String lower(String level) {
    return level.toLowerCase(Locale.ROOT);
  }

  private static List<Path> sources() throws IOException {
    return ProjectFiles.matching("(sidecar|fleet|client-lib/[\\w-]+)/src/main/.*\\.java");
  }
}
