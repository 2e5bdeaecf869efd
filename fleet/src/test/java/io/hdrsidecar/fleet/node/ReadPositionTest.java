package io.hdrsidecar.fleet.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.TopicNames;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.memory.HeapBudget.Use;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a partition goes on, with offsets as Kafka gives them. */
class ReadPositionTest {
  private static final Uuid TOPIC = Uuid.randomUuid();
  private static final FleetSeries PAY = SentIntervals.series("checkout", "route", "/pay");

  /** Long ago, so that no time here is in the future of the machine. */
  private static final long T0 = 1_700_000_040_000L;

  private final KeyValueStore<Bytes, byte[]> store =
      Stores.inMemoryKeyValueStore(NodeTopology.NUMBERS).get();
  private final NodeCounters counters = new NodeCounters();

  private record At(String topic, int partition, long offset) implements RecordMetadata {}

  private static boolean take(ReadPosition position, long offset) {
    return position.take(new At("hdr.intervals", 0, offset));
  }

  private ReadPosition position(Uuid topic) {
    return new ReadPosition(store, topic, counters);
  }

  private void readThree() {
    ReadPosition first = position(TOPIC);
    for (int offset = 0; offset < 3; offset++) {
      assertThat(take(first, offset)).isTrue();
    }
    first.write();
    first.committed();
    assertThat(counters.missing()).isZero();
  }

  @Test
  void records_goneBeforeANodeReadThem_areCountedOnceTheyAreCommitted() {
    readThree();
    ReadPosition aborted = position(TOPIC);
    assertThat(take(aborted, 10)).isTrue();
    assertThat(counters.missing()).isZero();

    ReadPosition again = position(TOPIC);
    assertThat(take(again, 10)).isTrue();
    assertThat(take(again, 11)).isTrue();
    assertThat(take(again, 14)).isTrue();
    again.write();
    again.committed();
    assertThat(counters.missing()).isEqualTo(7 + 2);
    again.committed();
    assertThat(counters.missing()).isEqualTo(7 + 2);
  }

  /** Of a fleet that begins, and of a topic that was made anew, nobody knows what came before. */
  @Test
  void records_beforeTheFirstThatWasRead_areNotMissing() {
    ReadPosition begins = position(TOPIC);
    assertThat(take(begins, 5)).isTrue();
    begins.write();
    begins.committed();
    ReadPosition anew = position(Uuid.randomUuid());
    assertThat(take(anew, 100)).isTrue();
    anew.committed();
    assertThat(counters.missing()).isZero();
  }

  @Test
  void records_readAgain_areNoneToMerge() {
    readThree();
    ReadPosition again = position(TOPIC);
    assertThat(take(again, 2)).isFalse();
    assertThat(take(again, 3)).isTrue();
    assertThat(counters.duplicates()).isOne();
    again.committed();
    assertThat(counters.missing()).isZero();
  }

  @Test
  void partition_thatMergesBehindAGap_countsWhatIsMissing(@TempDir Path folder) {
    readThree();
    MockProcessorContext<Void, Void> context =
        new MockProcessorContext<>(new Properties(), new TaskId(0, 0), folder.toFile());
    for (String name :
        List.of(NodeTopology.TOTALS, NodeTopology.STEPS, NodeTopology.DESCRIPTIONS)) {
      context.addStateStore(Stores.inMemoryKeyValueStore(name).get());
    }
    context.addStateStore(store);
    CommitStore commit = CommitStore.builder(NodeTopology.COMMIT).build();
    context.addStateStore(commit);
    CommitListener commits = new CommitListener();
    PartitionMerge merge = new PartitionMerge(parts(commits));
    merge.init(context);

    context.setRecordMetadata("hdr.intervals", 0, 10);
    merge.process(
        new Record<>(
            PAY.bytes(),
            new SentIntervals().value(PAY, 1, T0 - 1, T0, 5),
            T0,
            SentIntervals.of(new InstanceId(1, 2))));
    commit.flushCache();
    commits.committed();

    assertThat(counters.intervals()).isOne();
    assertThat(counters.missing()).isEqualTo(7);
    merge.close();
  }

  private NodeParts parts(CommitListener commits) {
    return new NodeParts(
        new TopicNames("hdr"),
        TOPIC,
        new MergeLimits(1 << 19, 4, 64 << 20, DrivenPartition.HOUR, DrivenPartition.DAY, 60_000, 0),
        KeptMemory.of(HeapBudget.of(256 << 20).share(Use.INGEST)),
        StepLengths.of(Duration.ofMinutes(30), Duration.ofHours(6)),
        commits,
        new FleetView(new SeriesStore(MergeConfig.defaults()), Runnable::run),
        new StepsPast(() -> store),
        counters);
  }
}
