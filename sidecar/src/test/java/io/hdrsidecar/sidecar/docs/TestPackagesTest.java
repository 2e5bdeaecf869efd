package io.hdrsidecar.sidecar.docs;

import static com.tngtech.archunit.library.GeneralCodingRules.testClassesShouldResideInTheSamePackageAsImplementation;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.URL;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A test lies in the package that it tests, and nothing but tests of its types in the root. */
class TestPackagesTest {
  private static final String ROOT = "io.hdrsidecar.sidecar";

  /** Packages of tests alone: what holds documents to the code, and what others use. */
  private static final Set<String> OF_TESTS = Set.of(ROOT + ".docs", ROOT + ".support");

  private static JavaClasses tests = new ClassFileImporter().importClasses();
  private static JavaClasses product = new ClassFileImporter().importClasses();

  @BeforeAll
  static void readClasses() {
    URL place = TestPackagesTest.class.getProtectionDomain().getCodeSource().getLocation();
    tests = new ClassFileImporter().importUrl(place);
    product =
        new ClassFileImporter()
            .withImportOption(location -> !location.contains(place.getPath()))
            .importPackages(ROOT);
  }

  @Test
  void packages_ofTests_arePackagesOfTheProduct() {
    Set<String> strangers = new TreeSet<>();
    tests.forEach(type -> strangers.add(type.getPackageName()));
    product.forEach(type -> strangers.remove(type.getPackageName()));
    assertThat(strangers).isEqualTo(OF_TESTS);
  }

  @Test
  void tests_areInThePackageOfTheirType() {
    testClassesShouldResideInTheSamePackageAsImplementation()
        .check(new ClassFileImporter().importPackages(ROOT));
  }

  @Test
  void root_hasOnlyTestsOfItsOwnTypes() {
    List<String> own =
        product.stream()
            .filter(type -> type.getPackageName().equals(ROOT) && type.isTopLevelClass())
            .map(type -> type.getSimpleName().replaceAll("Command$", ""))
            .filter(name -> !name.equals("package-info"))
            .toList();
    assertThat(tests.stream().filter(type -> type.getPackageName().equals(ROOT)))
        .filteredOn(JavaClass::isTopLevelClass)
        .extracting(JavaClass::getSimpleName)
        .as("named after a type of the root: %s", own)
        .isNotEmpty()
        .allMatch(test -> test.endsWith("Test") && own.stream().anyMatch(test::startsWith));
  }
}
