package io.hdrsidecar.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The files of {@code docs/frames}, which {@code golden_frames.py} has written, against the code:
 * each good one is read and written the same, each damaged one refused for the reason that it is
 * named by.
 */
class GoldenFramesTest {
  private static final Path FOLDER = Path.of("..", "..", "docs", "frames");
  private static final int DAMAGED = 5;

  private static List<Path> files(boolean isGood) throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files
          .filter(file -> file.toString().endsWith(".hex"))
          .filter(file -> Character.isDigit(name(file).charAt(0)) == isGood)
          .sorted()
          .toList();
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString().replace(".hex", "");
  }

  private static byte[] bytes(Path file) throws IOException {
    String hex =
        Files.readAllLines(file).stream()
            .map(line -> line.substring(0, line.indexOf('|')))
            .collect(Collectors.joining())
            .replace(" ", "");
    return HexFormat.of().parseHex(hex);
  }

  private static List<Object> read(byte[] bytes) throws MalformedFrameException {
    return Frames.readAll(new FrameDecoder(Frames.MAX_BODY_BYTES), ByteBuffer.wrap(bytes));
  }

  @Test
  void goodFiles_areReadAndWrittenTheSame() throws Exception {
    List<Path> good = files(true);
    assertThat(good)
        .extracting(file -> name(file).substring(3))
        .containsExactly(
            "hello",
            "welcome",
            "series",
            "interval",
            "ack",
            "interval",
            "reject",
            "ack",
            "health",
            "goodbye",
            "hello",
            "welcome");
    for (Path file : good) {
      List<Object> frames = read(bytes(file));
      assertThat(frames).as("%s", file).hasSize(1);
      assertThat(Frames.write(frames)).as("%s", file).isEqualTo(bytes(file));
    }
  }

  /** What a reader is shown is what the files have. */
  @Test
  void goodFiles_areTheSessionOfTheDocument() throws IOException {
    String document = Files.readString(Path.of("..", "..", "PROTOCOL.md"));
    for (Path file : files(true)) {
      List<String> lines = Files.readAllLines(file);
      assertThat(document)
          .as("%s", file)
          .contains(String.join("\n", lines.subList(1, lines.size())) + "\n```");
    }
  }

  @Test
  void damagedFiles_areRefusedForTheReasonOfTheirName() throws IOException {
    List<Path> damaged = files(false);
    assertThat(damaged).hasSize(DAMAGED);
    for (Path file : damaged) {
      byte[] bytes = bytes(file);
      MalformedFrameException refused =
          catchThrowableOfType(MalformedFrameException.class, () -> read(bytes));
      assertThat(refused).as("%s", file).isNotNull();
      assertThat(refused.reason().label()).isEqualTo(name(file));
    }
  }
}
