package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A sidecar to which two hosts upload what they record from second 0 to 10 and from 20 to 30. */
abstract class TwoHosts {
  final UploadedSidecar sidecar = new UploadedSidecar(Map.of());
  final List<Interval> a = randomIntervals(1);
  final List<Interval> b = randomIntervals(2);

  TwoHosts() throws Exception {}

  private static List<Interval> randomIntervals(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return IntStream.range(0, 30)
        .filter(second -> second < 10 || second >= 20)
        .mapToObj(
            second ->
                new Interval(second, second + 1, random.longs(50, 1_000, 50_000_000).toArray()))
        .toList();
  }

  @BeforeEach
  void upload() throws Exception {
    sidecar.upload("name=calls&unit=ns&label.host=a", a);
    sidecar.upload("name=calls&unit=ns&label.host=b", b);
  }

  @AfterEach
  void stop() {
    sidecar.close();
  }

  /** What both recorded in these seconds, sorted. */
  final long[] values(int fromSecond, int toSecond) {
    return values(Stream.concat(a.stream(), b.stream()).toList(), fromSecond, toSecond);
  }

  /** What one recorded in these seconds, sorted. */
  static long[] values(List<Interval> host, int fromSecond, int toSecond) {
    return host.stream()
        .filter(i -> i.fromSecond() >= fromSecond && i.fromSecond() < toSecond)
        .flatMapToLong(Interval::values)
        .sorted()
        .toArray();
  }
}
