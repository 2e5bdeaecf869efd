package io.hdrsidecar.sidecar.merge;

import io.hdrsidecar.sidecar.counts.PackingScratch;
import io.hdrsidecar.sidecar.limits.MemoryBudget;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;

/**
 * The windows of all series: takes what is too old out of them, gives them up when memory is short,
 * those of the series just merged first and then in turn, and feeds them again when there is room,
 * as {@link MemoryBudget} says. Merge context.
 */
final class StoreWindows {
  private final MergeConfig config;
  private final MemoryBudget memory;
  private final Collection<Series> all;
  private final PackingScratch scratch;
  private final Duration longest;
  private Iterator<Series> next;

  /** For the series of a live view. */
  StoreWindows(
      MergeConfig config, MemoryBudget memory, Collection<Series> all, PackingScratch scratch) {
    this.config = config;
    this.memory = memory;
    this.all = all;
    this.scratch = scratch;
    this.next = all.iterator();
    this.longest =
        config.windows().stream()
            .map(window -> window.span().plus(window.step()).plus(window.step()))
            .max(Comparator.naturalOrder())
            .orElse(Duration.ZERO);
  }

  /** Whether an interval goes to the windows of its series, too; begins them again if they may. */
  boolean feedsWindows(Series series, long nowNanos) {
    WindowState state = series.windowState();
    if (state.isFed()) {
      return true;
    }
    if (!memory.hasRoomForWindows(state.bytesGivenUp())) {
      state.missed();
      return false;
    }
    beginAgain(series, nowNanos);
    memory.addWithoutWindows(-1);
    return true;
  }

  /** The windows are fed again, and shown once they are full. */
  private void beginAgain(Series series, long nowNanos) {
    series.windowState().beginAgain(nowNanos + longest.toNanos());
    series.lock.beginWrite();
    try {
      for (SeriesPart part : series.parts()) {
        part.beginWindowsAgain(nowNanos);
      }
    } finally {
      series.lock.endWrite();
    }
  }

  /** Takes what is too old out of all windows, and looks which are whole again. */
  void advance(long nowNanos, long wallMillis) {
    for (Series series : all) {
      memory.windowsChanged(advance(series, nowNanos));
      look(series, nowNanos, wallMillis);
    }
  }

  /** Returns by how many bytes their memory has changed. */
  private static long advance(Series series, long nowNanos) {
    long change = 0;
    for (SeriesPart part : series.parts()) {
      if (part.isDue(nowNanos)) {
        change -= part.windowBytes();
        series.lock.beginWrite();
        try {
          part.advance(nowNanos);
        } finally {
          series.lock.endWrite();
        }
        change += part.windowBytes();
      }
    }
    return change;
  }

  private void look(Series series, long nowNanos, long wallMillis) {
    long idleMillis = wallMillis - series.lastSeen().toEpochMilli() - longest.toMillis();
    series.windowState().look(nowNanos, idleMillis);
  }

  /** A series was merged into; what it reserves, and of that does not take, changed by so much. */
  void merged(Series series, long lastingBytes, long untakenBytes, long windowBytes) {
    memory.add(lastingBytes, untakenBytes, windowBytes);
    if (memory.isFull()) {
      relieve(series);
    }
  }

  private void relieve(Series merged) {
    giveUpWindows(merged);
    for (int left = all.size(); left > 0 && memory.isToGiveUpWindows(); left--) {
      if (!next.hasNext()) {
        next = all.iterator();
      }
      if (next.hasNext()) {
        giveUpWindows(next.next());
      }
    }
  }

  private void giveUpWindows(Series series) {
    long bytes = SeriesBytes.ofWindows(series);
    if (series.windowState().isFed() && !config.windows().isEmpty() && !series.hasEnded()) {
      giveUp(series);
      memory.windowsChanged(SeriesBytes.ofWindows(series) - bytes);
      memory.addWithoutWindows(1);
    }
  }

  /** Forgets what the windows of a series hold; the memory budget is not told. */
  void giveUp(Series series) {
    series.windowState().giveUp(SeriesBytes.ofWindows(series));
    series.lock.beginWrite();
    try {
      emptyWithoutLock(series);
    } finally {
      series.lock.endWrite();
    }
  }

  /** Before others read: forgets what the windows of a series hold. */
  void empty(Series series) {
    memory.windowsChanged(-SeriesBytes.ofWindows(series));
    emptyWithoutLock(series);
  }

  private void emptyWithoutLock(Series series) {
    for (SeriesPart part : series.parts()) {
      part.emptyWindows(config.windows(), scratch);
    }
  }

  /** A series has ended; its name is remembered. */
  void ended(Series series) {
    memory.add(
        -SeriesBytes.lasting(series), -SeriesBytes.untaken(series), -SeriesBytes.ofWindows(series));
    memory.addWithoutWindows(series.windowState().isFed() ? 0 : -1);
  }
}
