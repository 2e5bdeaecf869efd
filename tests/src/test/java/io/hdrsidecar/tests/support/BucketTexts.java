package io.hdrsidecar.tests.support;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Buckets that are not empty as {@code lowest..highest:count}, ascending. */
public final class BucketTexts {
  private BucketTexts() {}

  /** Those of an answer that was asked for {@code buckets=true}. */
  public static List<String> of(JsonObject answer) {
    JsonArray listed = answer.getJsonArray("buckets");
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < listed.size(); i++) {
      JsonObject bucket = listed.getJsonObject(i);
      texts.add(text(bucket.getLong("lowest"), bucket.getLong("highest"), bucket.getLong("count")));
    }
    return texts;
  }

  /** Those of HdrHistogram's own histogram. */
  public static List<String> of(Histogram truth) {
    List<String> texts = new ArrayList<>();
    for (HistogramIterationValue value : truth.recordedValues()) {
      texts.add(
          text(
              truth.lowestEquivalentValue(value.getValueIteratedTo()),
              truth.highestEquivalentValue(value.getValueIteratedTo()),
              value.getCountAtValueIteratedTo()));
    }
    return texts;
  }

  private static String text(long lowest, long highest, long count) {
    return lowest + ".." + highest + ":" + count;
  }
}
