package io.hdrsidecar.tests.support;

import io.hdrsidecar.benchmarks.process.Launch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The runnable jar of the sidecar. Tests start it hundreds of times, so its JVM has an archive of
 * classes, as in the image: without it a start takes twice as long.
 */
public final class SidecarJar {
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  private SidecarJar() {}

  /** Where it is. */
  public static Path path() {
    Path jar = Path.of(System.getProperty("hdr-sidecar.jar", "../sidecar/target/hdr-sidecar.jar"));
    if (!Files.isRegularFile(jar)) {
      throw new IllegalStateException("not built, run mvn package first: " + jar);
    }
    return jar.toAbsolutePath().normalize();
  }

  /** {@code java -jar hdr-sidecar.jar} with these arguments, by the java of this test. */
  public static List<String> command(String... arguments) {
    return command(List.of(), List.of(arguments));
  }

  /** The same with options for the JVM, such as {@code -Xmx64m}. */
  static List<String> command(List<String> jvmOptions, List<String> arguments) {
    List<String> command = java();
    command.addAll(jvmOptions);
    command.addAll(List.of("-jar", path().toString()));
    command.addAll(arguments);
    return command;
  }

  /** The launcher with the archive; the jar has to be the first in the class path that follows. */
  public static List<String> java() {
    List<String> command = new ArrayList<>(List.of(Launch.java().toString()));
    command.addAll(Launch.SHORT_LIVED);
    command.add("-XX:SharedArchiveFile=" + Archive.FILE);
    return command;
  }

  private static final class Archive {
    static final Path FILE = upToDate();

    private Archive() {}

    /** Of this Java and this jar; the first process that needs it makes it. */
    private static Path upToDate() {
      Path archive = TARGET.resolve("hdr-sidecar-" + Runtime.version() + ".jsa");
      try (FileChannel lock =
          FileChannel.open(
              TARGET.resolve("hdr-sidecar.jsa.lock"),
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE)) {
        lock.lock(); // released when it is closed
        if (!Files.exists(archive)
            || Files.getLastModifiedTime(archive)
                    .compareTo(Files.getLastModifiedTime(SidecarJar.path()))
                < 0) {
          make(archive);
        }
        return archive;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted while making " + archive, e);
      }
    }

    private static void make(Path archive) throws IOException, InterruptedException {
      Path made = TARGET.resolve("hdr-sidecar.jsa.new");
      List<String> command = new ArrayList<>(List.of(Launch.java().toString()));
      command.addAll(Launch.SHORT_LIVED);
      command.addAll(List.of("-XX:ArchiveClassesAtExit=" + made, "-jar", path().toString()));
      command.addAll(List.of("demo", "--duration=1s", "--rate=100"));
      command.addAll(List.of("--http-port=0", "--ingest-port=0"));
      Tool.run(Launch.builder(command));
      Files.move(made, archive, StandardCopyOption.REPLACE_EXISTING);
    }
  }
}
