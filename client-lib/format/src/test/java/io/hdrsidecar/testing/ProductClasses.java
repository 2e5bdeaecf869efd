package io.hdrsidecar.testing;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;

/** Leaves out classes of tests: of this module, and those that other modules' tests share. */
public final class ProductClasses implements ImportOption {
  private final ImportOption noTestClasses = new ImportOption.DoNotIncludeTests();

  @Override
  public boolean includes(Location location) {
    return noTestClasses.includes(location) && !location.contains("-tests.jar");
  }
}
