package io.hdrsidecar.tests.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.crash.Comparison;
import io.hdrsidecar.tests.crash.Truth;
import io.hdrsidecar.tests.crash.Victim;
import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.vertx.core.json.JsonObject;
import java.io.File;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kernel ends a container that takes more memory than its limit, in the midst of recording: its
 * sidecar in the same pod exposes every value whose recording had returned.
 */
@RequiresDocker
final class OutOfMemoryIT {
  @TempDir Path folder = Path.of("set by JUnit");
  private Pod pod;

  @BeforeEach
  void makePod() throws Exception {
    pod = new Pod();
    pod.addCrashVolume("64m");
    pod.startSidecar("HDR_SIDECAR_CRASH_FOLDER=" + Pod.CRASH_FOLDER);
    pod.awaitReady();
  }

  @AfterEach
  void removePod() throws Exception {
    pod.remove();
  }

  @Test
  void containerKilledForItsMemory_valuesRecorded_areExposedOnce() throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    pod.startJava(options(), command());

    assertThat(pod.await(Pod.APPLICATION)).isEqualTo(137);
    long deadAt = System.nanoTime();
    assertThat(pod.state(Pod.APPLICATION, "OOMKilled")).isEqualTo("true");

    Truth truth = Truth.open(folder.resolve("truth"));
    Comparison compared =
        Eventually.gives(
            () -> {
              Comparison now = Comparison.of(truth, total());
              assertThat(now.isExact()).as(now.toString()).isTrue();
              return now;
            });
    System.out.printf(
        "out of memory: %s exposed %d ms after the end%n",
        compared, (System.nanoTime() - deadAt) / 1_000_000);
    assertThat(compared.recorded()).isGreaterThan(10_000);
  }

  private JsonObject total() throws Exception {
    String path = "/api/v1/histogram?window=total&buckets=true&series=";
    String answer = pod.get(path + URLEncoder.encode("crash", StandardCharsets.UTF_8));
    return new JsonObject(answer).getJsonObject("data");
  }

  /** The classes are those of this test, read where they are. */
  private List<String> options() {
    List<String> options =
        new ArrayList<>(
            List.of("--memory=256m", "--memory-swap=256m", "--volume=" + folder + ":/truth"));
    classPath().forEach(path -> options.add("--volume=" + path + ":" + path + ":ro"));
    return options;
  }

  private static List<String> command() throws Exception {
    return List.of(
        Images.tools(),
        "java",
        "-Xmx64m",
        "-XX:MaxDirectMemorySize=2g",
        "-cp",
        String.join(File.pathSeparator, classPath()),
        Victim.class.getName(),
        "/truth/truth",
        "leak",
        "3000");
  }

  private static Set<String> classPath() {
    Set<String> paths = new LinkedHashSet<>();
    for (String path : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (path.contains("hdr-sidecar-") || path.contains("HdrHistogram") || isClasses(path)) {
        paths.add(Path.of(path).toAbsolutePath().toString());
      }
    }
    return paths;
  }

  private static boolean isClasses(String path) {
    return path.endsWith("classes");
  }
}
