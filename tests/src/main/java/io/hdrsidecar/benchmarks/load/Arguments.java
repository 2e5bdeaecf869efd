package io.hdrsidecar.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Flags of a program, each followed by its value if it has one. */
final class Arguments {
  private final List<String> all;

  Arguments(String... args) {
    all = List.of(args);
  }

  boolean has(String flag) {
    return all.contains(flag);
  }

  String text(String flag, String otherwise) {
    int at = all.indexOf(flag);
    if (at < 0) {
      return otherwise;
    }
    if (at + 1 == all.size()) {
      throw new IllegalArgumentException(flag + " needs a value");
    }
    return all.get(at + 1);
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
