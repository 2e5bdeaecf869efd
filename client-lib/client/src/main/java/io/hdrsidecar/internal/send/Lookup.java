package io.hdrsidecar.internal.send;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.Selector;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Turns the sidecar's address into one to connect to, without keeping the client's thread from its
 * harvests: a resolver whose servers do not answer may take half a minute, so a host name is looked
 * up on a daemon thread that ends with the lookup. There is never more than one.
 *
 * <p>All methods are for the client's thread.
 */
final class Lookup {
  /** Answers with an address, in its own time. */
  @FunctionalInterface
  interface Resolver {
    /** See {@link SidecarAddress#resolve}. */
    SocketAddress resolve(int attempt) throws IOException;
  }

  private final Resolver resolver;
  private final boolean mayTakeTime;
  private @Nullable CompletableFuture<SocketAddress> found;

  /** Whom the thread wakes when it has an answer. */
  private volatile @Nullable Selector waiting;

  /**
   * No lookup yet.
   *
   * @param mayTakeTime whether the resolver needs a thread of its own
   */
  Lookup(Resolver resolver, boolean mayTakeTime) {
    this.resolver = resolver;
    this.mayTakeTime = mayTakeTime;
  }

  /** Starts a lookup, unless one is still under way; its answer will do. */
  void start(int attempt, Selector selector) {
    waiting = selector;
    if (found != null) {
      return;
    }
    CompletableFuture<SocketAddress> started = new CompletableFuture<>();
    if (mayTakeTime) {
      Thread thread = new Thread(() -> resolve(attempt, started), "hdr-sidecar-client-lookup");
      thread.setDaemon(true);
      thread.start();
    } else {
      resolve(attempt, started);
    }
    found = started;
  }

  private void resolve(int attempt, CompletableFuture<SocketAddress> answer) {
    try {
      answer.complete(resolver.resolve(attempt));
    } catch (Throwable e) { // Also an Error: without an answer there would be no other lookup.
      answer.completeExceptionally(e);
    }
    Selector selector = waiting;
    if (selector != null) {
      selector.wakeup();
    }
  }

  /** Whether there is an answer. */
  boolean isDone() {
    CompletableFuture<SocketAddress> current = found;
    return current != null && current.isDone();
  }

  /**
   * The answer, which is forgotten with that; there must be one.
   *
   * @throws IOException when the lookup failed
   */
  SocketAddress take() throws IOException {
    CompletableFuture<SocketAddress> current = found;
    if (current == null || !current.isDone()) {
      throw new IllegalStateException("no answer yet");
    }
    found = null;
    try {
      return current.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("lookup failed: " + e.getCause(), e.getCause());
    }
  }
}
