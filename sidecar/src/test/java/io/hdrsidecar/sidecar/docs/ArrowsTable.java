package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The table of packages in ARCHITECTURE.md: what each may use. Names are without {@code
 * io.hdrsidecar.}, in back quotes; what stands in round brackets says why, and permits nothing.
 */
final class ArrowsTable {
  private static final Path DOCUMENT = Path.of("..", "ARCHITECTURE.md");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(?<of>[a-z0-9.]+)` *\\|[^|]*\\|(?<uses>[^|]*)\\|$");
  private static final Pattern IN_BRACKETS = Pattern.compile("\\([^)]*\\)");
  private static final Pattern NAME = Pattern.compile("`([a-z0-9.]+)`");
  private static final String EVERYTHING = "everything";
  private static final String NOTHING = "nothing";

  private ArrowsTable() {}

  /** What each package may use; {@code everything} stands as such. */
  static Map<String, Set<String>> read() throws IOException {
    Map<String, Set<String>> rows = new TreeMap<>();
    Matcher row = ROW.matcher(Files.readString(DOCUMENT));
    while (row.find()) {
      Set<String> uses = uses(IN_BRACKETS.matcher(row.group("uses")).replaceAll("").strip());
      assertThat(rows.put(row.group("of"), uses)).as("a second row of " + row.group("of")).isNull();
    }
    return rows;
  }

  private static Set<String> uses(String cell) {
    if (cell.equals(NOTHING)) {
      return Set.of();
    }
    if (cell.equals(EVERYTHING)) {
      return Set.of(EVERYTHING);
    }
    assertThat(NAME.matcher(cell).replaceAll("").replaceAll("[ ,]", ""))
        .as("names of packages, `nothing` or `everything`: %s", cell)
        .isEmpty();
    return NAME.matcher(cell)
        .results()
        .map(MatchResult::group)
        .map(name -> name.replace("`", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static boolean isEverything(Set<String> uses) {
    return uses.contains(EVERYTHING);
  }
}
