package io.hdrsidecar.fleet.node;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.StandbyUpdateListener;
import org.apache.kafka.streams.processor.TaskId;

/** The stores that this node follows for another one, which merges their partitions. Any thread. */
final class Standbys implements StandbyUpdateListener {
  private final Set<TopicPartition> stores = ConcurrentHashMap.newKeySet();

  @Override
  public void onUpdateStart(TopicPartition changelog, String store, long from) {
    stores.add(changelog);
  }

  @Override
  public void onBatchLoaded(
      TopicPartition changelog, String store, TaskId task, long to, long records, long end) {
    // How far it is, records that come later included, the consumer knows.
  }

  @Override
  public void onUpdateSuspended(
      TopicPartition changelog, String store, long at, long end, SuspendReason reason) {
    stores.remove(changelog);
  }

  int stores() {
    return stores.size();
  }
}
