package io.hdrsidecar.benchmarks.load;

import java.io.IOException;

/**
 * A table with a row for each run of a sidecar, which at its end must have counted exactly what was
 * sent. Rows are printed as they come.
 */
final class CountedTable {
  private final StringBuilder text;
  private boolean allCounted = true;

  /** Begins with the names of the columns and the line below. */
  CountedTable(String head) {
    text = new StringBuilder(head);
  }

  /** The cell that says whether all was counted; asks the sidecar. */
  String counted(SidecarRun sidecar, FeedReport sent) throws IOException, InterruptedException {
    Counted counted = Counted.by(sidecar);
    boolean all = counted.isAllOf(sent);
    allCounted &= all;
    return all ? "all " + counted.intervals() : "**NOT ALL**: " + counted + " of " + sent;
  }

  /** Adds a row, with the end of its line. */
  void add(String row) {
    System.out.print("  " + row);
    text.append(row);
  }

  /** 0, or 1 when a sidecar has not counted exactly what was sent. */
  int exitCode() {
    return allCounted ? 0 : 1;
  }

  /** All in Markdown. */
  @Override
  public String toString() {
    return text.toString();
  }
}
