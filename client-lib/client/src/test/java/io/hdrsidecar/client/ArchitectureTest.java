package io.hdrsidecar.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import io.hdrsidecar.testing.ProductClasses;

/**
 * What client-lib needs from outside, and that its packages have no cycles. Which package may use
 * which is in the table of ARCHITECTURE.md, which {@code ArrowsTest} of the sidecar holds.
 */
@AnalyzeClasses(packages = "io.hdrsidecar", importOptions = ProductClasses.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule PACKAGES_ARE_FREE_OF_CYCLES =
      slices().matching("io.hdrsidecar.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule NOTHING_BUT_THE_JDK_AND_HDRHISTOGRAM =
      classes()
          .that()
          .resideOutsideOfPackage("io.hdrsidecar.client.micrometer")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.hdrsidecar..", "java..", "javax.net.ssl", "org.HdrHistogram", "org.jspecify..");
}
