package io.hdrsidecar.sidecar.docs;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The files of the project, without those that builds make: of these there are many, and other
 * modules make and delete some while tests of this one run.
 */
final class ProjectFiles {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> MADE = Set.of("target", "node_modules", ".git");

  private ProjectFiles() {}

  /** All of them, in the order of their names. */
  static List<Path> all() throws IOException {
    TreeSet<Path> all = new TreeSet<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return MADE.contains(String.valueOf(folder.getFileName()))
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            all.add(file);
            return FileVisitResult.CONTINUE;
          }
        });
    return List.copyOf(all);
  }

  /** Those whose path from the root of the project matches. */
  static List<Path> matching(String pattern) throws IOException {
    return all().stream().filter(f -> ROOT.relativize(f).toString().matches(pattern)).toList();
  }
}
