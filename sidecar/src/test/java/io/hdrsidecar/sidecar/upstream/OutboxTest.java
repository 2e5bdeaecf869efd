package io.hdrsidecar.sidecar.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.HistogramEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalHeader;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.upstream.UpstreamLedger.State;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxTest {
  private static final long MAX_BYTES = 1 << 20;
  private static final BucketLayout LAYOUT = BucketLayout.of(1, 3);
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  private final Path folder;
  private final Outbox outbox;

  OutboxTest(@TempDir Path folder) {
    this.folder = folder;
    this.outbox = new Outbox(folder, /* fsync= */ true);
  }

  @AfterEach
  void close() throws IOException {
    outbox.close();
  }

  private static UpstreamInterval interval(long sequence, int seriesId, String series) {
    Accumulation counted = new Accumulation(LAYOUT);
    counted.counts().add(LAYOUT.indexOf(7), 3);
    counted.sum().add(21);
    counted.widen(7, 7);
    SeriesDefinition definition =
        new SeriesDefinition(
            new SeriesKey(series, Labels.of("route", "/pay")),
            Unit.SECONDS,
            "Help.",
            LAYOUT,
            HOUR_NANOS);
    try (HistogramEncoder histograms = new HistogramEncoder()) {
      byte[] frame =
          new FrameEncoder()
              .interval(
                  sequence,
                  seriesId,
                  IntervalHeader.of(counted, 1_000, 2_000),
                  histograms.encode(counted.counts(), HOUR_NANOS, 1))
              .take();
      return new UpstreamInterval(sequence, seriesId, definition, 3, ByteBuffer.wrap(frame));
    }
  }

  private static State state() {
    return new State(
        InstanceId.random(),
        4711,
        2,
        List.of(interval(2, 1, "checkout"), interval(3, 5, "login"), interval(4, 1, "checkout")));
  }

  private State read() throws IOException {
    return new Outbox(folder, false).read(MAX_BYTES).orElseThrow();
  }

  @Test
  void read_withoutFile_isNothing() throws Exception {
    assertThat(outbox.read(MAX_BYTES)).isEmpty();
  }

  @Test
  void read_moreThanTheHeapHasRoomFor_namesTheSettingsAndWhatToDo() throws Exception {
    outbox.replace(state());

    assertThatThrownBy(() -> outbox.read(10))
        .hasMessage(
            "journal.directory: "
                + path()
                + " holds what is on its way to upstream.address and has "
                + Files.size(path())
                + " bytes, and this heap has room for 10; start with more memory (-Xmx)");
  }

  @Test
  void read_whatWasReplaced_isTheSame() throws Exception {
    State state = state();
    outbox.replace(state());
    outbox.replace(state);

    assertThat(read()).isEqualTo(state);
    assertThat(outbox.bytes()).isEqualTo(Files.size(folder.resolve(Outbox.NAME)));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path())))
        .isEqualTo("rw-r-----");
  }

  private Path path() {
    return folder.resolve(Outbox.NAME);
  }

  @Test
  void marks_sayWhatMayHaveBeenSentAndWhatIsSettled() throws Exception {
    outbox.replace(state());
    outbox.sending(4);
    assertThat(read().lastSent()).isEqualTo(4);
    assertThat(read().intervals()).hasSize(3);

    outbox.settled(3);

    assertThat(read().lastSent()).isEqualTo(4);
    assertThat(read().intervals()).extracting(UpstreamInterval::sequence).containsExactly(4L);
  }

  /** A process that is killed while it writes a mark has not acted on it. */
  @Test
  void tornMark_atAnyByte_isNone() throws Exception {
    outbox.replace(state());
    long before = Files.size(path());
    outbox.sending(4);
    byte[] whole = Files.readAllBytes(path());
    for (int length = (int) before; length < whole.length; length++) {
      Files.write(path(), Arrays.copyOf(whole, length));
      assertThat(read().lastSent()).as("%s bytes", length).isEqualTo(2);
    }
  }

  @Test
  void mark_ofAFileThatAnotherRunWrote_isRefused() throws Exception {
    outbox.replace(state());
    try (var other = new CloseableOutbox(folder)) {
      assertThatThrownBy(() -> other.outbox().sending(3)).hasMessageContaining("not written yet");
    }
  }

  private record CloseableOutbox(Outbox outbox) implements AutoCloseable {
    CloseableOutbox(Path folder) {
      this(new Outbox(folder, false));
    }

    @Override
    public void close() throws IOException {
      outbox.close();
    }
  }

  /** Every flipped bit is noticed, or is in a mark, which then does not count. */
  @Test
  void flippedBit_anywhere_isNoticed() throws Exception {
    State state = state();
    outbox.replace(state);
    byte[] whole = Files.readAllBytes(path());
    for (int i = 0; i < whole.length * 8; i++) {
      byte[] damaged = whole.clone();
      damaged[i / 8] ^= (byte) (1 << i % 8);
      Files.write(path(), damaged);
      assertThatThrownBy(this::read).as("bit %s", i).isInstanceOf(DamagedOutboxException.class);
    }
  }

  @Test
  void damagedFrame_stillTellsTheRecord() throws Exception {
    outbox.replace(state());
    byte[] whole = Files.readAllBytes(path());
    Files.write(path(), Arrays.copyOf(whole, whole.length - 10), StandardOpenOption.WRITE);
    Files.write(path(), Arrays.copyOf(whole, whole.length - 10));

    assertThatThrownBy(this::read)
        .isInstanceOfSatisfying(
            DamagedOutboxException.class,
            damage -> {
              assertThat(damage.position()).isEqualTo(4711);
              assertThat(damage.values()).isEqualTo(6);
            });
    outbox.setAside();
    assertThat(outbox.read(MAX_BYTES)).isEmpty();
  }

  @Test
  void read_tooLarge_isRefused() throws Exception {
    outbox.replace(state());

    assertThatThrownBy(() -> outbox.read(100)).hasMessageContaining("room for 100");
  }

  @Test
  void replace_whereNothingCanBeWritten_leavesWhatWasThere() throws Exception {
    State state = state();
    outbox.replace(state);
    Path temporary = folder.resolve(Outbox.NAME + ".tmp");
    Files.createDirectories(temporary.resolve("in the way"));

    assertThatThrownBy(() -> outbox.replace(state())).isInstanceOf(IOException.class);
    assertThat(read()).isEqualTo(state);
  }
}
