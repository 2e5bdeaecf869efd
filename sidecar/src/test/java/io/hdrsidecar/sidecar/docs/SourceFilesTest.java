package io.hdrsidecar.sidecar.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Java files of all modules: short enough to be read, and each of a name of its own. */
class SourceFilesTest {
  private static final Path ROOT = Path.of("..");
  private static final int MOST_LINES = 400;
  private static final Pattern COMPARED_NANO_TIME =
      Pattern.compile("nanoTime\\(\\) [<>]=? [^0]|[^-][<>]=? System\\.nanoTime\\(\\)");
  private static final List<String> MODULES =
      List.of(
          "client-lib/format",
          "client-lib/client",
          "client-lib/micrometer",
          "client-lib/spring-boot",
          "client-lib/spring-boot-3",
          "client-lib/spring-boot-4",
          "client-lib/agent",
          "sidecar",
          "fleet",
          "fleet/demo",
          "k8s/image/example",
          "tests");

  /**
   * The nested type that may have the name of a top-level type: frames are called what PROTOCOL.md
   * calls them, and always with {@code Frame} in front.
   */
  private static final String SAME_AS_A_TOP_LEVEL_TYPE = "Frame.Series";

  /** What a decoder fills, and what has pages: told apart by what they do to each other. */
  private static final Set<Set<String>> MAKER_AND_MADE =
      Set.of(Set.of("HistogramDecoder", "DecodedHistogram"), Set.of("CountPage", "PagedCounts"));

  private static final Pattern ENDING =
      Pattern.compile("(?<=\\w\\w)(?:ing|ation|ed|er|or|es|e|s)$");

  /** A type of main, with those around it: {@code Outer.Nested}. */
  private record NamedType(String inPackage, String name) {
    boolean isNested() {
      return name.contains(".");
    }

    String simpleName() {
      return name.substring(name.lastIndexOf('.') + 1);
    }
  }

  private static List<Path> files(String kind) throws IOException {
    List<Path> all = new ArrayList<>();
    for (String module : MODULES) {
      Path folder = ROOT.resolve(module).resolve("src").resolve(kind).resolve("java");
      if (Files.exists(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(all::add);
        }
      }
    }
    assertThat(all).hasSizeGreaterThan(400);
    return all;
  }

  /** One name, one thing: no two types of the product or of its benchmarks have one simple name. */
  @Test
  void simpleNames_ofMain_differ() throws IOException {
    Map<String, List<Path>> byName =
        files("main").stream()
            .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
    byName.remove("package-info.java");

    assertThat(byName.values().stream().filter(places -> places.size() > 1)).isEmpty();
  }

  /** A nested type is read in the middle of other code, where its name has to be enough. */
  @Test
  void simpleNames_ofNestedTypes_areNotThoseOfTopLevelTypes() throws IOException {
    List<NamedType> types = types();
    Set<String> topLevel =
        types.stream()
            .filter(type -> !type.isNested())
            .map(NamedType::name)
            .collect(Collectors.toSet());

    assertThat(topLevel).contains("SeriesStore", "Frame");
    assertThat(
            types.stream()
                .filter(NamedType::isNested)
                .filter(type -> topLevel.contains(type.simpleName()))
                .map(NamedType::name))
        .as("only this, and it still")
        .containsExactly(SAME_AS_A_TOP_LEVEL_TYPE);
  }

  /** Code of one package says the simple name and means the one of its own file. */
  @Test
  void simpleNames_ofNestedTypes_differWithinTheirPackage() throws IOException {
    Map<String, List<NamedType>> inPackages =
        types().stream()
            .filter(NamedType::isNested)
            .collect(Collectors.groupingBy(type -> type.inPackage() + "." + type.simpleName()));

    assertThat(inPackages).hasSizeGreaterThan(100);
    assertThat(inPackages.values().stream().filter(types -> types.size() > 1)).isEmpty();
  }

  /**
   * Otherwise readers ask themselves whether it was the fleet's demo or the demo's fleet, and
   * whether a step is cached or the cache one of steps.
   */
  @Test
  void simpleNames_differByMoreThanTheOrderAndFormOfTheirWords() throws IOException {
    Map<List<String>, Map<List<String>, Set<String>>> byStems =
        types().stream()
            .map(NamedType::simpleName)
            .collect(
                Collectors.groupingBy(
                    name -> stems(name).stream().sorted().toList(),
                    Collectors.groupingBy(SourceFilesTest::stems, Collectors.toSet())));

    assertThat(
            byStems.values().stream()
                .filter(orders -> orders.size() > 1)
                .map(orders -> orders.values().stream().flatMap(Set::stream)))
        .extracting(names -> names.collect(Collectors.toSet()))
        .as("only these, and each of them still")
        .containsExactlyInAnyOrderElementsOf(MAKER_AND_MADE);
  }

  /** Steps of time and the time of a step are told apart no better, nor cached ones and a cache. */
  private static List<String> stems(String name) {
    return Arrays.stream(name.split("(?=[A-Z])"))
        .map(word -> ENDING.matcher(word).replaceFirst(""))
        .toList();
  }

  /** All named types of main. */
  private static List<NamedType> types() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<NamedType> types = new ArrayList<>();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null,
                  files,
                  null,
                  List.of("-proc:none"),
                  null,
                  files.getJavaFileObjectsFromPaths(files("main")));
      for (CompilationUnitTree unit : task.parse()) {
        unit.accept(new TypeNames(String.valueOf(unit.getPackageName())), types);
      }
    }
    return types;
  }

  private static final class TypeNames extends TreeScanner<@Nullable Void, List<NamedType>> {
    private final String inPackage;
    private String around = "";

    TypeNames(String inPackage) {
      this.inPackage = inPackage;
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, List<NamedType> types) {
      String before = around;
      if (!type.getSimpleName().isEmpty()) { // An anonymous class has none.
        types.add(new NamedType(inPackage, before + type.getSimpleName()));
        around = before + type.getSimpleName() + ".";
      }
      super.visitClass(type, types);
      around = before;
      return null;
    }
  }

  @Test
  void lines_ofMainAndTests_areAtMost400() throws IOException {
    List<String> longer = new ArrayList<>();
    for (String kind : List.of("main", "test")) {
      for (Path file : files(kind)) {
        int lines = Files.readAllLines(file).size();
        if (lines > MOST_LINES) {
          longer.add(file + " has " + lines);
        }
      }
    }
    assertThat(longer).as("give a real thing in it a type of its own").isEmpty();
  }

  /** {@code nanoTime} may overflow at any moment: its Javadoc asks for differences. */
  @Test
  void nanoTimes_areComparedByTheirDifference() throws IOException {
    List<String> found = new ArrayList<>();
    for (String kind : List.of("main", "test")) {
      for (Path file : files(kind)) {
        if (COMPARED_NANO_TIME.matcher(Files.readString(file)).find()) {
          found.add(file.toString());
        }
      }
    }
    assertThat(found).as("write System.nanoTime() - end < 0").isEmpty();
  }
}
