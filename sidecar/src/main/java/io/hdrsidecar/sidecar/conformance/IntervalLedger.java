package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.sidecar.conformance.KnownInstance.Fate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What came from the client of a case, over all connections, and every law that it broke. One
 * thread at a time.
 */
final class IntervalLedger {
  private static final int MOST_BREACHES = 20;

  private final Map<InstanceId, KnownInstance> instances = new LinkedHashMap<>();
  private final List<Breach> breaches = new ArrayList<>();
  private final Set<String> lossy = new HashSet<>();

  /** The instance of that id; new, or known from an earlier connection. */
  KnownInstance instance(InstanceId id) {
    return instances.computeIfAbsent(id, KnownInstance::new);
  }

  boolean knows(InstanceId id) {
    return instances.containsKey(id);
  }

  int instances() {
    return instances.size();
  }

  /** A law was broken; of a client that breaks one all the time only the first times are kept. */
  void breach(Law law, String expected, String came, String where) {
    if (breaches.size() < MOST_BREACHES) {
      breaches.add(new Breach(law, expected, came, where));
    }
  }

  List<Breach> breaches() {
    return breaches;
  }

  /** Of this series values may be missing from now on, as it was refused. */
  void mayMiss(String series) {
    lossy.add(series);
  }

  /** Compares with what the client was told to record, series by series, bucket by bucket. */
  void compare(Map<String, ValueSum> expected) {
    Map<String, ValueSum> came = new TreeMap<>();
    for (KnownInstance instance : instances.values()) {
      instance.intervals.forEach(
          (sequence, kept) -> {
            if (kept.fate == Fate.OPEN) {
              breach(
                  Law.RESEND,
                  "interval " + sequence + " again, as nothing has settled it",
                  "it never came again",
                  kept.contents.toString());
            }
            if (kept.fate != Fate.REPLACED) {
              came.computeIfAbsent(kept.contents.series().toString(), absent -> new ValueSum())
                  .add(kept.contents);
            }
          });
    }
    expected.forEach(
        (series, values) -> {
          ValueSum found = came.remove(series);
          compare(series, values, found == null ? new ValueSum() : found);
        });
    came.keySet()
        .forEach(
            series ->
                breach(Law.EXACTLY_ONCE, "only series of the program", "another one", series));
  }

  private void compare(String series, ValueSum expected, ValueSum came) {
    if (lossy.contains(series)) {
      came.buckets()
          .forEach(
              (bucket, count) -> {
                long most = expected.buckets().getOrDefault(bucket, 0L);
                if (count > most) {
                  breach(Law.EXACTLY_ONCE, "at most " + most, count + "", in(series, bucket));
                }
              });
      return;
    }
    if (!expected.buckets().equals(came.buckets())) {
      compareBuckets(series, expected, came);
    }
    compare(series, "sum", expected.sum(), came.sum());
    if (came.count() > 0) {
      compare(series, "minimum", expected.min(), came.min());
      compare(series, "maximum", expected.max(), came.max());
    }
  }

  private void compareBuckets(String series, ValueSum expected, ValueSum came) {
    Set<Long> all = new HashSet<>(expected.buckets().keySet());
    all.addAll(came.buckets().keySet());
    List<Long> wrong =
        all.stream()
            .filter(
                bucket ->
                    !expected
                        .buckets()
                        .getOrDefault(bucket, 0L)
                        .equals(came.buckets().getOrDefault(bucket, 0L)))
            .sorted()
            .toList();
    long first = wrong.get(0);
    breach(
        Law.EXACTLY_ONCE,
        expected.count()
            + " values, "
            + expected.buckets().getOrDefault(first, 0L)
            + " in the bucket from "
            + first,
        came.count() + " values, " + came.buckets().getOrDefault(first, 0L) + " in that bucket",
        wrong.size() + " of " + all.size() + " buckets differ in " + series);
  }

  private void compare(String series, String what, Object expected, Object came) {
    if (!expected.equals(came)) {
      breach(Law.EXACTLY_ONCE, what + " " + expected, what + " " + came, series);
    }
  }

  private static String in(String series, long bucket) {
    return "the bucket from " + bucket + " of " + series;
  }
}
