package io.hdrsidecar.tests;

import io.hdrsidecar.tests.support.NpmPackages;
import io.hdrsidecar.tests.support.Tool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Scripts, style sheets, pages and Markdown are written as prettier formats them. */
class FormattedFilesIT {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @Test
  void files_byPrettier_areFormatted() throws Exception {
    Path prettier = NpmPackages.folderOf("prettier").resolve("bin/prettier.cjs");
    Tool.run(List.of("node", prettier.toString(), "--check", "**/*.{js,mjs,css,html,md}"), ROOT);
  }
}
