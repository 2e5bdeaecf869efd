package io.hdrsidecar.fleet.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.fleet.topic.FleetSeries;
import io.hdrsidecar.fleet.topic.MalformedRecordException;
import io.hdrsidecar.fleet.topic.SeriesDescription;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class DescriptionsTest {
  private static final FleetSeries PAY = SentIntervals.series("checkout", "route", "/pay");
  private static final Bytes KEY = Bytes.wrap(PAY.bytes());

  private final WatchedStore watched = new WatchedStore("steps");
  private final Descriptions descriptions = new Descriptions(watched.store());

  private void take(String help) throws MalformedRecordException {
    descriptions.take(
        PAY.bytes(),
        new SeriesDescription(help, SentIntervals.HIGHEST).bytes(),
        /* cameMillis= */ 1);
  }

  /** The first write begins a transaction, which brokers abort if its commit does not come soon. */
  @Test
  void description_isWrittenInTheCommitAlone() throws MalformedRecordException {
    List<String> changes = new ArrayList<>();
    watched.afterChange(() -> changes.add(descriptions.of(KEY).help()));
    take("Time to pay.");
    take("Time to pay, in all.");

    assertThat(changes).isEmpty();
    assertThat(descriptions.isWritten()).isFalse();
    assertThat(descriptions.of(KEY).help()).isEqualTo("Time to pay, in all.");

    descriptions.write();
    assertThat(changes).containsExactly("Time to pay, in all.");
    assertThat(descriptions.isWritten()).isTrue();
    assertThat(descriptions.of(KEY).help()).isEqualTo("Time to pay, in all.");

    descriptions.take(PAY.bytes(), null, 1);
    assertThat(descriptions.of(KEY).help()).isEmpty();
    descriptions.write();
    assertThat(watched.store().get(KEY)).isNull();
  }

  @Test
  void description_takesMemoryUntilTheCommit() throws MalformedRecordException {
    byte[] text = new SeriesDescription("x".repeat(500), SentIntervals.HIGHEST).bytes();
    assertThat(descriptions.take(PAY.bytes(), text, 1)).isBetween(500L, 1000L);
  }
}
