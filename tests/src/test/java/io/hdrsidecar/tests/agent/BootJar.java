package io.hdrsidecar.tests.agent;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;

/**
 * Packs a program as Spring Boot's build does: Boot's own loader in front, the program's class and
 * the jars it needs, not compressed, inside.
 */
final class BootJar {
  private static final String LAUNCHER = "org.springframework.boot.loader.launch.JarLauncher";

  private BootJar() {}

  /** Writes {@code java -jar}'s argument: this program, with the jars that hold these classes. */
  static void write(Path target, Class<?> program, List<Class<?>> libraries)
      throws IOException, URISyntaxException, ClassNotFoundException {
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(target), manifest(program))) {
      copyLoader(jar);
      for (String folder : List.of("BOOT-INF/", "BOOT-INF/classes/", "BOOT-INF/lib/")) {
        store(jar, folder, new byte[0]); // the loader looks for them
      }
      String resource = program.getName().replace('.', '/') + ".class";
      try (InputStream bytes = program.getResourceAsStream("/" + resource)) {
        store(jar, "BOOT-INF/classes/" + resource, bytes.readAllBytes());
      }
      for (Class<?> library : libraries) {
        Path file = jarOf(library);
        store(jar, "BOOT-INF/lib/" + file.getFileName(), Files.readAllBytes(file));
      }
    }
  }

  private static Manifest manifest(Class<?> program) {
    Manifest manifest = new Manifest();
    Attributes attributes = manifest.getMainAttributes();
    attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.put(Attributes.Name.MAIN_CLASS, LAUNCHER);
    attributes.putValue("Start-Class", program.getName());
    attributes.putValue("Spring-Boot-Classes", "BOOT-INF/classes/");
    attributes.putValue("Spring-Boot-Lib", "BOOT-INF/lib/");
    return manifest;
  }

  private static void copyLoader(JarOutputStream jar)
      throws IOException, URISyntaxException, ClassNotFoundException {
    try (JarFile loader = new JarFile(jarOf(Class.forName(LAUNCHER)).toFile())) {
      for (JarEntry entry : loader.stream().filter(BootJar::isOfLoader).toList()) {
        try (InputStream bytes = loader.getInputStream(entry)) {
          store(jar, entry.getName(), bytes.readAllBytes());
        }
      }
    }
  }

  private static boolean isOfLoader(JarEntry entry) {
    return !entry.isDirectory() && !entry.getName().equals(JarFile.MANIFEST_NAME);
  }

  /** Not compressed, as Boot's loader wants the jars inside. */
  private static void store(JarOutputStream jar, String name, byte[] bytes) throws IOException {
    CRC32 checksum = new CRC32();
    checksum.update(bytes);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(bytes.length);
    entry.setCrc(checksum.getValue());
    jar.putNextEntry(entry);
    jar.write(bytes);
    jar.closeEntry();
  }

  private static Path jarOf(Class<?> type) throws URISyntaxException {
    Path file = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    if (!Files.isRegularFile(file)) {
      throw new IllegalStateException(type + " must come from a jar: " + file);
    }
    return file;
  }
}
