package io.hdrsidecar.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Properties;

/** Versions of what is measured, as the build resolved them. */
public final class Versions {
  private static final Properties VERSIONS = load();

  private Versions() {}

  private static Properties load() {
    Properties versions = new Properties();
    try (InputStream in = Versions.class.getResourceAsStream("versions.properties")) {
      versions.load(Objects.requireNonNull(in, "versions.properties"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return versions;
  }

  /** The version of a library in {@code versions.properties}. */
  public static String of(String library) {
    return Objects.requireNonNull(VERSIONS.getProperty(library), library);
  }
}
