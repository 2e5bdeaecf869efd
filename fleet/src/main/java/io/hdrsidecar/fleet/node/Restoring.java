package io.hdrsidecar.fleet.node;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StateRestoreListener;

/** How far the stores of this node are that are restored at the moment. Any thread. */
final class Restoring implements StateRestoreListener {
  /** Of one store of one partition, in records of its changelog. */
  private record Progress(long from, long at, long to) {}

  private final Map<TopicPartition, Progress> stores = new ConcurrentHashMap<>();

  @Override
  public void onRestoreStart(TopicPartition partition, String store, long from, long to) {
    stores.put(partition, new Progress(from, from, to));
  }

  @Override
  public void onBatchRestored(TopicPartition partition, String store, long at, long records) {
    stores.computeIfPresent(partition, (p, before) -> new Progress(before.from, at, before.to));
  }

  @Override
  public void onRestoreEnd(TopicPartition partition, String store, long records) {
    stores.remove(partition);
  }

  @Override
  public void onRestoreSuspended(TopicPartition partition, String store, long records) {
    stores.remove(partition);
  }

  int stores() {
    return stores.size();
  }

  /** Records that are not restored yet. */
  long remaining() {
    return stores.values().stream().mapToLong(p -> Math.max(0, p.to - p.at)).sum();
  }

  /** For people; empty when nothing is restored. */
  String text() {
    if (stores.isEmpty()) {
      return "";
    }
    long all = stores.values().stream().mapToLong(p -> Math.max(0, p.to - p.from)).sum();
    return "restoring %d stores, %d of %d records are left"
        .formatted(stores.size(), remaining(), all);
  }
}
