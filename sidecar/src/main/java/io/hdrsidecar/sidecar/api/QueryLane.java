package io.hdrsidecar.sidecar.api;

import io.vertx.core.Future;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * Queries that wait for one of a few workers, and are asked in the order in which they came. They
 * wait here and not at the workers, so that they can leave. Event loop of the server only.
 */
final class QueryLane {
  private final Function<AskedQuery, Future<?>> run;
  private final Set<AskedQuery> queue = new LinkedHashSet<>();
  private int free;

  /**
   * A lane.
   *
   * @param workers how many queries are asked at a time
   * @param run asks one on a worker
   */
  QueryLane(int workers, Function<AskedQuery, Future<?>> run) {
    this.free = workers;
    this.run = run;
  }

  void add(AskedQuery asked) {
    asked.enteredNanos = System.nanoTime();
    queue.add(asked);
    runSome();
  }

  /** It is not to be asked any more; nothing happens where it does not wait. */
  void remove(AskedQuery asked) {
    queue.remove(asked);
  }

  private void runSome() {
    while (free > 0 && !queue.isEmpty()) {
      Iterator<AskedQuery> first = queue.iterator();
      AskedQuery next = first.next();
      first.remove();
      free--;
      run.apply(next)
          .onComplete(
              done -> {
                free++;
                runSome();
              });
    }
  }
}
