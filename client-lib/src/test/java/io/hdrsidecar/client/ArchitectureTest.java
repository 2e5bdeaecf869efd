package io.hdrsidecar.client;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The arrows between the packages of client-lib; ARCHITECTURE.md says why each exists. */
@AnalyzeClasses(packages = "io.hdrsidecar", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule ARROWS =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("schedule")
          .definedBy("io.hdrsidecar.client.schedule")
          .layer("client")
          .definedBy("io.hdrsidecar.client")
          .layer("hiccup")
          .definedBy("io.hdrsidecar.client.hiccup")
          .layer("send")
          .definedBy("io.hdrsidecar.client.send")
          .layer("record")
          .definedBy("io.hdrsidecar.client.record")
          .optionalLayer("hlog")
          .definedBy("io.hdrsidecar.hlog")
          .layer("journal")
          .definedBy("io.hdrsidecar.journal")
          .layer("spill")
          .definedBy("io.hdrsidecar.spill")
          .layer("wire")
          .definedBy("io.hdrsidecar.wire")
          .layer("interval")
          .definedBy("io.hdrsidecar.interval")
          .whereLayer("schedule")
          .mayOnlyAccessLayers("client", "interval")
          .whereLayer("client")
          .mayOnlyAccessLayers("hiccup", "send", "record", "spill", "wire", "interval")
          .whereLayer("hiccup")
          .mayNotAccessAnyLayer()
          .whereLayer("send")
          .mayOnlyAccessLayers("record", "spill", "wire", "interval")
          .whereLayer("spill")
          .mayOnlyAccessLayers("journal", "wire", "interval")
          .whereLayer("journal")
          .mayOnlyAccessLayers("wire", "interval")
          .whereLayer("record")
          .mayOnlyAccessLayers("interval")
          .whereLayer("hlog")
          .mayOnlyAccessLayers("wire", "interval")
          .whereLayer("wire")
          .mayOnlyAccessLayers("interval")
          .whereLayer("interval")
          .mayNotAccessAnyLayer();

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
