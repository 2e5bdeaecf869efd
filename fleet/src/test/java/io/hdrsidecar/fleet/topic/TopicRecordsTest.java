package io.hdrsidecar.fleet.topic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies on the topics, byte by byte. */
class TopicRecordsTest {
  private static final FleetSeries PAY =
      new FleetSeries(
          Unit.NANOSECONDS, new SeriesKey("checkout", Labels.of("route", "/pay", "zone", "a")));

  @Test
  void series_bytes_areThoseOfTheLayout() {
    assertThat(HexFormat.of().formatHex(PAY.bytes()))
        .isEqualTo(
            "01" // version
                + "01" // nanoseconds
                + "0008636865636b6f7574" // checkout
                + "0002" // labels
                + "0005726f757465"
                + "00042f706179"
                + "00047a6f6e65"
                + "000161");
  }

  @Test
  void series_readBack_isTheSame() throws MalformedRecordException {
    assertThat(FleetSeries.read(PAY.bytes())).isEqualTo(PAY);
  }

  @Test
  void series_cutAnywhereOrWithMore_isRefused() {
    byte[] bytes = PAY.bytes();
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> FleetSeries.read(cut)).isInstanceOf(MalformedRecordException.class);
    }
    assertThatThrownBy(() -> FleetSeries.read(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessage("key has 1 bytes behind its labels");
  }

  @Test
  void series_ofALaterVersion_isNamed() {
    byte[] bytes = PAY.bytes();
    bytes[0] = 2;
    assertThatThrownBy(() -> FleetSeries.read(bytes))
        .isInstanceOf(MalformedRecordException.class)
        .hasMessage("key must have version 1: 2; nodes are updated first");
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void series_ofAnyBytes_isReadOrRefused(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = PAY.bytes();
      for (int flips = random.nextInt(1, 4); flips > 0; flips--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      try {
        assertThat(FleetSeries.read(bytes).bytes()).isEqualTo(bytes);
      } catch (MalformedRecordException e) {
        assertThat(e).hasMessageStartingWith("key ");
      }
    }
  }

  /** Computed from the bytes by another implementation of murmur2, in Python. */
  @ParameterizedTest
  @CsvSource({
    "NANOSECONDS, checkout, '', 6, 6",
    "NANOSECONDS, checkout, 'route=/pay', 4, 60",
    "BYTES, body, 'method=GET;route=/käse', 5, 5",
  })
  void partition_ofASeries_isTheSameForEver(
      Unit unit, String name, String labels, int ofEight, int ofSixtyFour) {
    String[] pairs = labels.isEmpty() ? new String[0] : labels.split("[=;]", -1);
    SeriesKey key = new SeriesKey(name, Labels.of(pairs));
    assertThat(SeriesPartition.of(unit, key, 8)).isEqualTo(ofEight);
    assertThat(SeriesPartition.of(unit, key, 64)).isEqualTo(ofSixtyFour);
  }

  @Test
  void description_readBack_isTheSame() throws MalformedRecordException {
    SeriesDescription description = new SeriesDescription("Time to pay, in Käse.", 3_600_000_000L);
    assertThat(SeriesDescription.read(description.bytes())).isEqualTo(description);
    byte[] longer = Arrays.copyOf(description.bytes(), description.bytes().length + 3);
    assertThat(SeriesDescription.read(longer)).isEqualTo(description);
    for (int length = 0; length < description.bytes().length; length++) {
      byte[] cut = Arrays.copyOf(description.bytes(), length);
      assertThatThrownBy(() -> SeriesDescription.read(cut))
          .isInstanceOf(MalformedRecordException.class);
    }
  }

  @Test
  void instance_ofAHeader_isTheSame() throws MalformedRecordException {
    InstanceId id = new InstanceId(-2, 3);
    RecordHeaders headers = new RecordHeaders();
    InstanceHeader.write(id, headers);
    assertThat(InstanceHeader.read(headers)).isEqualTo(id);
  }

  @Test
  void instance_missingOrShort_isNamed() {
    assertThatThrownBy(() -> InstanceHeader.read(new RecordHeaders()))
        .hasMessage("header instance must have 16 bytes: there is none");
    RecordHeaders headers = new RecordHeaders();
    headers.add("instance", new byte[15]);
    assertThatThrownBy(() -> InstanceHeader.read(headers))
        .hasMessage("header instance must have 16 bytes: 15");
  }

  @Test
  void names_ofAPrefix_areTwoTopics() {
    assertThat(new TopicNames("hdr").all()).containsExactly("hdr.intervals", "hdr.series");
    assertThatThrownBy(() -> new TopicNames("a b")).hasMessageContaining(": a b");
  }
}
