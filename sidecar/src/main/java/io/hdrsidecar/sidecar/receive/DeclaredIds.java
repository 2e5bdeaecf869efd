package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.RejectReason;
import io.hdrsidecar.sidecar.limits.RefusedException;
import io.hdrsidecar.sidecar.merge.Destination;
import org.jspecify.annotations.Nullable;

/** The series ids of one connection, and what they take of {@link IdBudget}. Merge context only. */
final class DeclaredIds {
  /**
   * The bytes that an id may keep of a series that ended and is forgotten: registration and layout.
   */
  static final long FORGOTTEN_BYTES = 104;

  /**
   * The bytes that ids may take of the connection's own room before they need that of all: a
   * service with a dozen series has its ids whatever others do.
   */
  static final long OWN_BYTES = SeriesIds.PAGE_BYTES + 16 * FORGOTTEN_BYTES;

  private final SeriesIds ids = new SeriesIds();
  private final IdBudget budget;
  private final int maxIds;

  /** Ids that stand for something that no other does. */
  private int ofSeries;

  DeclaredIds(IdBudget budget, int maxIds) {
    this.budget = budget;
    this.maxIds = maxIds;
  }

  /** Number of ids. */
  int size() {
    return ids.size();
  }

  /** The destination that the id stands for, or null. */
  @Nullable Destination find(int id) {
    return ids.find(id);
  }

  /** Refuses an id beyond the limit, before anything is done for it. */
  void requirePlace(int id) throws RefusedException {
    if (find(id) == null && size() >= maxIds) {
      throw tooMany("a connection may have at most " + maxIds + " series ids");
    }
  }

  /** Sets or replaces what an id stands for. */
  void declare(int id, Destination registered) throws RefusedException {
    if (!tryDeclare(id, registered)) {
      throw tooMany(
          "no room for more series ids of all connections, beyond the first "
              + IdBudget.RESERVED_IDS
              + " of each (ingest.max-series-ids, and the heap)");
    }
  }

  private static RefusedException tooMany(String limit) {
    return new RefusedException(
        RejectReason.SERIES_LIMIT, limit + "; declare ids that are not in use again instead");
  }

  /** The same; false when there is no room. */
  boolean tryDeclare(int id, Destination registered) {
    Destination before = ids.find(id);
    int more = ofSeries(registered) - (before == null ? 0 : ofSeries(before));
    long held = budgeted();
    long wanted = budgeted(ids.bytes() + ids.bytesToAdd(id), ofSeries + more);
    boolean hasRoom =
        before == null
            ? budget.take(ids.size(), wanted - held)
            : wanted <= held || budget.takeMore(wanted - held);
    if (!hasRoom) {
      return false;
    }
    if (wanted < held) {
      budget.giveSome(held - wanted);
    }
    ofSeries += more;
    ids.put(id, registered);
    return true;
  }

  /** A series has begun anew, or an overflow series has taken its place, which takes no more. */
  void renew(int id, Destination renewed) {
    tryDeclare(id, renewed);
  }

  /** Forgets an id. */
  void remove(int id) {
    Destination before = ids.find(id);
    if (before != null) {
      int size = ids.size();
      long held = budgeted();
      ids.remove(id);
      ofSeries -= ofSeries(before);
      budget.give(size, held - budgeted());
    }
  }

  /** Forgets all ids, and gives their memory back. */
  void clear() {
    budget.giveAll(ids.size(), budgeted());
    ids.clear();
    ofSeries = 0;
  }

  private long budgeted() {
    return budgeted(ids.bytes(), ofSeries);
  }

  /** The bytes beyond the connection's own room. */
  private static long budgeted(long pageBytes, int ofSeries) {
    return Math.max(0, pageBytes + ofSeries * FORGOTTEN_BYTES - OWN_BYTES);
  }

  /** One object that stands for many ids costs none of them anything. */
  private static int ofSeries(Destination registered) {
    return registered.isShared() ? 0 : 1;
  }
}
