package io.hdrsidecar.tests.alerts;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Rules in which the same happens sooner: every duration is divided by one factor. */
final class FasterRules {
  /** Of a range, {@code [5m]}, and of a wait, {@code for: 2m}; names and labels stay. */
  private static final Pattern DURATION =
      Pattern.compile("(\\[|\\bfor: )(\\d+)([smhd])(]|$)", Pattern.MULTILINE);

  private static final String GROUPS = "\ngroups:\n";
  private static final Map<String, Long> MILLIS =
      Map.of("s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);

  private FasterRules() {}

  /** The groups of all these files as one file. */
  static String of(List<Path> files, int factor) throws IOException {
    StringBuilder rules = new StringBuilder(GROUPS);
    for (Path file : files) {
      rules.append(Files.readString(file).split(GROUPS, 2)[1]).append('\n');
    }
    return of(rules.toString(), factor);
  }

  static String of(String rules, int factor) {
    return DURATION.matcher(rules).replaceAll(duration -> faster(duration, factor));
  }

  private static String faster(MatchResult duration, int factor) {
    long millis = Long.parseLong(duration.group(2)) * unitMillis(duration.group(3)) / factor;
    return duration.group(1) + millis + "ms" + duration.group(4);
  }

  private static long unitMillis(String unit) {
    return Objects.requireNonNull(MILLIS.get(unit), unit);
  }
}
