package io.hdrsidecar.internal.hlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.PagedCounts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.HdrHistogram.HistogramLogWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IntervalLogWriterTest {
  private static final long HIGHEST = 3_600_000_000_000L;
  private static final long START = 1_441_812_279_474L;

  @Test
  void writeInterval_ofAnyCounts_writesTheBytesHdrHistogramWrites() throws Exception {
    Histogram histogram = new Histogram(1, HIGHEST, 3);
    PagedCounts counts = new PagedCounts(BucketLayout.of(1, 3));
    SplittableRandom random = new SplittableRandom(42);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    HistogramLogWriter theirs = new HistogramLogWriter(expected);
    theirs.outputLogFormatVersion();
    theirs.outputBaseTime(START);
    theirs.setBaseTime(START);
    theirs.outputLegend();

    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (IntervalLogWriter ours = new IntervalLogWriter(written, 1e6, 9)) {
      ours.writeFormatVersion();
      ours.writeBaseTime(START);
      ours.writeLegend();
      for (int i = 0; i < 50; i++) {
        histogram.setStartTimeStamp(START + i * 1_003L);
        histogram.setEndTimeStamp(START + (i + 1) * 1_003L);
        histogram.setTag(i % 3 == 0 ? null : "t" + i);
        theirs.outputIntervalHistogram(histogram);
        ours.writeInterval(
            i % 3 == 0 ? "" : "t" + i,
            START + i * 1_003L,
            START + (i + 1) * 1_003L,
            counts,
            HIGHEST);
        long value = random.nextLong(HIGHEST);
        histogram.recordValue(value);
        counts.add(counts.layout().indexOf(value), 1);
      }
    }

    assertThat(written.toString(StandardCharsets.UTF_8))
        .isEqualTo(expected.toString(StandardCharsets.UTF_8));
  }

  @Test
  void writeStartTime_thenRead_givesTheTimesWritten() throws Exception {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    PagedCounts counts = new PagedCounts(BucketLayout.of(1, 3));
    counts.add(counts.layout().indexOf(100), 1);
    try (IntervalLogWriter writer = new IntervalLogWriter(written, 1e6, 1)) {
      writer.writeStartTime(START);
      writer.writeInterval("a", START + 127, START + 1_128, counts, HIGHEST);
    }

    IntervalLogLine interval = new IntervalLogLine();
    try (IntervalLogReader reader =
        new IntervalLogReader(new ByteArrayInputStream(written.toByteArray()), 10_000, 1 << 20)) {
      assertThat(reader.next(interval)).isTrue();
    }
    assertThat(interval.tag()).isEqualTo("a");
    assertThat(interval.startMillis()).isEqualTo(START + 127);
    assertThat(interval.endMillis()).isEqualTo(START + 1_128);
    try (HistogramLogReader theirs =
        new HistogramLogReader(new ByteArrayInputStream(written.toByteArray()))) {
      assertThat(theirs.nextIntervalHistogram().getStartTimeStamp()).isEqualTo(START + 127);
      assertThat(theirs.getStartTimeSec()).isEqualTo(START / 1e3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"read,op", "two words", "a\nb", "a\rb"})
  void writeInterval_withATagThatWouldNotSurvive_isRefused(String tag) throws Exception {
    try (IntervalLogWriter writer = new IntervalLogWriter(OutputStream.nullOutputStream(), 1, 1)) {
      PagedCounts counts = new PagedCounts(BucketLayout.of(1, 3));
      assertThatThrownBy(() -> writer.writeInterval(tag, 0, 1, counts, HIGHEST))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(tag);
    }
  }

  @Test
  void writeComment_longerThanReadersInCTake_isRefused() throws Exception {
    try (IntervalLogWriter writer = new IntervalLogWriter(OutputStream.nullOutputStream(), 1, 1)) {
      String longest = "x".repeat(IntervalLogWriter.MAX_COMMENT_LENGTH);
      writer.writeComment(longest);
      assertThatThrownBy(() -> writer.writeComment(longest + "x"))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> writer.writeComment("two\nlines"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void writeInterval_toAFullDisk_raisesTheError() throws Exception {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    try (IntervalLogWriter writer = new IntervalLogWriter(full, 1, 1)) {
      PagedCounts counts = new PagedCounts(BucketLayout.of(1, 3));
      assertThatThrownBy(() -> writer.writeInterval("", 0, 1, counts, HIGHEST))
          .isInstanceOf(IOException.class);
    }
  }
}
