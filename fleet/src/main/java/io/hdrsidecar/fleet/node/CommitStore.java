package io.hdrsidecar.fleet.node;

import java.util.Map;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.internals.CacheFlushListener;
import org.apache.kafka.streams.state.internals.CachedStateStore;
import org.jspecify.annotations.Nullable;

/**
 * A store without contents, for being called in the commit: what is on the heap then goes to the
 * other stores, so that it is in the transaction with the positions in the topics.
 *
 * <p>Of all that Kafka Streams offers only its own caches are called there: {@code
 * StateStore.flush} and {@code commit} come after the transaction, and under exactly once not with
 * each; a punctuator comes at other times. So this says that it is such a cache, by an interface
 * that is not public API. {@link CommitListener} refuses a commit for which it was not called.
 */
final class CommitStore implements StateStore, CachedStateStore<byte[], byte[]> {
  private final String name;
  private Runnable onCommit = () -> {};
  private boolean isOpen;

  private CommitStore(String name) {
    this.name = name;
  }

  /** What Kafka Streams makes one of for each partition. */
  static StoreBuilder<CommitStore> builder(String name) {
    return new Builder(name);
  }

  /** From now on each commit begins with this. */
  void onCommit(Runnable action) {
    onCommit = action;
  }

  @Override
  public void flushCache() {
    onCommit.run();
  }

  @Override
  public void clearCache() {}

  @Override
  public boolean setFlushListener(
      CacheFlushListener<byte[], byte[]> listener, boolean sendOldValues) {
    return false;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void init(StateStoreContext context, StateStore root) {
    isOpen = true;
    context.register(root, (key, value) -> {});
  }

  @Override
  public void commit(Map<org.apache.kafka.common.TopicPartition, Long> changelogOffsets) {}

  @Override
  public void close() {
    isOpen = false;
    onCommit = () -> {};
  }

  @Override
  public boolean persistent() {
    return false;
  }

  @Override
  public boolean isOpen() {
    return isOpen;
  }

  private record Builder(String name) implements StoreBuilder<CommitStore> {
    @Override
    public StoreBuilder<CommitStore> withCachingEnabled() {
      return this;
    }

    @Override
    public StoreBuilder<CommitStore> withCachingDisabled() {
      return this;
    }

    @Override
    public StoreBuilder<CommitStore> withLoggingEnabled(@Nullable Map<String, String> config) {
      throw new UnsupportedOperationException("there is nothing to log");
    }

    @Override
    public StoreBuilder<CommitStore> withLoggingDisabled() {
      return this;
    }

    @Override
    public CommitStore build() {
      return new CommitStore(name);
    }

    @Override
    public Map<String, String> logConfig() {
      return Map.of();
    }

    @Override
    public boolean loggingEnabled() {
      return false;
    }
  }
}
