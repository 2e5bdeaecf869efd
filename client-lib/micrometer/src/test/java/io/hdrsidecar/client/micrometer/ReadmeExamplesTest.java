package io.hdrsidecar.client.micrometer;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.internal.send.TestPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Java of client-lib/README.md is that of the files in client-lib/examples, and these run, each
 * in a JVM of its own with nothing on the class path but what the README names.
 */
class ReadmeExamplesTest {
  private static final Path CLIENT_LIB = Path.of(System.getProperty("basedir", "."), "..");
  private static final Pattern JAVA_BLOCK = Pattern.compile("(?s)```java\\R(.*?)```");
  private static final Pattern CLASS_NAME = Pattern.compile("public class (\\w+)");

  private final Path outputs;

  ReadmeExamplesTest(@TempDir Path outputs) {
    this.outputs = outputs;
  }

  @Test
  void readme_javaBlocks_areTheExamples() throws IOException {
    List<String> inReadme = new ArrayList<>();
    for (String block : javaBlocks()) {
      Matcher name = CLASS_NAME.matcher(block);
      assertThat(name.find()).as("has a class: %s", block).isTrue();
      inReadme.add(name.group(1) + ".java");
      assertThat(block).isEqualTo(Files.readString(example(name.group(1))));
    }
    try (Stream<Path> files = Files.list(CLIENT_LIB.resolve("examples"))) {
      assertThat(inReadme)
          .containsExactlyInAnyOrderElementsOf(
              files.map(file -> file.getFileName().toString()).toList());
    }
  }

  @Test
  void quickstart_run_deliversBothValues() throws Exception {
    try (TestPeer peer = TestPeer.onTcp()) {
      assertThat(run("Quickstart", peer, SourceFile.CLIENT)).contains("paid");
      Accumulation merged = requireNonNull(peer.merged("checkout{route=\"/pay\"}"));
      assertThat(merged.count()).isEqualTo(2);
      assertThat(peer.breaches()).isEmpty();
    }
  }

  @Test
  void micrometerMain_run_deliversItsTimer() throws Exception {
    try (TestPeer peer = TestPeer.onTcp()) {
      assertThat(run("MicrometerMain", peer, SourceFile.MICROMETER)).contains("1000 calls");
      Accumulation merged = requireNonNull(peer.merged("shop_checkout{route=\"/pay\"}"));
      assertThat(merged.count()).isEqualTo(1_000);
      Await.until("goodbye", () -> peer.goodbyes() == 1);
    }
  }

  @Test
  void openLoadMain_run_deliversThreeTimesOfEachCall() throws Exception {
    try (TestPeer peer = TestPeer.onTcp()) {
      run("OpenLoadMain", peer, SourceFile.CLIENT);
      assertThat(peer.mergedKeys())
          .containsExactly("pay{kind=\"response\"}", "pay{kind=\"service\"}", "pay{kind=\"wait\"}");
      assertThat(peer.mergedValues()).isEqualTo(3 * 500);
    }
  }

  private String run(String example, TestPeer peer, List<Class<?>> classPath) throws Exception {
    return SourceFile.run(example(example), peer, classPath, outputs);
  }

  private static Path example(String className) {
    return CLIENT_LIB.resolve("examples").resolve(className + ".java");
  }

  private static String readme() throws IOException {
    return Files.readString(CLIENT_LIB.resolve("README.md"));
  }

  private static List<String> javaBlocks() throws IOException {
    return JAVA_BLOCK.matcher(readme()).results().map(found -> found.group(1)).toList();
  }
}
