package io.hdrsidecar.internal.spill;

import java.nio.file.Path;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The first of any number of files, by name, in bounded memory: names begin with the time. */
final class OldestFiles {
  private final int most;
  private final TreeSet<Path> files = new TreeSet<>();

  OldestFiles(int most) {
    this.most = most;
  }

  void add(Path file) {
    files.add(file);
    if (files.size() > most) {
      files.pollLast();
    }
  }

  Stream<Path> inOrder() {
    return files.stream();
  }
}
