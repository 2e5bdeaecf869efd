package io.hdrsidecar.benchmarks.load;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the sidecar says it has counted of the load's series: intervals by its API, values by the
 * page that Prometheus scrapes.
 */
record Counted(long intervals, long values) {
  private static final Pattern COUNT =
      Pattern.compile(
          "^" + IntervalPool.NAME + "_seconds_count\\{[^}]*\\} (\\S+)$", Pattern.MULTILINE);

  static Counted by(SidecarRun sidecar) throws IOException, InterruptedException {
    JsonArray series =
        new JsonObject(text(sidecar.get("/api/v1/series?series=" + IntervalPool.NAME)))
            .getJsonArray("data");
    long intervals = 0;
    for (int i = 0; i < series.size(); i++) {
      intervals += series.getJsonObject(i).getLong("intervals");
    }
    long values = 0;
    Matcher counts = COUNT.matcher(text(sidecar.get("/metrics")));
    while (counts.find()) {
      values += (long) Double.parseDouble(counts.group(1));
    }
    return new Counted(intervals, values);
  }

  private static String text(byte[] body) {
    return new String(body, StandardCharsets.UTF_8);
  }

  /** Whether that is all, and nothing twice. */
  boolean isAllOf(FeedReport sent) {
    return intervals == sent.sent() && values == sent.values();
  }
}
