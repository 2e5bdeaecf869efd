package io.hdrsidecar.fleet.node;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/** A store in memory that counts the values it gives, and tells of each change. One thread. */
final class WatchedStore {
  private final KeyValueStore<Bytes, byte[]> inMemory;
  private Runnable afterChange = () -> {};
  private long reads;

  WatchedStore(String name) {
    this.inMemory = Stores.inMemoryKeyValueStore(name).get();
  }

  /** What is to be read and written. */
  @SuppressWarnings("unchecked")
  KeyValueStore<Bytes, byte[]> store() {
    return (KeyValueStore<Bytes, byte[]>)
        Proxy.newProxyInstance(
            KeyValueStore.class.getClassLoader(),
            new Class<?>[] {KeyValueStore.class},
            (proxy, method, args) -> watched(method, args));
  }

  /** Called when a put, delete or putAll is done. */
  void afterChange(Runnable action) {
    afterChange = action;
  }

  /** How many values were given since the last call. */
  long takeReads() {
    long taken = reads;
    reads = 0;
    return taken;
  }

  @SuppressWarnings("unchecked")
  private @Nullable Object watched(Method method, @Nullable Object @Nullable [] args)
      throws Throwable {
    Object result;
    try {
      result = method.invoke(inMemory, args);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    switch (method.getName()) {
      case "get" -> reads++;
      case "put", "delete", "putAll" -> afterChange.run();
      default -> {}
    }
    return result instanceof KeyValueIterator<?, ?> iterator
        ? new Counted((KeyValueIterator<Bytes, byte[]>) iterator)
        : result;
  }

  private final class Counted implements KeyValueIterator<Bytes, byte[]> {
    private final KeyValueIterator<Bytes, byte[]> all;

    Counted(KeyValueIterator<Bytes, byte[]> all) {
      this.all = all;
    }

    @Override
    public boolean hasNext() {
      return all.hasNext();
    }

    @Override
    public KeyValue<Bytes, byte[]> next() {
      reads++;
      return all.next();
    }

    @Override
    public Bytes peekNextKey() {
      return all.peekNextKey();
    }

    @Override
    public void close() {
      all.close();
    }
  }
}
