package io.hdrsidecar.sidecar.api;

import static io.hdrsidecar.sidecar.support.UploadedSidecar.encoded;
import static io.hdrsidecar.sidecar.support.UploadedSidecar.histogram;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.EventStream;
import io.hdrsidecar.sidecar.support.EventStream.Event;
import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Live streams over real sockets, held against the sorted lists of what was recorded and against
 * what is answered about the past. What is to come live is uploaded before its time, and streams of
 * which each step counts begin after an id and not now, so nothing here depends on how fast the
 * test is.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LiveApiTest {
  private static final String LIVE = "/api/v1/live?series=calls";

  /** Streams last longer than any of these times. */
  private final UploadedSidecar sidecar =
      new UploadedSidecar(
          Map.of(
              "--http-request-timeout", "1s",
              "--http-idle-timeout", "1s",
              "--http-header-timeout", "1s",
              "--http-max-streams", "100"));

  LiveApiTest() throws Exception {}

  @AfterEach
  void stop() {
    sidecar.close();
  }

  private static List<Interval> randomIntervals(long seed, int fromSecond, int toSecond) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(fromSecond, toSecond)
        .mapToObj(
            second ->
                new Interval(second, second + 1, random.longs(50, 1_000, 50_000_000).toArray()))
        .toList();
  }

  /** Whole seconds from the origin to now. */
  private int now() {
    return (int) ((System.currentTimeMillis() - sidecar.origin) / 1000);
  }

  private EventStream open(String target, String lastEventId) throws Exception {
    return EventStream.open(sidecar.address().resolve(target), lastEventId);
  }

  private static long percentile(long[] sorted, double percentile) {
    int rank = Math.max(1, (int) Math.ceil(percentile * sorted.length / 100));
    return histogram().highestEquivalentValue(sorted[rank - 1]);
  }

  @Test
  void live_stepsToCome_areSentOnceEach_andAddUpToThePast() throws Exception {
    int first = now() + 6;
    List<Interval> a = randomIntervals(1, first, first + 6);
    List<Interval> b = randomIntervals(2, first, first + 6);
    sidecar.upload("name=calls&unit=ns&label.host=a", a);
    sidecar.upload("name=calls&unit=ns&label.host=b", b);

    JsonArray steps = new JsonArray();
    String before = Long.toString(sidecar.origin + (first - 1) * 1000L);
    try (EventStream stream = open(LIVE + "&percentiles=50,99,100", before)) {
      assertThat(stream.response.statusCode()).isEqualTo(200);
      assertThat(stream.response.headers().firstValue("Content-Type"))
          .contains("text/event-stream");
      assertThat(stream.response.headers().firstValue("Content-Encoding")).isEmpty();
      assertThat(stream.response.headers().firstValue("Cache-Control")).contains("no-store");
      for (int i = 0; i < 6; i++) {
        Event event = stream.next();
        long start = sidecar.origin + (first + i) * 1000L;
        assertThat(event.name()).isEqualTo("step");
        assertThat(event.id()).isEqualTo(Long.toString(start));
        JsonObject step = new JsonObject(event.data());
        assertThat(System.currentTimeMillis()).isGreaterThanOrEqualTo(start + 3000);
        assertThat(step.getString("start")).isEqualTo(sidecar.at(first + i));
        assertThat(step.remove("end")).isEqualTo(sidecar.at(first + i + 1));
        long[] sorted = LongStream.concat(a.get(i).values(), b.get(i).values()).sorted().toArray();
        assertThat(step.getLong("count")).isEqualTo(100);
        assertThat(step.getJsonArray("values"))
            .isEqualTo(
                new JsonArray()
                    .add(percentile(sorted, 50))
                    .add(percentile(sorted, 99))
                    .add(percentile(sorted, 100)));
        steps.add(step);
      }
    }

    JsonObject past =
        sidecar.data(
            "/api/v1/percentiles?series=calls&step=1s&percentiles=50,99,100"
                + sidecar.between(first, first + 6));
    assertThat(steps).isEqualTo(past.getJsonArray("steps"));
  }

  @Test
  void live_withoutALastEvent_beginsWithTheNextStep() throws Exception {
    int now = now();
    sidecar.upload("name=calls&unit=ns", randomIntervals(3, now - 20, now + 120));
    long before = System.currentTimeMillis();
    try (EventStream stream = open(LIVE, "")) {
      long opened = System.currentTimeMillis();

      long first = Long.parseLong(stream.next().id());

      // Steps wait for 2 s, and by half the length of the intervals where that is known already.
      assertThat(first).isBetween(wholeSecond(before - 2500), wholeSecond(opened - 2000));
      assertThat(stream.next().id()).isEqualTo(Long.toString(first + 1000));
    }
  }

  private static long wholeSecond(long millis) {
    return Math.floorDiv(millis, 1000L) * 1000L;
  }

  @Test
  void live_afterTheLastEvent_goesOnFromTheHistory() throws Exception {
    sidecar.upload("name=calls&unit=ns", randomIntervals(1, 0, 30));
    String lastId = Long.toString(sidecar.origin + 4_000);

    try (EventStream stream = open(LIVE + "&step=2s", lastId)) {
      for (int second = 6; second < 30; second += 2) {
        Event event = stream.next();
        assertThat(event.id()).isEqualTo(Long.toString(sidecar.origin + second * 1000L));
        assertThat(new JsonObject(event.data()).getLong("count")).isEqualTo(100);
      }
    }
  }

  @Test
  void live_withLateAndLongIntervals_waitsForTheLongAndLeavesOutTheLate() throws Exception {
    int now = now();
    // Known to be 8 s long, so steps wait 4 s longer; their middle is 4 s after their start.
    sidecar.upload(
        "name=calls&unit=ns",
        List.of(new Interval(now - 9, now - 1, 1, 2), new Interval(now + 3, now + 11, 1, 2, 3, 4)));
    try (EventStream stream = open(LIVE, Long.toString(sidecar.origin + (now - 6) * 1000L))) {
      Event first = stream.next();
      assertThat(first.id()).isEqualTo(Long.toString(sidecar.origin + (now - 5) * 1000L));
      assertComplete(first);
      sidecar.upload("name=calls&unit=ns", List.of(new Interval(now - 20, now - 19, 1, 2, 3)));

      Event next = stream.next();

      assertThat(new JsonObject(next.data()).getLong("count")).as("not the late one").isEqualTo(4);
      assertThat(next.id()).isEqualTo(Long.toString(sidecar.origin + (now + 7) * 1000L));
      assertComplete(next);
    }
  }

  /** Sent 2 s after the last interval of 8 s with its middle in this step of 1 s can have ended. */
  private static void assertComplete(Event step) {
    assertThat(System.currentTimeMillis())
        .isGreaterThanOrEqualTo(Long.parseLong(step.id()) + 1000 + 4000 + 2000);
  }

  @Test
  void live_withBuckets_hasTheHeatMapsColumns() throws Exception {
    List<Interval> intervals = randomIntervals(1, 0, 10);
    sidecar.upload("name=calls&unit=ns", intervals);
    String beforeAll = Long.toString(sidecar.origin - 1000);

    try (EventStream stream = open(LIVE + "&step=5s&buckets=8", beforeAll)) {
      Event first = stream.next();
      assertThat(first.name()).isEqualTo("edges");
      JsonArray edges = new JsonObject(first.data()).getJsonArray("edges");
      assertThat(edges).hasSizeBetween(3, 9);
      for (int step = 0; step < 2; step++) {
        JsonArray counts = new JsonObject(stream.next().data()).getJsonArray("counts");
        assertThat(counts).hasSize(edges.size() - 1);
        long[] expected = new long[counts.size()];
        intervals.subList(5 * step, 5 * step + 5).stream()
            .flatMapToLong(Interval::values)
            .map(histogram()::highestEquivalentValue)
            .forEach(value -> expected[bucketOf(value, edges)]++);
        for (int i = 0; i < expected.length; i++) {
          assertThat(counts.getLong(i)).isEqualTo(expected[i]);
        }
      }
    }
  }

  /** Values beyond the edges, which are those of what came first, are in the outer buckets. */
  private static int bucketOf(long value, JsonArray edges) {
    int bucket = 0;
    while (bucket < edges.size() - 2 && value >= edges.getLong(bucket + 1)) {
      bucket++;
    }
    return bucket;
  }

  @Test
  void live_ofWhatMayNoLongerBeAddedUp_endsWithAnError() throws Exception {
    sidecar.upload("name=calls&unit=ns&label.kind=service", randomIntervals(1, 0, 1));
    try (EventStream stream = open(LIVE, "")) {
      sidecar.upload("name=calls&unit=ns&label.kind=response", randomIntervals(2, 0, 1));

      Event event = stream.next();

      assertThat(event.name()).isEqualTo("error");
      JsonObject error = new JsonObject(event.data());
      assertThat(error.getString("status")).isEqualTo("error");
      assertThat(error.getString("errorType")).isEqualTo("bad_data");
      assertThat(error.getString("error")).contains("kind=\"response\" or kind=\"service\"");
      assertThat(stream.next().name()).as("nothing follows").isEmpty();
    }
    assertThat(awaitMetric("hdr_sidecar_http_streams_closed_total{reason=\"failed\"}", 1)).isTrue();
  }

  @Test
  void live_whenTheSidecarEnds_endsInOrder() throws Exception {
    sidecar.upload("name=calls&unit=ns", randomIntervals(1, 0, 1));
    try (EventStream stream = open(LIVE, "")) {
      sidecar.close();

      assertThat(stream.next()).isEqualTo(new Event("end", "", "{}"));
      assertThat(stream.next().name()).as("nothing follows").isEmpty();
    }
  }

  @Test
  void live_hundredStreamsThatGoAway_leaveNothing() throws Exception {
    sidecar.upload("name=calls&unit=ns", randomIntervals(1, 0, 1));
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      sockets.add(socket(LIVE + "&step=" + (1 + i % 3) + "s", ""));
    }
    assertThat(awaitMetric("hdr_sidecar_http_streams", 100)).isTrue();
    HttpResponse<String> oneMore = sidecar.get(LIVE);
    assertThat(oneMore.statusCode()).isEqualTo(503);
    assertThat(oneMore.body()).contains("http.max-streams");

    for (Socket socket : sockets) {
      socket.close();
    }

    assertThat(awaitMetric("hdr_sidecar_http_streams", 0)).isTrue();
    try (EventStream stream = open(LIVE, "")) {
      assertThat(stream.response.statusCode()).isEqualTo(200);
    }
  }

  @Test
  void live_whoDoesNotRead_isCutOff() throws Exception {
    // Some 7 MB of numbers of 13 digits: more than sockets hold.
    List<Interval> large =
        IntStream.range(0, 500).mapToObj(i -> new Interval(i, i + 1, 1L << 41)).toList();
    sidecar.upload("name=calls&unit=ns", large);
    String percentiles =
        IntStream.range(0, 1000).mapToObj(i -> "99." + i).collect(Collectors.joining(","));
    String beforeAll = Long.toString(sidecar.origin - 1000);
    try (Socket socket = socket(LIVE + "&percentiles=" + percentiles, beforeAll)) {
      assertThat(awaitMetric("hdr_sidecar_http_streams_closed_total{reason=\"too_slow\"}", 1))
          .isTrue();
      assertThat(awaitMetric("hdr_sidecar_http_streams", 0)).isTrue();
      // What was on its way can still be read, and then the connection ends.
      byte[] rest = socket.getInputStream().readAllBytes();
      assertThat(rest.length).isLessThan(5_000_000);
    } catch (java.net.SocketException reset) {
      assertThat(reset).hasMessageContaining("reset");
    }
  }

  private Socket socket(String target, String lastEventId) throws Exception {
    Socket socket = new Socket();
    socket.setReceiveBufferSize(4096);
    socket.setSoTimeout(60_000);
    socket.connect(new InetSocketAddress(sidecar.address().getHost(), sidecar.address().getPort()));
    String request =
        "GET "
            + target
            + " HTTP/1.1\r\nHost: localhost\r\nLast-Event-ID: "
            + lastEventId
            + "\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  private boolean awaitMetric(String metric, long value) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (System.nanoTime() - deadline < 0) {
      if (sidecar.get("/metrics").body().contains("\n" + metric + " " + value)) {
        return true;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return false;
  }

  @Test
  void live_head_hasTheHeadersAndNoBody() throws Exception {
    sidecar.upload("name=calls&unit=ns", randomIntervals(1, 0, 1));

    HttpResponse<String> answer = sidecar.head(LIVE);

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
    assertThat(awaitMetric("hdr_sidecar_http_streams", 0)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "series=nobody              |     | 404 | series: no series matches",
        "series=%7B                 |     | 400 | series: ",
        "step=1s                    |     | 400 | series: required, but missing",
        "series=calls&step=999ms    |     | 400 | step: must be from 1s to 1h: 999ms",
        "series=calls&step=2h       |     | 400 | step: must be from 1s to 1h: 2h",
        "series=calls&buckets=501   |     | 400 | buckets: must be a whole number from 1 to 500",
        "series=calls&percentiles=x |     | 400 | percentiles: must be numbers from 0 to 100",
        "series=calls&start=-5m     |     | 400 | start: not a known parameter",
        "series=calls               | abc | 400 | Last-Event-ID: must be the id of a step",
      })
  void live_ofWhatCannotBeAnswered_isRefusedBeforeItBegins(
      String parameters, String lastEventId, int status, String message) throws Exception {
    sidecar.upload("name=calls&unit=ns", randomIntervals(1, 0, 1));
    String id = lastEventId == null ? "" : lastEventId;
    try (EventStream stream = open("/api/v1/live?" + parameters, id)) {
      assertThat(stream.response.statusCode()).isEqualTo(status);
      String body = new String(stream.response.body().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(new JsonObject(body).getString("error")).contains(message);
    }
  }

  @Test
  void live_whoseReaderIsGone_isCountedOnceAsAborted() throws Exception {
    sidecar.upload("name=calls&unit=ns", randomIntervals(1, 0, 1));
    String request = "GET " + LIVE + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    for (int i = 0; i < 3; i++) {
      try (Socket socket = new Socket(sidecar.address().getHost(), sidecar.address().getPort())) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        assertThat(socket.getInputStream().read()).isPositive(); // the answer has begun
        socket.setSoLinger(true, 0); // closes with RST
      }
    }

    String page = "";
    while (!page.contains("hdr_sidecar_http_requests_aborted_total 3")) { // until the time-out
      page = sidecar.get("/metrics").body();
    }
    assertThat(page).contains("hdr_sidecar_http_requests_active 1.0\n"); // that for the page
  }

  @Test
  void live_withoutHistory_isRefused() throws Exception {
    Map<String, String> flags = new HashMap<>(Map.of("--history-max-memory", "0B"));
    try (UploadedSidecar forgetful = new UploadedSidecar(flags)) {
      forgetful.upload("name=calls&unit=ns", randomIntervals(1, 0, 1));

      HttpResponse<String> answer = forgetful.get("/api/v1/live?series=" + encoded("calls"));

      assertThat(answer.statusCode()).isEqualTo(422);
      assertThat(answer.body()).contains("history.max-memory");
    }
  }
}
