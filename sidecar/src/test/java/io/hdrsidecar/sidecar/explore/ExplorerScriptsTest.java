package io.hdrsidecar.sidecar.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the tests of the explorer's modules that need no browser, in {@code src/test/node/explore},
 * with {@code node --test}. Without Node.js 20 or newer it is skipped, unless
 * HDR_SIDECAR_REQUIRE_REAL_PARTS is true.
 */
class ExplorerScriptsTest {
  private static final Path SCRIPTS = Path.of("src/main/resources/io/hdrsidecar/sidecar/explore");
  private static final Path TESTS = Path.of("src/test/node/explore");
  private static final int LONGEST_FILE_LINES = 400;

  @TempDir Path folder = Path.of("set by JUnit");

  @Test
  void scripts_byTheirOwnTests_areRight() throws Exception {
    Path node = node();
    // The files are modules because the page says so; Node.js wants to read it in a package.json.
    Files.writeString(folder.resolve("package.json"), "{\"type\":\"module\"}");
    copy(SCRIPTS, folder);
    copy(TESTS, Files.createDirectory(folder.resolve("test")));
    Path output = folder.resolve("output");

    Process process =
        new ProcessBuilder(node.toString(), "--test", "test/")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();

    assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    assertThat(Files.readString(output)).containsPattern("# pass [1-9]").contains("# fail 0");
  }

  @Test
  void scripts_each_areShortEnoughToRead() throws IOException {
    for (Path script : files(SCRIPTS, "*.{js,css,html}")) {
      assertThat(Files.readAllLines(script))
          .as(script.toString())
          .hasSizeLessThanOrEqualTo(LONGEST_FILE_LINES);
    }
  }

  /** Otherwise a browser finds out about them one after the other, each with a round trip. */
  @Test
  void page_eachScript_isLoadedAhead() throws IOException {
    String page = Files.readString(SCRIPTS.resolve("index.html"));
    for (Path script : files(SCRIPTS, "*.js")) {
      assertThat(page).containsPattern("(href|src)=\"explore/" + script.getFileName() + "\"");
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    for (Path file : files(from, "*.js")) {
      Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Those directly in the folder, so not the libraries of others. */
  private static List<Path> files(Path folder, String glob) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, glob)) {
      List<Path> found = new ArrayList<>();
      files.forEach(found::add);
      assertThat(found).isNotEmpty();
      return found;
    }
  }

  private static Path node() {
    List<Path> found =
        Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
            .map(path -> Path.of(path, "node"))
            .filter(Files::isExecutable)
            .toList();
    boolean mustBeThere = Boolean.parseBoolean(System.getenv("HDR_SIDECAR_REQUIRE_REAL_PARTS"));
    assertThat(mustBeThere && found.isEmpty()).as("node is required, but not there").isFalse();
    assumeTrue(!found.isEmpty(), "node not found; install Node.js 20 to run this test");
    return found.get(0);
  }
}
