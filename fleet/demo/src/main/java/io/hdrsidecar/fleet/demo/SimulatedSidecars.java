package io.hdrsidecar.fleet.demo;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Many sidecars on one thread, each at its own moment of the interval, and what they have sent. All
 * methods are for any thread.
 */
final class SimulatedSidecars implements AutoCloseable {
  private static final long LONGEST_WAIT_MILLIS = 100;
  private static final long END_SECONDS = 60;

  private final LoadShape shape;
  private final LoadPayloads payloads;
  private final Selector selector = Selector.open();
  private final List<SimulatedSidecar> sidecars = new ArrayList<>();
  private final SplittableRandom random = new SplittableRandom(1);

  /** By deployment and payload, how often it was sent; of the thread, and of all after it. */
  private final long[][] times;

  private final AtomicLong settled = new AtomicLong();
  private final AtomicLong late = new AtomicLong();
  private final Thread thread = new Thread(this::run, "sidecars");
  private volatile boolean isStopped;
  private volatile @Nullable Exception failure;

  /** Connects all, and begins. */
  SimulatedSidecars(LoadShape shape, int port) throws IOException {
    this.shape = shape;
    this.payloads = new LoadPayloads(shape.payloadBytes());
    this.times = new long[shape.deployments()][LoadPayloads.SIZE];
    for (int i = 0; i < shape.sidecars(); i++) {
      sidecars.add(new SimulatedSidecar(i, shape, payloads, port, selector));
    }
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!sidecars.stream().allMatch(SimulatedSidecar::isOpen)) {
        serve(LONGEST_WAIT_MILLIS);
      }
      long begun = System.nanoTime();
      long intervalNanos = TimeUnit.MILLISECONDS.toNanos(shape.intervalMillis());
      for (long turn = 0; !isStopped; turn++) {
        serveUntil(begun + turn * intervalNanos / shape.sidecars());
        handOn((int) (turn % shape.sidecars()));
      }
      while (!sidecars.stream().allMatch(SimulatedSidecar::isSettled)) {
        serve(LONGEST_WAIT_MILLIS);
      }
      for (SimulatedSidecar sidecar : sidecars) {
        sidecar.sayGoodbye();
      }
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
  }

  /** At least once, also when it is late. */
  private void serveUntil(long dueNanos) throws IOException {
    long wait = dueNanos - System.nanoTime();
    do {
      serve(Math.min(LONGEST_WAIT_MILLIS, TimeUnit.NANOSECONDS.toMillis(wait)));
      wait = dueNanos - System.nanoTime();
    } while (wait > 0 && !isStopped);
  }

  private void serve(long millis) throws IOException {
    if (millis > 0) {
      selector.select(millis);
    } else {
      selector.selectNow();
    }
    for (SelectionKey key : selector.selectedKeys()) {
      SimulatedSidecar sidecar = (SimulatedSidecar) key.attachment();
      long before = sidecar.settled();
      sidecar.onReady();
      settled.addAndGet(sidecar.settled() - before);
    }
    selector.selectedKeys().clear();
  }

  private void handOn(int number) throws IOException {
    SimulatedSidecar sidecar = sidecars.get(number);
    if (!sidecar.isSettled()) {
      late.incrementAndGet();
    }
    if (sidecar.hasRoom()) { // Without, a sidecar adds it to the next interval.
      int[] picked = random.ints(shape.series(), 0, LoadPayloads.SIZE).toArray();
      for (int payload : picked) {
        times[shape.deploymentOf(number)][payload]++;
      }
      sidecar.handOn(picked, System.currentTimeMillis());
    }
  }

  /** Intervals acknowledged so far. */
  long settled() {
    return settled.get();
  }

  /** Turns of a sidecar that began before all of the turn before was acknowledged. */
  long late() {
    return late.get();
  }

  /** Mean length of payloads. */
  long payloadBytes() {
    return payloads.meanBytes();
  }

  /**
   * Fails when a sidecar was refused or cut off.
   *
   * @throws FleetException that says so
   */
  void requireNoFailure() throws FleetException {
    Exception found = failure;
    if (found != null) {
      throw new FleetException("sidecars have failed: " + found);
    }
  }

  /**
   * Sends nothing more, and waits until all is acknowledged.
   *
   * @throws FleetException when it is not, within a minute
   */
  void stop() throws FleetException, InterruptedException {
    isStopped = true;
    selector.wakeup();
    thread.join(TimeUnit.SECONDS.toMillis(END_SECONDS));
    requireNoFailure();
    if (thread.isAlive()) {
      throw new FleetException("not acknowledged after " + END_SECONDS + " s");
    }
  }

  /** What sidecars of a deployment have sent, all series together; after {@link #stop}. */
  FleetStatistics sent(int deployment) {
    return payloads.statistics(times[deployment]);
  }

  /** Ends the thread, if need be by closing what it waits for. */
  @Override
  public void close() throws IOException {
    isStopped = true;
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
