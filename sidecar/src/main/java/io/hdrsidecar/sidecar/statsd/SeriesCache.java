package io.hdrsidecar.sidecar.statsd;

import io.hdrsidecar.internal.interval.Accumulation;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.plain.PlainFamilies;
import io.hdrsidecar.sidecar.plain.PlainName;
import io.hdrsidecar.sidecar.plain.PlainSeries;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * What became of each name with its tags, by the bytes in which they were sent: to find a series
 * again takes one comparison, and no text is made.
 *
 * <p>All of it is taken from the share of the heap that is for StatsD. Of those without values the
 * ones that were not asked for lately are forgotten when less than half of the share is left: the
 * next line makes them anew. One thread at a time.
 */
final class SeriesCache {
  /** An entry, its key's header, and its place in the table. */
  private static final long ENTRY_BYTES = 72;

  private static final int FEWEST_PLACES = 1024;

  /** A round is a hand-over, so a second as a rule. */
  private static final int FEW_ROUNDS = 10;

  /** Odd, and another one in each process: nobody can send names that all share a place. */
  private static final int MULTIPLIER = new SplittableRandom().nextInt() | 1;

  /** One name with its tags. */
  static final class Entry {
    private final byte[] key;
    private final int hash;
    private final long lastingBytes;
    private @Nullable Entry next;
    private long claimed;
    private long usedAt;
    private boolean isWaiting;
    private boolean isForgotten;

    /** Null where the lines are not kept. */
    final @Nullable StatsdSeries series;

    /** What they are called, of counters and gauges; others may share the name by another rule. */
    final @Nullable PlainName plainName;

    /** What they change, of counters and gauges. */
    @Nullable PlainSeries plain;

    /** Why they are not, where they are not. */
    final @Nullable NotKept reason;

    Entry(
        byte[] key,
        int hash,
        @Nullable StatsdSeries series,
        @Nullable PlainName plainName,
        @Nullable PlainSeries plain,
        @Nullable NotKept reason,
        long bytes) {
      this.plainName = plainName;
      this.plain = plain;
      this.key = key;
      this.hash = hash;
      this.series = series;
      this.reason = reason;
      this.lastingBytes = bytes;
      this.claimed = bytes;
    }
  }

  private final HeapClaim claim;
  private final long reserveBytes;
  private final long spareBytes;
  private Entry[] places = new Entry[FEWEST_PLACES];
  private final List<Entry> waiting = new ArrayList<>();
  private int size;
  private long round;

  /**
   * An empty cache.
   *
   * @param claim of the share, which may have other owners
   * @param reserveBytes that stay free for what one line may allocate
   */
  SeriesCache(HeapClaim claim, long reserveBytes) {
    this.claim = claim;
    this.reserveBytes = reserveBytes;
    this.spareBytes = claim.roomBytes() - reserveBytes;
  }

  /** What is known of a line; null for nothing. */
  @Nullable Entry find(byte[] bytes, int from, StatsdLine line) {
    int hash = hash(bytes, from, line);
    for (Entry entry = places[hash & (places.length - 1)]; entry != null; entry = entry.next) {
      if (entry.hash == hash && isKeyOf(entry.key, bytes, from, line)) {
        entry.usedAt = round;
        return entry;
      }
    }
    return null;
  }

  /**
   * Remembers what becomes of lines like this.
   *
   * @return null when there is no memory for it
   */
  @Nullable Entry add(
      byte[] bytes,
      int from,
      StatsdLine line,
      @Nullable StatsdSeries series,
      @Nullable PlainName plainName,
      @Nullable PlainSeries plain,
      @Nullable NotKept reason) {
    byte[] key = keyOf(bytes, from, line);
    long lasting =
        ENTRY_BYTES
            + key.length
            + (series == null ? 0 : series.definition().heapBytes() + StatsdSeries.OBJECT_BYTES)
            + (plainName == null ? 0 : PlainFamilies.bytesOf(plainName));
    if (!tryGrow(lasting)) {
      return null;
    }
    Entry entry =
        new Entry(key, hash(bytes, from, line), series, plainName, plain, reason, lasting);
    entry.usedAt = round;
    if (size >= places.length) {
      Entry[] old = places;
      places = new Entry[2 * old.length];
      for (Entry first : old) {
        for (Entry each = first; each != null; ) {
          Entry next = each.next;
          put(each);
          each = next;
        }
      }
    }
    put(entry);
    size++;
    return entry;
  }

