package io.hdrsidecar.sidecar.cli;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * A log as named on the command line: a file, gzipped or not, or standard input.
 *
 * @param tagPrefix what its intervals are to be tagged with when logs are joined; empty for nothing
 */
record LogInput(String name, String tagPrefix, LogConsole console) {
  private static final String STANDARD_INPUT = "-";
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final int BUFFER_BYTES = 64 * 1024;

  boolean isStandardInput() {
    return name.equals(STANDARD_INPUT);
  }

  /** How messages call it. */
  String displayName() {
    return isStandardInput() ? "standard input" : name;
  }

  /** Its name without folders, fit to make other names from. */
  String baseName() {
    return isStandardInput() ? "stdin" : String.valueOf(Path.of(name).getFileName());
  }

  /** Whether it is a file whose lines can be read at any place: neither a pipe nor gzipped. */
  boolean isSeekable() throws IOException {
    if (isStandardInput() || !Files.isRegularFile(Path.of(name))) {
      return false;
    }
    try (InputStream in = openFile()) {
      return (in.read() << 8 | in.read()) != GZIP_MAGIC;
    }
  }

  /**
   * Opens it.
   *
   * @throws IOException with a message for people, also when it is empty
   */
  InputStream open(Messages messages) throws IOException {
    if (isStandardInput() && console.typedInput()) {
      messages.note(
          "reading a log from this terminal: Ctrl-D ends it; to read a file, name it (see --help)");
    }
    InputStream raw = isStandardInput() ? console.in() : openFile();
    long total = isStandardInput() ? 0 : Files.size(Path.of(name));
    return unzipped(new Watched(raw, displayName(), total, messages), displayName());
  }

  private InputStream openFile() throws IOException {
    try {
      Path path = Path.of(name);
      if (Files.isDirectory(path)) {
        throw new IOException(name + ": is a directory; name the logs in it");
      }
      return Files.newInputStream(path);
    } catch (NoSuchFileException e) {
      throw new IOException(name + ": no such file", e);
    } catch (AccessDeniedException e) {
      throw new IOException(name + ": may not be read", e);
    } catch (InvalidPathException e) {
      throw new IOException(name + ": no file can have this name", e);
    }
  }

  private static InputStream unzipped(InputStream raw, String name) throws IOException {
    BufferedInputStream in = new BufferedInputStream(raw, BUFFER_BYTES);
    in.mark(2);
    int first = in.read();
    if (first < 0) {
      in.close();
      throw new IOException(name + ": is empty");
    }
    int second = in.read();
    int magic = first << 8 | second;
    in.reset();
    if (magic == 0xfffe || magic == 0xfeff || (first == 0) != (second == 0)) {
      in.close();
      throw new IOException(
          name
              + ": is text in UTF-16; write it as UTF-8, as does iconv -f UTF-16 -t UTF-8 "
              + name);
    }
    return magic == GZIP_MAGIC ? gunzipped(in, name) : in;
  }

  private static InputStream gunzipped(InputStream in, String name) throws IOException {
    try {
      return new GZIPInputStream(in, BUFFER_BYTES);
    } catch (EOFException e) {
      in.close();
      throw new IOException(
          name + ": its gzip data ends within its head; it was cut, copy it again", e);
    } catch (ZipException e) {
      in.close();
      throw new IOException(name + ": its gzip data is damaged: " + e.getMessage(), e);
    }
  }

  /** Counts what is read of a stream, for progress. */
  private static final class Watched extends FilterInputStream {
    private final String name;
    private final long total;
    private final Messages messages;
    private long bytes;

    Watched(InputStream in, String name, long total, Messages messages) {
      super(in);
      this.name = name;
      this.total = total;
      this.messages = messages;
    }

    @Override
    public int read() throws IOException {
      int read = super.read();
      bytes += read < 0 ? 0 : 1;
      return read;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int read = super.read(target, offset, length);
      bytes += Math.max(read, 0);
      messages.progress(name, bytes, total);
      return read;
    }
  }
}
