package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.merge.Registration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The series ids of one connection: a hash table with open addressing, so that looking up an int
 * makes no Integer. Slots are spread by a random odd factor, which a client cannot aim at.
 */
final class SeriesIds {
  private static final int FIRST_BITS = 4;

  private final int factor = ThreadLocalRandom.current().nextInt() | 1;
  private int bits = FIRST_BITS;
  private int[] ids = new int[1 << FIRST_BITS];
  private @Nullable Registration[] series = new Registration[1 << FIRST_BITS];
  private int size;

  /** Number of ids. */
  int size() {
    return size;
  }

  /** What the id stands for, or null. */
  @Nullable Registration find(int id) {
    return series[slotOf(id)];
  }

  /** Sets or replaces what an id stands for. */
  void put(int id, Registration registered) {
    if ((size + 1) * 2 > ids.length) {
      grow();
    }
    int slot = slotOf(id);
    if (series[slot] == null) {
      size++;
    }
    ids[slot] = id;
    series[slot] = registered;
  }

  /** Forgets all ids, and gives their memory back. */
  void clear() {
    bits = FIRST_BITS;
    ids = new int[1 << FIRST_BITS];
    series = new Registration[1 << FIRST_BITS];
    size = 0;
  }

  /** Forgets an id. Those after it in the same run move up, so that looking up finds them. */
  void remove(int id) {
    int hole = slotOf(id);
    if (series[hole] == null) {
      return;
    }
    size--;
    series[hole] = null;
    int mask = ids.length - 1;
    for (int slot = (hole + 1) & mask; series[slot] != null; slot = (slot + 1) & mask) {
      Registration moved = series[slot];
      series[slot] = null;
      int free = slotOf(ids[slot]);
      ids[free] = ids[slot];
      series[free] = moved;
    }
  }

  /** The slot that holds the id, or the free one where it belongs. */
  private int slotOf(int id) {
    int mask = ids.length - 1;
    int slot = (id * factor) >>> (Integer.SIZE - bits);
    while (series[slot] != null && ids[slot] != id) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    int[] oldIds = ids;
    @Nullable Registration[] oldSeries = series;
    bits++;
    ids = new int[1 << bits];
    series = new Registration[1 << bits];
    size = 0;
    for (int i = 0; i < oldIds.length; i++) {
      Registration registered = oldSeries[i];
      if (registered != null) {
        put(oldIds[i], registered);
      }
    }
  }
}
