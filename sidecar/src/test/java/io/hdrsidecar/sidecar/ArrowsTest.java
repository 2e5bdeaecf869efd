package io.hdrsidecar.sidecar;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.List;
import java.util.stream.Stream;

/** The data's way through the packages: what may know what. An arrow missing here is a mistake. */
@AnalyzeClasses(packages = "io.hdrsidecar", importOptions = ImportOption.DoNotIncludeTests.class)
class ArrowsTest {
  private static final String ROOT = "io.hdrsidecar.sidecar";

  /** What the sidecar shares with the client library: the values that travel, and how. */
  private static final List<String> SHARED =
      List.of(
          "io.hdrsidecar.interval",
          "io.hdrsidecar.wire",
          "io.hdrsidecar.hlog",
          "io.hdrsidecar.journal",
          "io.hdrsidecar.spill");

  @ArchTest static final ArchRule MEMORY = arrows("memory");
  @ArchTest static final ArchRule WINDOW = arrows("window");
  @ArchTest static final ArchRule HISTORY = arrows("history", "window");
  @ArchTest static final ArchRule MERGE = arrows("merge", "window", "history", "memory");
  @ArchTest static final ArchRule INDEX = arrows("index", "window", "history");
  @ArchTest static final ArchRule LOG = arrows("log", "merge", "window", "memory", "index");
  @ArchTest static final ArchRule INPUT = arrows("input");
  @ArchTest static final ArchRule LOGS = arrows("logs", "input", "memory");
  @ArchTest static final ArchRule ACCESS = arrows("access", "input");
  @ArchTest static final ArchRule RECEIVE = arrows("receive", "merge", "access", "memory");

  @ArchTest
  static final ArchRule SELF_METRICS =
      arrows("selfmetrics", "merge", "history", "receive", "memory");

  @ArchTest static final ArchRule EXPOSE = arrows("expose", "merge", "window");

  @ArchTest
  static final ArchRule QUERY =
      arrows("query", "merge", "window", "history", "expose", "receive", "selfmetrics");

  @ArchTest
  static final ArchRule SLA = arrows("sla", "merge", "window", "history", "query", "input");

  /** Only files: what the explorer shows it asks of the API, in the browser. */
  @ArchTest static final ArchRule EXPLORE = arrows("explore");

  @ArchTest
  static final ArchRule HTTP =
      arrows(
          "http", "merge", "window", "history", "expose", "query", "explore", "sla", "access",
          "memory");

  /** The webhook is another server in the same program; of the sidecar it knows no series. */
  @ArchTest
  static final ArchRule INJECT = arrows("inject", "access", "http", "memory", "query", "window");

  /** Logs as a store, whose intervals are read from them again. */
  @ArchTest static final ArchRule FILES = arrows("files", "merge", "window", "history");

  /** The log tools add up as the store does, and read no more of the sidecar. */
  @ArchTest static final ArchRule CLI = arrows("cli", "merge", "window", "files", "history");

  @ArchTest
  static final ArchRule CONFIG =
      arrows(
          "config", "receive", "merge", "log", "window", "expose", "query", "sla", "http", "access",
          "logs", "input");

  /** The control measures with the client's meter and recorders, and merges like a client. */
  @ArchTest
  static final ArchRule HICCUP =
      classes()
          .that(resideInAPackage(ROOT + ".hiccup.."))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      ROOT + ".hiccup..",
                      ROOT + ".merge..",
                      "io.hdrsidecar.client.hiccup",
                      "io.hdrsidecar.client.record",
                      "io.hdrsidecar.interval",
                      "io.hdrsidecar.wire")
                  .or(resideOutsideOfPackages("io.hdrsidecar..")));

  /** The demo uses the product from outside: its client, over a socket. */
  @ArchTest
  static final ArchRule DEMO =
      classes()
          .that(resideInAPackage(ROOT + ".demo.."))
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      ROOT + ".demo..",
                      ROOT + ".window..",
                      "io.hdrsidecar.client..",
                      "io.hdrsidecar.interval")
                  .or(resideOutsideOfPackages("io.hdrsidecar..")));

  @ArchTest
  static final ArchRule NOTHING_KNOWS_THE_WIRING =
      noClasses()
          .that(resideInAPackage(ROOT + ".."))
          .and(resideOutsideOfPackages(ROOT))
          .should()
          .dependOnClassesThat(resideInAPackage(ROOT));

  @ArchTest
  static final ArchRule NO_CYCLES = slices().matching(ROOT + ".(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule THE_CLIENT_LIBRARY_KNOWS_NO_SIDECAR =
      noClasses()
          .that(resideOutsideOfPackages(ROOT + ".."))
          .should()
          .dependOnClassesThat(resideInAPackage(ROOT + ".."));

  private static ArchRule arrows(String from, String... to) {
    String[] allowed =
        Stream.concat(
                Stream.concat(Stream.of(from), Stream.of(to)).map(name -> ROOT + "." + name + ".."),
                SHARED.stream())
            .toArray(String[]::new);
    return classes()
        .that(resideInAPackage(ROOT + "." + from + ".."))
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(allowed).or(resideOutsideOfPackages("io.hdrsidecar..")));
  }
}
