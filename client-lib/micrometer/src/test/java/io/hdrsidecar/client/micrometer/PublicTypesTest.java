package io.hdrsidecar.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What users may rely on: every public type outside of packages named {@code internal}, with all
 * that is public or protected in it, is recorded in {@code client-lib/api.txt}, with the values of
 * constants, which callers have in their own classes. A line that is gone breaks the source or the
 * classes of a caller; a new one is a promise. {@code -Dhdr.docs.write=true} records them anew.
 */
class PublicTypesTest {
  private static final Path CLIENT_LIB = Path.of(System.getProperty("basedir", "."), "..");
  private static final Path RECORDED = CLIENT_LIB.resolve("api.txt");

  /** Without the agent: its one public class is called by the JVM, and by no program. */
  private static final List<String> MODULES =
      List.of("format", "client", "micrometer", "spring-boot", "spring-boot-3", "spring-boot-4");

  private static final int MOST_TYPES = 25;
  private static final String RENEW =
      "if that is meant, record it with the command in CONTRIBUTING.md, \"The public API\"";
  private static final Pattern PUBLIC =
      Pattern.compile("(?m)^public (?:abstract |final |sealed )*(?:class|interface|enum|record) ");

  /** A file with all but the comment before its type taken away. */
  private static final Pattern COMMENT_OF_TYPE = Pattern.compile("(?s)\\A.*?(/\\*\\*.*?\\*/).*\\z");

  private static final Pattern THREADS = Pattern.compile("(?i)thread|immutable");
  private static final Pattern INTERNAL_TYPE = Pattern.compile("io\\.hdrsidecar\\.internal\\.");

  @Test
  void publicTypes_areThoseRecorded() throws IOException {
    List<String> classes = publicTypes();
    assertThat(classes).hasSizeBetween(1, MOST_TYPES);
    String api = signatures(classes);
    if (Boolean.getBoolean("hdr.docs.write")) {
      Files.writeString(RECORDED, api);
    }
    String recorded = Files.readString(RECORDED);
    assertThat(missing(recorded, api))
        .as("gone from the public API, which breaks callers; %s", RENEW)
        .isEmpty();
    assertThat(missing(api, recorded)).as("new in the public API; %s", RENEW).isEmpty();
    assertThat(api).as(RENEW).isEqualTo(recorded);
  }

  /** Each line of one text that the other does not have, with the type that it stands in. */
  private static List<String> missing(String text, String from) {
    Set<String> there = Set.copyOf(qualified(from));
    return qualified(text).stream().filter(line -> !there.contains(line)).toList();
  }

  private static List<String> qualified(String text) {
    List<String> lines = new ArrayList<>();
    String type = "";
    for (String line : text.lines().toList()) {
      boolean isMember = line.startsWith("  ");
      type = isMember ? type : line.replace(" {", "");
      lines.add(isMember ? type + " > " + line.strip() : line);
    }
    return lines.stream().distinct().toList();
  }

  /** What a user can call needs no type that may change without notice. */
  @Test
  void publicTypes_showNoInternalOne() throws IOException {
    assertThat(signatures(publicTypes()).lines().filter(INTERNAL_TYPE.asPredicate())).isEmpty();
  }

  /** A user must not have to read code to know whether a type may be shared. */
  @Test
  void publicTypes_sayWhichThreadsMayUseThem() throws IOException {
    Map<String, Path> sources = publicSources();
    assertThat(sources).isNotEmpty();
    List<String> silent = new ArrayList<>();
    for (Map.Entry<String, Path> source : sources.entrySet()) {
      String comment =
          COMMENT_OF_TYPE.matcher(Files.readString(source.getValue())).replaceAll("$1");
      if (!THREADS.matcher(comment).find()) {
        silent.add(source.getKey());
      }
    }
    assertThat(silent).as("say which threads may use it, or that it is immutable").isEmpty();
  }

  private static List<String> publicTypes() throws IOException {
    List<String> classes = new ArrayList<>();
    publicSources().keySet().forEach(name -> addWithNested(name, classes));
    return classes.stream().sorted().toList();
  }

  private static Map<String, Path> publicSources() throws IOException {
    Map<String, Path> publicSources = new TreeMap<>();
    for (String module : MODULES) {
      Path sources = CLIENT_LIB.resolve(module).resolve("src/main/java");
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          String name = sources.relativize(file).toString().replace('/', '.');
          if (!name.contains(".internal.") && PUBLIC.matcher(Files.readString(file)).find()) {
            publicSources.put(name.substring(0, name.length() - ".java".length()), file);
          }
        }
      }
    }
    return publicSources;
  }

  private static void addWithNested(String name, List<String> classes) {
    try {
      Class<?> type = Class.forName(name, false, PublicTypesTest.class.getClassLoader());
      classes.add(name);
      for (Class<?> nested : type.getClasses()) {
        if (nested.getDeclaringClass() == type) {
          classes.add(nested.getName());
        }
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String signatures(List<String> classes) {
    List<String> arguments =
        new ArrayList<>(
            List.of("-protected", "-constants", "-cp", System.getProperty("java.class.path")));
    arguments.addAll(classes);
    StringWriter out = new StringWriter();
    StringWriter problems = new StringWriter();
    ToolProvider javap = ToolProvider.findFirst("javap").orElseThrow();
    int exit =
        javap.run(
            new PrintWriter(out), new PrintWriter(problems), arguments.toArray(String[]::new));
    assertThat(exit).as(problems.toString()).isZero();
    return out.toString().replaceAll("(?m)^Compiled from .*\\R", "");
  }
}