  private void put(Entry entry) {
    int place = entry.hash & (places.length - 1);
    entry.next = places[place];
    places[place] = entry;
  }

  /** Whether there is room for another line. */
  boolean hasRoom() {
    return claim.roomBytes() >= reserveBytes;
  }

  private boolean tryGrow(long bytes) {
    return claim.roomBytes() >= bytes && claim.tryGrow(bytes);
  }

  /** A value was counted in it: takes what that has allocated, for which a reserve was kept. */
  void counted(Entry entry, StatsdSeries series) {
    if (!entry.isWaiting) {
      entry.isWaiting = true;
      waiting.add(entry);
    }
    long bytes = entry.lastingBytes + series.heapBytes() - StatsdSeries.OBJECT_BYTES;
    if (bytes > entry.claimed && tryGrow(bytes - entry.claimed)) {
      entry.claimed = bytes;
    }
  }

  /** Whether any series has values. */
  boolean isWaiting() {
    return !waiting.isEmpty();
  }

  /**
   * Takes the values of all series away. Their bytes stay taken until {@link #release}.
   *
   * @param into gets what is to be merged
   * @return bytes to be released when that is done
   */
  long harvest(List<StatsdInterval> into) {
    long bytes = 0;
    for (Entry entry : waiting) {
      entry.isWaiting = false;
      long left = entry.isForgotten ? 0 : entry.lastingBytes;
      bytes += entry.claimed - left;
      entry.claimed = left;
      StatsdSeries series = entry.series;
      Accumulation counted = series == null ? null : series.harvest();
      if (series != null && counted != null) {
        into.add(new StatsdInterval(series.definition(), counted));
      }
    }
    waiting.clear();
    round++;
    return bytes;
  }

  /** Gives back what was harvested, and forgets what was not used lately if memory is short. */
  void release(long bytes) {
    claim.shrink(bytes);
    long spare = claim.roomBytes() - reserveBytes;
    if (spare < spareBytes / 4) {
      forgetUnused(round);
    } else if (spare < spareBytes / 2) {
      forgetUnused(round - FEW_ROUNDS);
    }
  }

  /** Knows no line any more; values that were counted are waiting on. */
  void startAnew() {
    for (Entry first : places) {
      for (Entry entry = first; entry != null; entry = entry.next) {
        if (entry.isWaiting) {
          entry.isForgotten = true;
        } else {
          claim.shrink(entry.claimed);
        }
      }
    }
    places = new Entry[FEWEST_PLACES];
    size = 0;
  }

  /** Forgets all that have no values. */
  void forgetAll() {
    forgetUnused(Long.MAX_VALUE);
  }

  /** Forgets those without values that were used before this round last. */
  private void forgetUnused(long since) {
    for (int i = 0; i < places.length; i++) {
      Entry kept = null;
      for (Entry entry = places[i]; entry != null; ) {
        Entry next = entry.next;
        if (entry.isWaiting || entry.usedAt >= since) {
          entry.next = kept;
          kept = entry;
        } else {
          claim.shrink(entry.claimed);
          size--;
        }
        entry = next;
      }
      places[i] = kept;
    }
  }

  /** How many names with tags are known. */
  int size() {
    return size;
  }

  /** Name, kind and tags. */
  private static byte[] keyOf(byte[] bytes, int from, StatsdLine line) {
    int name = line.nameEnd - from;
    int tags = line.tagsEnd - line.tagsStart;
    byte[] key = Arrays.copyOfRange(bytes, from, from + name + 1 + tags);
    key[name] = (byte) line.kind;
    System.arraycopy(bytes, line.tagsStart, key, name + 1, tags);
    return key;
  }

  private static boolean isKeyOf(byte[] key, byte[] bytes, int from, StatsdLine line) {
    int name = line.nameEnd - from;
    return key.length == name + 1 + line.tagsEnd - line.tagsStart
        && key[name] == line.kind
        && Arrays.equals(key, 0, name, bytes, from, line.nameEnd)
        && Arrays.equals(key, name + 1, key.length, bytes, line.tagsStart, line.tagsEnd);
  }

  private static int hash(byte[] bytes, int from, StatsdLine line) {
    int hash = line.kind;
    for (int i = from; i < line.nameEnd; i++) {
      hash = MULTIPLIER * hash + bytes[i];
    }
    for (int i = line.tagsStart; i < line.tagsEnd; i++) {
      hash = MULTIPLIER * hash + bytes[i];
    }
    hash *= 0x9E3779B9;
    return hash ^ hash >>> 16;
  }
}
