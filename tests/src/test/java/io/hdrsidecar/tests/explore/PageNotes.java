package io.hdrsidecar.tests.explore;

import java.util.ArrayList;
import java.util.List;

/** What a test did on a page and held it against, in that order, and its pictures. */
final class PageNotes {
  private final List<String> steps = new ArrayList<>();
  private final List<String> pictures = new ArrayList<>();

  /** Something done, or found as expected. */
  void add(String step) {
    steps.add(step);
  }

  /** A picture, by its file beside the report. */
  void addPicture(String file) {
    pictures.add(file);
  }

  List<String> steps() {
    return List.copyOf(steps);
  }

  List<String> pictures() {
    return List.copyOf(pictures);
  }
}
