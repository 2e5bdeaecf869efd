package io.hdrsidecar.sidecar.access;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the files of listeners without listening. Blocks; any thread, not an event loop's. Close
 * it.
 */
public final class AccessCheck implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setFileSystemOptions(noCache()));
  private final List<String> problems = new ArrayList<>();

  /** The file system may be read-only, and a cache would need a folder. */
  private static FileSystemOptions noCache() {
    return new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
  }

  /** Reads the files of this listener. */
  public void look(AccessConfig config) {
    int before = problems.size();
    TlsConfig tls = config.tls();
    if (tls != null) {
      read(tls.certificate());
      read(tls.key());
      read(tls.clientCa());
    }
    boolean tlsIsReadable = problems.size() == before;
    Path tokenFile = config.tokenFile();
    if (tokenFile != null) {
      attempt(() -> Access.tokens(config, AccessFiles.of(tokenFile)));
    }
    if (tls != null && tlsIsReadable) {
      attempt(() -> ServerTls.of(tls, AccessFiles.read(new AccessConfig(tls, null)), vertx));
    }
  }

  /** Something that finds a problem. */
  private interface Attempt {
    Object make() throws IOException;
  }

  private void read(@Nullable Path file) {
    attempt(() -> AccessFiles.read(file));
  }

  private void attempt(Attempt attempt) {
    try {
      attempt.make();
    } catch (IOException e) {
      String problem = String.valueOf(e.getMessage());
      if (!problems.contains(problem)) { // Both listeners may have the same files.
        problems.add(problem);
      }
    }
  }

  /** What is wrong, each naming its file. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  @Override
  public void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
