package io.hdrsidecar.sidecar;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** Which build this is: from the manifest of the runnable jar, and what the build read from Git. */
public final class Version implements IVersionProvider {
  /** Such as {@code 0.1.0}; says so when it runs from class files. */
  public static String text() {
    return Objects.requireNonNullElse(
        Version.class.getPackage().getImplementationVersion(), "development");
  }

  /**
   * Such as {@code hdr-sidecar 0.1.0 (commit 1f2e3d4c5b6a of 2026-11-23T04:35:47Z)}; without the
   * commit if it was built outside of Git.
   */
  public static String line() {
    Properties git = new Properties();
    try (InputStream file = Version.class.getResourceAsStream("commit.properties")) {
      if (file != null) {
        git.load(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String line = "hdr-sidecar " + text();
    String commit = git.getProperty("commit");
    return commit == null ? line : line + " (commit " + commit + " of " + git.get("date") + ")";
  }

  @Override
  public String[] getVersion() {
    return new String[] {line()};
  }
}
