package io.hdrsidecar.sidecar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Names mistyped, files that are empty or something else: told by name, and nothing made of it. */
class UnusableInputTest {
  private static final Path LOG = Fixtures.path(Fixtures.V2);

  @TempDir Path folder = Path.of("set by JUnit");

  @ParameterizedTest
  @ValueSource(strings = {"summarize", "process", "union", "tags", "csv", "buckets", "split"})
  void anyTool_onAMissingFile_saysThatAndNoMore(String tool) {
    LogToolRun run = LogToolRun.of(tool, folder.resolve("mistyped.hlog"));

    assertThat(run).isEqualTo(failed(folder.resolve("mistyped.hlog") + ": no such file\n", run));
  }

  @ParameterizedTest
  @ValueSource(strings = {"summarize", "process", "union", "tags", "csv", "buckets", "import"})
  void anyTool_onAnEmptyFile_namesIt(String tool) throws Exception {
    Path empty = Files.createFile(folder.resolve("empty.hlog"));

    LogToolRun run = LogToolRun.of(tool, empty);

    assertThat(run).isEqualTo(failed(empty + ": is empty\n", run));
    assertThat(LogToolRun.of(tool, "/dev/null").err()).isEqualTo("/dev/null: is empty\n");
    assertThat(LogToolRun.of(tool).err()).isEqualTo("standard input: is empty\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"summarize", "process", "union", "tags", "csv", "buckets", "split"})
  void anyTool_onALogWithoutIntervals_namesIt(String tool) throws Exception {
    Path begun = folder.resolve("begun.hlog");
    Files.writeString(begun, "#[Histogram log format version 1.3]\n\n");

    LogToolRun run = LogToolRun.of(tool, begun);

    assertThat(run)
        .isEqualTo(
            failed(
                begun + ": has no interval; a line of a log is START,LENGTH,MAXIMUM,HISTOGRAM\n",
                run));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE"})
  void summarize_onALogInUtf16_saysHowToWriteItAnew(String charset) throws Exception {
    Path log = folder.resolve("powershell.hlog"); // as its > writes what a program prints
    Files.write(log, Files.readString(LOG).getBytes(Charset.forName(charset)));

    LogToolRun run = LogToolRun.of("summarize", log);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .isEqualTo(
            log
                + ": is text in UTF-16; write it as UTF-8, as does iconv -f UTF-16 -t UTF-8 "
                + log
                + "\n");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 9, 12}) // of a head of 10 bytes and a name that ends with 0
  void anyTool_onGzipThatEndsWithinItsHead_namesTheFileAndSaysSo(int length) throws Exception {
    Path cut = folder.resolve("cut.hlog.gz");
    byte[] head = {0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, 3, 'c', 'u', 't', 0};
    Files.write(cut, Arrays.copyOf(head, length));

    for (String tool : List.of("summarize", "tags", "explore", "import")) {
      LogToolRun run = LogToolRun.of(tool, cut);

      assertThat(run.exitCode()).as(tool).isEqualTo(1);
      assertThat(run.err())
          .as(tool)
          .startsWith(cut + ": its gzip data ends within its head; it was cut, copy it again");
    }
  }

  @Test
  void summarize_onGzipWithAnImpossibleHead_namesTheFile() throws Exception {
    Path damaged = folder.resolve("damaged.hlog.gz");
    Files.write(damaged, new byte[] {0x1f, (byte) 0x8b, 77, 0, 0, 0, 0, 0, 0, 3, 1, 2});

    LogToolRun run = LogToolRun.of("summarize", damaged);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).startsWith(damaged + ": its gzip data is damaged: ");
  }

  @Test
  void union_toWhatIsNoFile_saysWhy() {
    LogToolRun run = LogToolRun.of("union", "-o", folder, LOG);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).isEqualTo("cannot be written: Is a directory: " + folder + "\n");
  }

  @Test
  void summarize_atATerminal_saysHowToEndTheInput() throws Exception {
    byte[] log = Files.readAllBytes(LOG);
    String notice = "reading a log from this terminal: Ctrl-D ends it; to read a file, name it";

    LogToolRun typed = LogToolRun.typed(log, "summarize");

    assertThat(typed.err()).startsWith(notice).hasLineCount(1);
    assertThat(typed.exitCode()).isZero();
    assertThat(LogToolRun.withInput(log, "summarize").err()).isEmpty();
    assertThat(LogToolRun.typed(log, "summarize", LOG).err()).isEmpty();
  }

