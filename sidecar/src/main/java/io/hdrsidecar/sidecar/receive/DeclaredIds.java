package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.merge.Registration;
import org.jspecify.annotations.Nullable;

/** The series ids of one connection, and what they take of {@link IdBudget}. Merge context only. */
final class DeclaredIds {
  /** Slots of a table less than half full, and its old self while it grows. */
  static final long SLOT_BYTES = 48;

  /** What an id may keep of a series that ended and is forgotten: registration and layout. */
  static final long FORGOTTEN_BYTES = 104;

  private final SeriesIds ids = new SeriesIds();
  private final IdBudget budget;
  private long bytes;

  DeclaredIds(IdBudget budget) {
    this.budget = budget;
  }

  /** Number of ids. */
  int size() {
    return ids.size();
  }

  /** What the id stands for, or null. */
  @Nullable Registration find(int id) {
    return ids.find(id);
  }

  /** Sets or replaces what an id stands for; false when there is no room. */
  boolean declare(int id, Registration registered) {
    Registration before = ids.find(id);
    long more = bytesOf(registered) - (before == null ? 0 : bytesOf(before));
    boolean hasRoom =
        before == null ? budget.take(ids.size(), more) : more <= 0 || budget.takeMore(more);
    if (!hasRoom) {
      return false;
    }
    if (more < 0) {
      budget.giveSome(-more);
    }
    bytes += more;
    ids.put(id, registered);
    return true;
  }

  /** A series has begun anew, or an overflow series has taken its place, which takes no more. */
  void renew(int id, Registration renewed) {
    declare(id, renewed);
  }

  /** Forgets an id. */
  void remove(int id) {
    Registration before = ids.find(id);
    if (before != null) {
      budget.give(ids.size(), bytesOf(before));
      bytes -= bytesOf(before);
      ids.remove(id);
    }
  }

  /** Forgets all ids, and gives their memory back. */
  void clear() {
    budget.giveAll(ids.size(), bytes);
    bytes = 0;
    ids.clear();
  }

  /** One object stands for all ids of an overflow series, and costs none of them anything. */
  private static long bytesOf(Registration registered) {
    return registered.isOfOverflow() ? SLOT_BYTES : SLOT_BYTES + FORGOTTEN_BYTES;
  }
}
