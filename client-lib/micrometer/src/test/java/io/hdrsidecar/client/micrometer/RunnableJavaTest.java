package io.hdrsidecar.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.send.TestPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The Java in README and {@code docs/} that is marked as runnable compiles, runs and delivers: each
 * block in a program of its own, around which stands what a service would have.
 */
class RunnableJavaTest {
  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..", "..");
  private static final Pattern BLOCK =
      Pattern.compile("(?s)<!-- runnable -->\\s*```java\\R(.*?)```");

  /** What the blocks take for granted; a block may declare the same names itself. */
  private static final String PROGRAM =
      """
      import io.hdrsidecar.client.*;
      import io.hdrsidecar.client.micrometer.*;
      import io.hdrsidecar.client.schedule.*;
      import io.hdrsidecar.series.*;
      import io.micrometer.core.instrument.*;
      import io.micrometer.core.instrument.Timer;
      import io.micrometer.core.instrument.composite.*;
      import io.micrometer.core.instrument.simple.*;

      public class Service {
        static HdrSidecarClient client = HdrSidecarClient.fromEnvironment();
        static MeterRegistry theRegistryYouHave = new SimpleMeterRegistry();
        static CompositeMeterRegistry registry = new CompositeMeterRegistry();
        static long nanos = 1_500_000;

        static void pay() {}

        static void handle() {}

        static void block() throws Exception {
      %s
        }

        public static void main(String[] args) throws Exception {
          block();
          registry.timer("call").record(java.time.Duration.ofMillis(2));
          registry.close();
          client.close();
        }
      }
      """;

  private final Path folder;

  RunnableJavaTest(@TempDir Path folder) {
    this.folder = folder;
  }

  /** A block, and where it stands. */
  record Block(String page, String text) {
    @Override
    public String toString() {
      return page + ": " + text.lines().findFirst().orElse("");
    }
  }

  static List<Block> blocks() throws IOException {
    List<Block> blocks = new ArrayList<>();
    for (Path page : pages()) {
      Matcher block = BLOCK.matcher(Files.readString(page));
      while (block.find()) {
        blocks.add(new Block(ROOT.relativize(page).toString(), block.group(1)));
      }
    }
    return blocks;
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(ROOT.resolve("docs"))) {
      return Stream.concat(Stream.of(ROOT.resolve("README.md")), docs.sorted())
          .filter(page -> page.toString().endsWith(".md"))
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("blocks")
  void block_inAService_deliversValues(Block block) throws Exception {
    Path service = folder.resolve("Service.java");
    Files.writeString(service, PROGRAM.formatted(block.text().indent(4)));
    try (TestPeer peer = TestPeer.onTcp()) {
      SourceFile.run(service, peer, SourceFile.MICROMETER, folder);
      assertThat(peer.mergedValues()).isPositive();
      assertThat(peer.breaches()).isEmpty();
    }
  }
}
