package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.internal.spill.SpillClaim;
import io.hdrsidecar.internal.spill.SpillContents;
import io.hdrsidecar.internal.spill.SpillFile;
import io.hdrsidecar.internal.spill.SpillFolder;
import io.hdrsidecar.internal.spill.SpillLimits;
import io.hdrsidecar.internal.spill.SpillReader;
import io.hdrsidecar.internal.spill.SpillVisitor;
import io.hdrsidecar.internal.wire.DecodedHistogram;
import io.hdrsidecar.internal.wire.FrameDecoder;
import io.hdrsidecar.internal.wire.HistogramDecoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.internal.wire.MalformedFrameException;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.conformance.KnownInstance.Fate;
import io.hdrsidecar.sidecar.conformance.KnownInstance.SeenInterval;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** Takes what the client left in its spill folder, as a sidecar would that starts later. */
final class SpillJudge implements SpillVisitor {
  private static final int MOST_BYTES = 64 << 20;
  private static final int MOST_COUNTERS = 1 << 24;

  private final CaseStage stage;
  private final Map<Integer, SeriesDefinition> series = new HashMap<>();
  private final DecodedHistogram histogram = new DecodedHistogram();

  private SpillJudge(CaseStage stage) {
    this.stage = stage;
  }

  /** Waits for the end of the client, and reads its files. */
  static void read(Path folder, CaseStage stage) throws IOException, InterruptedException {
    stage.awaitExit();
    if (!Files.isDirectory(folder)) {
      stage.ledger().breach(Law.SPILL, "a file in the spill folder", "no folder", "");
      return;
    }
    try (SpillClaim claim = new SpillFolder(folder).claim().orElse(null)) {
      if (claim == null) {
        stage.ledger().breach(Law.SPILL, "a folder that nobody has locked", "a lock", "");
        return;
      }
      if (claim.files().isEmpty()) {
        stage.ledger().breach(Law.SPILL, "spill-<UTC>-<hash>.hlog", "no such file", "");
      }
      for (Path file : claim.files()) {
        read(claim, file, stage);
      }
    }
  }

  private static void read(SpillClaim claim, Path path, CaseStage stage) throws IOException {
    try (SpillFile file = claim.open(path)) {
      SpillLimits limits = SpillLimits.of(MOST_BYTES, MOST_COUNTERS, MOST_BYTES, MOST_BYTES);
      SpillContents contents = SpillReader.read(file, limits, new SpillJudge(stage));
      if (!contents.isWhole()) {
        String came = contents.damaged() + " damaged lines " + contents.damage();
        stage.ledger().breach(Law.SPILL, "a whole file", came, path.getFileName() + "");
      }
      if (!contents.commonLabels().equals(stage.expected().commonLabels())) {
        String came = contents.commonLabels().toString();
        stage.ledger().breach(Law.SPILL, "#C with " + stage.expected().commonLabels(), came, "");
      }
    }
  }

  @Override
  public void series(int id, SeriesDefinition definition) {
    series.put(id, definition);
  }

  @Override
  public void interval(
      InstanceId instance, long sequence, int seriesId, long values, byte[] bytes) {
    SeriesDefinition definition = series.get(seriesId);
    if (definition == null) {
      stage.ledger().breach(Law.SPILL, "a definition before its intervals", "none", "");
      return;
    }
    try (HistogramDecoder payloads = new HistogramDecoder(MOST_COUNTERS)) {
      FrameDecoder decoder = new FrameDecoder(MOST_BYTES);
      decoder.next(ByteBuffer.wrap(bytes));
      IntervalFrame frame = new IntervalFrame();
      decoder.interval(frame);
      payloads.decode(bytes, frame.payloadOffset(), frame.payloadLength(), histogram);
      Map<Long, Long> buckets = IntervalContents.bucketsOf(histogram.layout(), histogram.counts());
      keep(
          stage.ledger().instance(instance),
          sequence,
          IntervalContents.of(withoutCommonLabels(definition.key()), frame, buckets));
    } catch (MalformedFrameException e) {
      stage.ledger().breach(Law.SPILL, "an interval", e.getMessage() + "", "number " + sequence);
    }
  }

  private SeriesKey withoutCommonLabels(SeriesKey key) {
    Map<String, String> own = new TreeMap<>(key.labels().asMap());
    stage.expected().commonLabels().forEach((name, value) -> own.remove(name));
    return new SeriesKey(key.name(), Labels.of(own));
  }

  /** Times are kept in other units in the file, so they are not compared. */
  private void keep(KnownInstance instance, long sequence, IntervalContents contents) {
    String where = "number " + sequence;
    SeenInterval before = instance.intervals.get(sequence);
    if (before == null) {
      SeenInterval kept = new SeenInterval(contents);
      kept.fate = Fate.MERGED;
      instance.intervals.put(sequence, kept);
      return;
    }
    boolean isSame =
        before.contents.series().equals(contents.series())
            && before.contents.buckets().equals(contents.buckets())
            && before.contents.sum().equals(contents.sum());
    if (!isSame) {
      String expected = "what was sent under the number: " + before.contents;
      stage.ledger().breach(Law.SPILL, expected, contents.toString(), where);
    }
    if (before.isSettled) {
      stage.ledger().breach(Law.SPILL, "only what is not settled", "a settled one", where);
    }
    before.fate = Fate.MERGED;
  }

  @Override
  public void tooLarge(InstanceId instance, long sequence, int seriesId) {
    stage.ledger().breach(Law.SPILL, "a series of the program", "a larger one", "" + sequence);
  }
}
