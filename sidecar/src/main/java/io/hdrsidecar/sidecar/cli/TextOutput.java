package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.sidecar.input.CauseText;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

/** A file, or standard output, that text is printed to, and whose failures do not go unnoticed. */
final class TextOutput implements Closeable {
  private final String name;
  private final PrintStream stream;
  private final boolean isStandardOutput;

  private TextOutput(String name, PrintStream stream, boolean isStandardOutput) {
    this.name = name;
    this.stream = stream;
    this.isStandardOutput = isStandardOutput;
  }

  static TextOutput standard(LogConsole console) {
    PrintStream buffered =
        new PrintStream(
            new BufferedOutputStream(console.out(), 1 << 16), false, StandardCharsets.UTF_8);
    return new TextOutput("standard output", buffered, true);
  }

  /**
   * Creates or overwrites a file.
   *
   * @param inputs must not be among them
   * @throws IOException with a message for people
   */
  static TextOutput file(String name, List<LogInput> inputs) throws IOException {
    return new TextOutput(
        name, new PrintStream(open(name, inputs), false, StandardCharsets.UTF_8), false);
  }

  /** The same for what is no text. */
  static OutputStream open(String name, List<LogInput> inputs) throws IOException {
    Path path = Path.of(name);
    for (LogInput input : inputs) {
      if (!input.isStandardInput()
          && Files.exists(path)
          && Files.exists(Path.of(input.name()))
          && Files.isSameFile(path, Path.of(input.name()))) {
        throw new IOException(name + ": is read, too; give the output another name");
      }
    }
    try {
      return new BufferedOutputStream(Files.newOutputStream(path), 1 << 16);
    } catch (NoSuchFileException e) {
      throw new IOException(name + ": its folder does not exist", e);
    } catch (IOException e) {
      throw new IOException("cannot be written: " + CauseText.of(e), e); // names the file
    }
  }

  PrintStream stream() {
    return stream;
  }

  /**
   * Flushes, and closes a file.
   *
   * @throws IOException when something could not be written
   */
  @Override
  public void close() throws IOException {
    boolean failed = stream.checkError(); // flushes first
    if (!isStandardOutput) {
      stream.close();
      failed |= stream.checkError();
    }
    if (failed) {
      throw new IOException(
          name + ": not everything could be written: the disk is full, or the reader gone");
    }
  }
}
