package io.hdrsidecar.sidecar.docs;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SlicesRuleDefinition;
import io.hdrsidecar.testing.ProductClasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The data's way through the packages of client-lib, sidecar and fleet: what may know what. The
 * table in ARCHITECTURE.md is the rule: an arrow that is missing there is a mistake, and so is one
 * that nothing uses.
 */
class ArrowsTest {
  private static final String ROOT = "io.hdrsidecar.";

  /** What the sidecar has not on its class path: of these the sources are read. */
  private static final List<Path> SOURCES =
      List.of(
          Path.of("../client-lib/agent/src/main/java"),
          Path.of("../client-lib/micrometer/src/main/java"),
          Path.of("../client-lib/spring-boot/src/main/java"),
          Path.of("../client-lib/spring-boot-3/src/main/java"),
          Path.of("../client-lib/spring-boot-4/src/main/java"),
          Path.of("../fleet/src/main/java"));

  private static final Pattern PACKAGE = Pattern.compile("(?m)^package io\\.hdrsidecar\\.(\\S+);");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?io\\.hdrsidecar\\.([a-z0-9.]+)\\.[A-Z]");

  private static JavaClasses classes = new ClassFileImporter().importClasses();

  @BeforeAll
  static void readClasses() {
    classes =
        new ClassFileImporter()
            .withImportOption(new ProductClasses())
            .importPackages("io.hdrsidecar");
  }

  @Test
  void table_arrows_areThoseOfTheCode() throws IOException {
    Map<String, Set<String>> table = ArrowsTable.read();
    Map<String, Set<String>> code = arrowsOfTheCode();
    assertThat(table.keySet()).as("a row for each package").isEqualTo(code.keySet());
    List<String> mistakes = new ArrayList<>();
    table.forEach(
        (from, allowed) -> {
          if (!ArrowsTable.isEverything(allowed)) {
            Set<String> used = code.getOrDefault(from, Set.of());
            used.stream()
                .filter(to -> !allowed.contains(to))
                .forEach(to -> mistakes.add(from + " uses " + to + ", which the table forbids"));
            allowed.stream()
                .filter(to -> !used.contains(to))
                .forEach(to -> mistakes.add(from + " may use " + to + ", and does not"));
          }
        });
    assertThat(mistakes).isEmpty();
  }

  @Test
  void packages_areFreeOfCycles() {
    SlicesRuleDefinition.slices()
        .matching("io.hdrsidecar.(**)")
        .should()
        .beFreeOfCycles()
        .check(classes);
  }

  @Test
  void query_knowsNoHttpAndNoJson() {
    noClasses()
        .that()
        .resideInAPackage("io.hdrsidecar.sidecar.query")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.vertx..", "io.netty..", "com.fasterxml..")
        .check(classes);
  }

  @Test
  void answer_knowsNoRequest() {
    noClasses()
        .that()
        .resideInAPackage("io.hdrsidecar.sidecar.answer")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.vertx.core.http..", "io.vertx.ext..", "io.netty..")
        .check(classes);
  }

  private static Map<String, Set<String>> arrowsOfTheCode() throws IOException {
    Map<String, Set<String>> arrows = new TreeMap<>();
    for (JavaClass type : classes) {
      Set<String> used = arrows.computeIfAbsent(name(type), name -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (target.getPackageName().startsWith(ROOT) && !name(target).equals(name(type))) {
          used.add(name(target));
        }
      }
    }
    for (Path sources : SOURCES) {
      addFrom(sources, arrows);
    }
    return arrows;
  }

  private static void addFrom(Path sources, Map<String, Set<String>> arrows) throws IOException {
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
        String source = Files.readString(file);
        Matcher of = PACKAGE.matcher(source);
        assertThat(of.find()).as("%s", file).isTrue();
        Set<String> used = arrows.computeIfAbsent(of.group(1), name -> new TreeSet<>());
        IMPORT
            .matcher(source)
            .results()
            .map(found -> found.group(1))
            .filter(to -> !to.equals(of.group(1)))
            .forEach(used::add);
      }
    }
  }

  private static String name(JavaClass type) {
    return type.getPackageName().substring(ROOT.length());
  }
}
