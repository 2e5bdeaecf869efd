package io.hdrsidecar.sidecar.expose;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** All series of one name, gathered anew by each scrape. */
final class Family {
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

  List<SeriesView> series() {
    return series;
  }

  /** Whether a metric of this family has one of these names. */
  boolean hasNameIn(Set<String> names) {
    return names.contains(text.cumulative()) || names.contains(text.window());
  }
}
