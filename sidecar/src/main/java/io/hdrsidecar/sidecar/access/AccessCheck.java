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
  private @Nullable Vertx vertx;
  private final List<String> problems = new ArrayList<>();

  /** The file system may be read-only, and a cache would need a folder. */
  private static FileSystemOptions noCache() {
    return new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false);
  }

  /**
   * Reads the files of a listener.
   *
   * @param listener as its settings begin: {@code ingest}, {@code http}
   */
  public void look(String listener, AccessConfig config) {
    Path tokenFile = config.tokenFile();
    if (tokenFile != null) {
      attempt(() -> Access.tokens(listener, config, AccessFiles.tokens(listener, tokenFile)));
    }
    TlsConfig tls = config.tls();
    if (tls != null) {
      look(listener, tls);
    }
  }

  /** Each file by itself, and only when all can be read, what is in them. */
  private void look(String listener, TlsConfig tls) {
    boolean all = attempt(() -> AccessFiles.read(AccessFiles.CERTIFICATE, tls.certificate()));
    all &= attempt(() -> AccessFiles.read(AccessFiles.KEY, tls.key()));
    all &= attempt(() -> AccessFiles.read(AccessFiles.CLIENT_CA, tls.clientCa()));
    if (all) {
      AccessConfig alone = new AccessConfig(tls, null);
      attempt(() -> ServerTls.of(tls, AccessFiles.read(listener, alone), vertx()));
    }
  }

  private Vertx vertx() {
    Vertx made = vertx;
    if (made == null) {
      made = Vertx.vertx(new VertxOptions().setFileSystemOptions(noCache()));
      vertx = made;
    }
    return made;
  }

  /** Something that finds a problem. */
  private interface Attempt {
    Object make() throws IOException;
  }

  private boolean attempt(Attempt attempt) {
    try {
      attempt.make();
      return true;
    } catch (IOException e) {
      String problem = String.valueOf(e.getMessage());
      if (!problems.contains(problem)) { // Both listeners may have the same files.
        problems.add(problem);
      }
      return false;
    }
  }

  /** What is wrong, each naming its setting and its file. */
  public List<String> problems() {
    return List.copyOf(problems);
  }

  @Override
  public void close() {
    if (vertx != null) {
      vertx.close().toCompletionStage().toCompletableFuture().join();
    }
  }
}
