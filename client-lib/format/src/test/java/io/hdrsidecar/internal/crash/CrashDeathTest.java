package io.hdrsidecar.internal.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that is killed between any two steps leaves each value in exactly one interval. */
class CrashDeathTest {
  private static final int KILLED = 128 + 9;

  @RegisterExtension final MemoryFolder folder = new MemoryFolder();
  @TempDir Path aside = Path.of("set by JUnit");

  /** Frames one to five, two take-backs and a new id, in the order of the victim. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "redo-written:1",
        "redo-begun:1",
        "redo-done:1",
        "redo-begun:2",
        "redo-written:4",
        "redo-begun:4",
        "redo-done:4",
        "redo-begun:5",
        "redo-written:6",
        "redo-begun:6",
        "redo-done:6",
        "redo-begun:7",
        "redo-done:8",
        "frame-written",
        "frame-written:3",
        "frame-committed",
        "frame-committed:5",
        "settled",
        "settled:2",
        "settled:3",
        "take-back-written",
        "taken-back",
        "take-back-done",
        "taken-back:2",
        "hello-written",
        "started-over"
      })
  void kill_atAnyStep_leavesEachValueInOneInterval(String point) throws Exception {
    List<String> diary = dieAt(point);

    List<Left> left = Left.in(folder.path());

    assertThat(left).hasSize(1);
    assertThat(left.get(0).contents.damage()).isEmpty();
    Set<String> numbers = new HashSet<>();
    Map<String, Map<Long, Long>> recorded = new TreeMap<>();
    Map<String, Map<Long, Long>> counted = new TreeMap<>();
    for (String line : diary) {
      String[] words = line.split(" ", -1);
      if (words[0].equals("number")) {
        numbers.add(words[1] + " " + words[2]);
      } else {
        long[] values =
            LongStream.range(2, words.length).map(i -> Long.parseLong(words[(int) i])).toArray();
        add(Left.expected(values), words[0].equals("recorded") ? recorded : counted, words[1]);
      }
    }
    for (Left.Interval interval : left.get(0).intervals) {
      if (numbers.add(interval.instance() + " " + interval.sequence())) {
        Map<Long, Long> counts = new TreeMap<>();
        Left.add(interval.counts(), counts);
        add(counts, counted, interval.series());
      }
    }
    assertThat(counted).isEqualTo(recorded);
  }

  /** Before the file has its name nobody finds it, and nothing was recorded. */
  @ParameterizedTest
  @ValueSource(strings = {"header-written", "complete", "published"})
  void kill_whileTheFileIsMade_leavesNothing(String point) throws Exception {
    assertThat(dieAt(point)).isEmpty();

    assertThat(Left.in(folder.path()))
        .hasSize(point.equals("published") ? 1 : 0)
        .allSatisfy(left -> assertThat(left.contents.isWhole()).isTrue())
        .allSatisfy(left -> assertThat(left.intervals).isEmpty());
  }

  private static void add(Map<Long, Long> counts, Map<String, Map<Long, Long>> to, String series) {
    Map<Long, Long> present = to.computeIfAbsent(series, absent -> new TreeMap<>());
    counts.forEach((bucket, count) -> present.merge(bucket, count, Long::sum));
  }

  /** Returns what the victim has written down. */
  private List<String> dieAt(String point) throws IOException, InterruptedException {
    Path diary = aside.resolve("diary");
    File printed = aside.resolve("printed").toFile();
    Process victim =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xmx64m",
                "-Dio.hdrsidecar.crash.fault=" + point,
                "-cp",
                System.getProperty("java.class.path"),
                CrashVictim.class.getName(),
                folder.path().toString(),
                diary.toString())
            .redirectErrorStream(true)
            .redirectOutput(printed)
            .start();
    try {
      assertThat(victim.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      victim.destroyForcibly();
    }
    assertThat(victim.exitValue())
        .as(() -> point + " was not reached: " + text(printed.toPath()))
        .isEqualTo(KILLED);
    return Files.exists(diary) ? Files.readAllLines(diary) : List.of();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