  private static LogToolRun failed(String err, LogToolRun run) {
    boolean heads = run.out().startsWith("Tag,"); // of csv, before it reads
    return new LogToolRun(1, heads ? run.out() : "", err);
  }

  @Test
  void summarize_ofAGoodLogAndOneWithoutIntervals_isThatOfTheGoodOne() throws Exception {
    Path begun = folder.resolve("begun.hlog");
    Files.writeString(begun, "#[Histogram log format version 1.3]\n");

    LogToolRun run = LogToolRun.of("summarize", begun, LOG);

    assertThat(run.exitCode()).isZero();
    assertThat(run.figure("TotalCount")).isEqualTo("48761");
  }

  @Test
  void process_ofAMistypedName_leavesWhatAnEarlierRunWrote() throws Exception {
    Path out = folder.resolve("out");
    LogToolRun.of("process", "-o", out, LOG);
    String table = Files.readString(out);

    LogToolRun.of("process", "-o", out, folder.resolve("mistyped.hlog"));

    assertThat(Files.readString(out)).isEqualTo(table).isNotEmpty();
  }

  @Test
  void diff_withAMissingSide_comparesNothing() {
    Path missing = folder.resolve("mistyped.hlog");

    LogToolRun run = LogToolRun.of("diff", LOG, missing);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .isEqualTo(missing + ": no such file\nnothing to compare: B has no interval\n");
    assertThat(LogToolRun.of("diff", missing, LOG).err()).endsWith("A has no interval\n");
    assertThat(LogToolRun.of("diff", LOG, "--a-tag", "x", "--b-tag", "y").err())
        .endsWith("A and B have no interval\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"p50\": 1.5}", "{\n}", "\n\n", "# nothing\n", "time,latency\n", "hello\n"})
  void import_ofSomethingElse_isAnErrorAndWritesNoLog(String text) throws Exception {
    Path input = folder.resolve("results.json");
    Files.writeString(input, text);
    Path out = folder.resolve("out.hlog");

    LogToolRun run = LogToolRun.of("import", "-o", out, input);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).startsWith(input.toString());
    assertThat(out).doesNotExist();
  }

  @Test
  void import_ofAMistypedName_leavesTheLogThatIsThere() throws Exception {
    Path out = folder.resolve("out.hlog");
    Files.copy(LOG, out);

    assertThat(LogToolRun.of("import", "-o", out, folder.resolve("mistyped")).exitCode())
        .isEqualTo(1);

    assertThat(out).hasSameBinaryContentAs(LOG);
  }

  @Test
  void summarize_ofLogsWithByteOrderMarks_losesNoLine() throws Exception {
    String log = Fixtures.text(LOG);
    String first = log.lines().filter(line -> line.startsWith("0.127")).findFirst().orElseThrow();
    Path headed = written("headed.hlog", "\ufeff" + log);
    Path bare = written("bare.hlog", "\ufeff" + first + "\r\n\ufeff" + first + "\n");

    LogToolRun run = LogToolRun.of("summarize", headed);

    assertThat(run).isEqualTo(LogToolRun.of("summarize", LOG));
    LogToolRun ofBare = LogToolRun.of("summarize", bare);
    assertThat(ofBare.err()).isEmpty();
    assertThat(ofBare.figure("TotalCount")).isEqualTo("1482"); // twice 741
  }

  @Test
  void import_ofTextsWithByteOrderMarks_readsAllOfThem() throws Exception {
    Path latencies = written("latencies.txt", "\ufeff1700000000 5\n1700000000 7\n");
    Path distribution =
        written("out.hgrm", "\ufeff" + LogToolRun.of("summarize", "-f", "hgrm", LOG).out());

    for (var expected : List.of(List.of(latencies, "2"), List.of(distribution, "48761"))) {
      LogToolRun imported = LogToolRun.of("import", "--at", "@0", expected.get(0));
      assertThat(imported.err()).isEmpty();
      byte[] log = imported.out().getBytes(StandardCharsets.UTF_8);
      assertThat(LogToolRun.withInput(log, "summarize").figure("TotalCount"))
          .isEqualTo(expected.get(1));
    }
  }

  private Path written(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text);
  }
}
