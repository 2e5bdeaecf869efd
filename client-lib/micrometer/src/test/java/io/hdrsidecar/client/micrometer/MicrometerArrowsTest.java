package io.hdrsidecar.client.micrometer;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Micrometer is optional: one package knows it, and nothing leads to that package. */
@AnalyzeClasses(packages = "io.hdrsidecar", importOptions = ImportOption.DoNotIncludeTests.class)
class MicrometerArrowsTest {
  @ArchTest
  static final ArchRule micrometer_usesOnlyThePublicClientAndTheValuesThatTravel =
      classes()
          .that()
          .resideInAPackage("io.hdrsidecar.client.micrometer")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.hdrsidecar.client.micrometer",
              "io.hdrsidecar.client",
              "io.hdrsidecar.internal.interval",
              "io.hdrsidecar.series",
              "io.micrometer..",
              "org.jspecify.annotations",
              "java..");

  @ArchTest
  static final ArchRule micrometer_isKnownToNobody =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.hdrsidecar.client.micrometer")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.hdrsidecar.client.micrometer", "io.micrometer..");
}
