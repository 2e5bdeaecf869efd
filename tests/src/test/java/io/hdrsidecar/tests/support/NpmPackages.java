package io.hdrsidecar.tests.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * What tests take from npm, pinned by {@code package-lock.json}. Where it cannot be had the test is
 * skipped, unless nothing may be.
 */
public final class NpmPackages {
  private static final Path SOURCE = Path.of("src/test/js/npm");

  private NpmPackages() {}

  /** Folder of a package, as published. */
  public static Path folderOf(String name) throws IOException, InterruptedException {
    Path target = Files.createDirectories(Path.of("target/npm").toAbsolutePath());
    for (String file : List.of("package.json", "package-lock.json")) {
      Files.copy(SOURCE.resolve(file), target.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    Path folder = target.resolve("node_modules").resolve(name);
    if (!Files.exists(folder)) {
      Tool.bring(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"), target);
    }
    return folder;
  }
}
