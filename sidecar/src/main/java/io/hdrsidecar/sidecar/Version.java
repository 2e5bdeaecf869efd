package io.hdrsidecar.sidecar;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** Which build this is: from the manifest of the runnable jar. */
final class Version implements IVersionProvider {
  /** Such as {@code 0.1.0}; says so when it runs from class files. */
  static String text() {
    return Objects.requireNonNullElse(
        Version.class.getPackage().getImplementationVersion(), "development");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"hdr-sidecar " + text()};
  }
}
