package io.hdrsidecar.sidecar.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OnDemandTimerTest {
  private static final int SOME = 3;

  /** Longer than several periods, on the same event loop: no look is under way behind it. */
  private static final long LATER_MILLIS = 20;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final OnDemandTimer timer = new OnDemandTimer(vertx, 1, this::look);

  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger left = new AtomicInteger();
  private volatile CountDownLatch ended = new CountDownLatch(1);

  private boolean look() {
    looks.incrementAndGet();
    if (left.decrementAndGet() > 0) {
      return true;
    }
    vertx.setTimer(LATER_MILLIS, later -> ended.countDown());
    return false;
  }

  private void wakeAndAwaitTheEnd() throws InterruptedException {
    left.set(SOME);
    ended = new CountDownLatch(1);
    loop.runOnContext(
        now -> {
          timer.wake();
          timer.wake();
        });
    assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @AfterEach
  void close() {
    vertx.close();
  }

  @Test
  void wake_nothingLeftAfterSomeLooks_looksNoMoreUntilTheNext() throws Exception {
    wakeAndAwaitTheEnd();
    assertThat(looks.get()).isEqualTo(SOME);

    wakeAndAwaitTheEnd();
    assertThat(looks.get()).isEqualTo(2 * SOME);
  }
}
