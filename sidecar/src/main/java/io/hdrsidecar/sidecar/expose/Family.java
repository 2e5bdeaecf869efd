package io.hdrsidecar.sidecar.expose;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** All series of one name at one moment, in the order of their numbers. */
final class Family {
  private static final Comparator<SeriesView> BY_NUMBER =
      Comparator.comparingLong(view -> view.labels().number());

  private final FamilyText text;
  private final FamilyWriter writer;
  private final List<SeriesView> series = new ArrayList<>();

  Family(FamilyText text, FamilyWriter writer) {
    this.text = text;
    this.writer = writer;
  }

  FamilyText text() {
    return text;
  }

  FamilyWriter writer() {
    return writer;
  }

  void add(SeriesView another) {
    series.add(another);
  }

  /** After the last was added. */
  void sort() {
    series.sort(BY_NUMBER);
  }

  /** Those with numbers above the first and up to the second. */
  List<SeriesView> between(long after, long last) {
    return series.subList(countUpTo(after), countUpTo(last));
  }

  private int countUpTo(long number) {
    int low = 0;
    int high = series.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (series.get(middle).labels().number() <= number) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether a metric of this family has one of these names. */
  boolean hasNameIn(Set<String> names) {
    return names.contains(text.cumulative()) || names.contains(text.window());
  }
}
