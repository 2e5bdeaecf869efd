package io.hdrsidecar.sidecar.merge;

import java.util.ArrayDeque;

/** Tasks to be done once a record of an {@link IntervalLog} is durable. Merge context only. */
public final class DurableTasks {
  private record Task(long record, Runnable toRun) {}

  private final ArrayDeque<Task> tasks = new ArrayDeque<>();

  /** None yet. */
  public DurableTasks() {}

  /** Waits for a record that is not below any before. */
  public void add(long record, Runnable toRun) {
    tasks.addLast(new Task(record, toRun));
  }

  /** Runs those that waited for this record, or for one before it. */
  public void run(long durable) {
    while (!tasks.isEmpty() && tasks.getFirst().record() <= durable) {
      tasks.removeFirst().toRun().run();
    }
  }
}
