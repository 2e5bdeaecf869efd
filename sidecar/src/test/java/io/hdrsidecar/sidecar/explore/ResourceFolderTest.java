package io.hdrsidecar.sidecar.explore;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResourceFolderTest {
  private static final Map<String, String> EXPECTED =
      Map.of("index.html", "page", "vendor/a.js", "script");

  private final Path folder;

  ResourceFolderTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void read_jar_hasTheFilesOfTheFolderAlone() throws Exception {
    Path jar = folder.resolve("a b.jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      add(out, "site/index.html", "page");
      add(out, "site/Code.class", "no file of the site");
      add(out, "site/vendor/", "");
      add(out, "site/vendor/a.js", "script");
      add(out, "site2/index.html", "another site");
    }

    assertThat(read(jar.toUri().toURL())).isEqualTo(EXPECTED);
  }

  @Test
  void read_folder_hasItsFiles() throws Exception {
    Path site = Files.createDirectories(folder.resolve("a b/site/vendor")).resolveSibling("");
    Files.writeString(site.resolve("index.html"), "page");
    Files.writeString(site.resolve("Code.class"), "no file of the site");
    Files.writeString(site.resolve("vendor/a.js"), "script");

    assertThat(read(folder.resolve("a b").toUri().toURL())).isEqualTo(EXPECTED);
  }

  private static void add(JarOutputStream out, String name, String content) throws Exception {
    out.putNextEntry(new JarEntry(name));
    out.write(content.getBytes(UTF_8));
    out.closeEntry();
  }

  private static Map<String, String> read(URL classPath) throws Exception {
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classPath}, null)) {
      return ResourceFolder.read(loader, "site", "index.html").entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getKey, file -> new String(file.getValue(), UTF_8)));
    }
  }
}
