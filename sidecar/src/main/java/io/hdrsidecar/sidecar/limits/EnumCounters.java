package io.hdrsidecar.sidecar.limits;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * A counter for each constant, such as each reason. One thread raises a counter, any thread reads.
 *
 * @param <E> the constants
 */
public final class EnumCounters<E extends Enum<E>> {
  private final Map<E, SingleWriterCounter> counters;

  /** All at 0. */
  public EnumCounters(Class<E> type) {
    counters = new EnumMap<>(type);
    for (E constant : type.getEnumConstants()) {
      counters.put(constant, new SingleWriterCounter());
    }
  }

  /** The counter of a constant. */
  public SingleWriterCounter of(E which) {
    SingleWriterCounter counter = counters.get(which);
    if (counter == null) {
      throw new IllegalStateException("no counter for " + which);
    }
    return counter;
  }

  /** Names all of them, in the order of their declaration. */
  public void forEach(BiConsumer<E, LongSupplier> visitor) {
    counters.forEach((constant, counter) -> visitor.accept(constant, counter::get));
  }
}
