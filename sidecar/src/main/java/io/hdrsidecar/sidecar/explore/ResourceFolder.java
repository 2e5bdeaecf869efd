package io.hdrsidecar.sidecar.explore;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/** Reads all files of a folder of the class path, be it in a jar or not. */
final class ResourceFolder {
  private ResourceFolder() {}

  /**
   * Contents by path below the folder, such as {@code vendor/a.js}.
   *
   * @param folder without a slash at its ends, such as {@code io/hdrsidecar/x}; packages of other
   *     jars may have the same name, so a file tells which folder is meant
   * @param file a file that lies directly in the folder
   * @throws IOException when there is no such file, or one cannot be read
   */
  static Map<String, byte[]> read(ClassLoader loader, String folder, String file)
      throws IOException {
    URL url = loader.getResource(folder + "/" + file);
    if (url == null) {
      throw new IOException("not on the class path: " + folder + "/" + file);
    }
    try {
      if (url.openConnection() instanceof JarURLConnection jar) {
        return fromJar(Path.of(jar.getJarFileURL().toURI()), folder + "/");
      }
      return fromFolder(Path.of(url.toURI()).resolveSibling(""));
    } catch (URISyntaxException e) {
      throw new IOException("no path: " + url, e);
    }
  }

  private static Map<String, byte[]> fromJar(Path file, String prefix) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    try (JarFile jar = new JarFile(file.toFile())) {
      for (JarEntry entry : (Iterable<JarEntry>) jar.stream()::iterator) {
        if (entry.getName().startsWith(prefix) && isContent(entry.getName())) {
          try (InputStream in = jar.getInputStream(entry)) {
            contents.put(entry.getName().substring(prefix.length()), in.readAllBytes());
          }
        }
      }
    }
    return contents;
  }

  private static Map<String, byte[]> fromFolder(Path folder) throws IOException {
    Map<String, byte[]> contents = new TreeMap<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        String name = folder.relativize(file).toString().replace('\\', '/');
        if (isContent(name)) {
          contents.put(name, Files.readAllBytes(file));
        }
      }
    }
    return contents;
  }

  /** The classes of the package have the same path. */
  private static boolean isContent(String name) {
    return !name.endsWith("/") && !name.endsWith(".class");
  }
}
