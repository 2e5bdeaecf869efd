package io.hdrsidecar.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.logging.LogManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent before a program that chooses its own manager of java.util.logging in main. */
class LoggingProgramTest {
  @TempDir Path folder = Path.of("set by JUnit");

  /** Of a program's own. */
  public static final class OwnManager extends LogManager {}

  /** Says which manager it has got, once the agent has logged a line. */
  static final class Program {
    private Program() {}

    /** Waits for the end of its input. */
    public static void main(String[] arguments) throws Exception {
      System.setProperty("java.util.logging.manager", OwnManager.class.getName());
      System.in.transferTo(OutputStream.nullOutputStream());
      System.out.println(LogManager.getLogManager().getClass().getSimpleName());
    }
  }

  /** Its classes are on the class path of the program. */
  private Path agent() throws Exception {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", HiccupAgent.class.getName());
    Path jar = folder.resolve("agent.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream empty = new JarOutputStream(file, manifest)) {
      empty.finish();
    }
    return jar;
  }

  @Test
  void manager_thatTheProgramChoosesInMain_isTaken() throws Exception {
    Path said = folder.resolve("stderr");
    String arguments =
        "address=unix://" + folder.resolve("no.sock") + ",spill_folder=" + folder.resolve("spill");
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-javaagent:" + agent() + "=" + arguments,
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName())
            .redirectError(said.toFile())
            .start();
    // Its first line, of a sidecar that is not there, is what would start the JDK's logging.
    long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!Files.readString(said).contains("\n") && System.nanoTime() - until < 0) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    program.getOutputStream().close();
    String printed = new String(program.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(printed).isEqualTo("OwnManager" + System.lineSeparator());
    assertThat(program.waitFor()).isZero();
    assertThat(Files.readString(said))
        .startsWith("hdr-sidecar agent: WARNING: no connection with ");
  }
}
