package io.hdrsidecar.benchmarks.load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Arguments of a program: flags, each followed by its value if it has one, and words. */
final class Arguments {
  private static final Pattern FLAG = Pattern.compile("\\[(?<flag>--[a-z-]+)(?<value> [^\\]]+)?]");

  private final List<String> all;

  /**
   * Checks them.
   *
   * @param usage what there is, such as {@code merge|scrape [--seconds N] [--quick]}
   * @throws IllegalArgumentException naming an argument that is not in it, or lacks its value
   */
  Arguments(String usage, String... args) {
    all = List.of(args);
    Map<String, Boolean> hasValue = new HashMap<>();
    FLAG.matcher(usage)
        .results()
        .forEach(flag -> hasValue.put(flag.group(1), flag.group(2) != null));
    List<String> words = List.of(FLAG.matcher(usage).replaceAll("").strip().split("\\|", -1));
    for (int i = 0; i < all.size(); i++) {
      String argument = all.get(i);
      if (!hasValue.containsKey(argument) && !words.contains(argument)) {
        throw new IllegalArgumentException("unknown argument: " + argument);
      }
      if (hasValue.getOrDefault(argument, false) && ++i == all.size()) {
        throw new IllegalArgumentException(argument + " needs a value");
      }
    }
  }

  /** Those of a main method; ends the JVM with the usage if they are wrong or ask for it. */
  static Arguments ofMain(Class<?> program, String usage, String... args) {
    String line = "usage: java -cp tests/target/benchmarks.jar " + program.getName() + " " + usage;
    if (List.of(args).contains("--help")) {
      System.out.println(line);
      System.exit(0);
    }
    try {
      return new Arguments(usage, args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage() + "\n" + line);
      System.exit(2);
      throw e;
    }
  }

  boolean has(String flag) {
    return all.contains(flag);
  }

  String text(String flag, String otherwise) {
    int at = all.indexOf(flag);
    return at < 0 ? otherwise : all.get(at + 1);
  }

  /** The words of a value, such as several options in one. */
  List<String> words(String flag, String otherwise) {
    return Pattern.compile("\\s+")
        .splitAsStream(text(flag, otherwise))
        .filter(word -> !word.isEmpty())
        .toList();
  }

  int number(String flag, int otherwise) {
    return Integer.parseInt(text(flag, Integer.toString(otherwise)));
  }

  /** How the program was called. */
  String command(Class<?> program) {
    return "java -cp tests/target/benchmarks.jar " + program.getName() + line(all);
  }

  /** All but a flag and its value, as one would type them, with a space before. */
  String without(String flag) {
    int at = all.indexOf(flag);
    if (at < 0) {
      return line(all);
    }
    List<String> others = new ArrayList<>(all.subList(0, at));
    others.addAll(all.subList(at + 2, all.size()));
    return line(others);
  }

  private static String line(List<String> arguments) {
    StringBuilder line = new StringBuilder();
    for (String argument : arguments) {
      boolean quoted = argument.isEmpty() || argument.contains(" ");
      line.append(' ').append(quoted ? '"' + argument + '"' : argument);
    }
    return line.toString();
  }
}
