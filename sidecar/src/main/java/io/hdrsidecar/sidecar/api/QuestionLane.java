package io.hdrsidecar.sidecar.api;

import io.vertx.core.Future;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Function;

/**
 * Questions that wait for one of a few workers, and are asked in the order in which they came. They
 * wait here and not at the workers, so that they can leave. Event loop of the server only.
 */
final class QuestionLane {
  private final Function<AskedQuestion, Future<?>> run;
  private final Set<AskedQuestion> queue = new LinkedHashSet<>();
  private int free;

  /**
   * A lane.
   *
   * @param workers how many questions are asked at a time
   * @param run asks one on a worker
   */
  QuestionLane(int workers, Function<AskedQuestion, Future<?>> run) {
    this.free = workers;
    this.run = run;
  }

  void add(AskedQuestion asked) {
    asked.enteredNanos = System.nanoTime();
    queue.add(asked);
    runSome();
  }

  /** It is not to be asked any more; nothing happens where it does not wait. */
  void remove(AskedQuestion asked) {
    queue.remove(asked);
  }

  private void runSome() {
    while (free > 0 && !queue.isEmpty()) {
      Iterator<AskedQuestion> first = queue.iterator();
      AskedQuestion next = first.next();
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
