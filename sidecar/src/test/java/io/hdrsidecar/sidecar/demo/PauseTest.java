package io.hdrsidecar.sidecar.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class PauseTest {
  private final Pause standstill = new Pause();

  @Test
  void await_duringAPause_returnsWhenItIsOver() {
    long begin = System.nanoTime();
    standstill.begin(TimeUnit.MILLISECONDS.toNanos(30));
    standstill.await();

    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
  }

  @Test
  void begin_duringALongerPause_doesNotShortenIt() {
    long begin = System.nanoTime();
    standstill.begin(TimeUnit.MILLISECONDS.toNanos(40));
    standstill.begin(1);
    standstill.await();

    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(40));
  }

  @Test
  void begin_onAnotherThread_holdsThisOne() throws InterruptedException {
    long begin = System.nanoTime();
    Thread other = new Thread(() -> standstill.begin(TimeUnit.MILLISECONDS.toNanos(30)));
    other.start();
    other.join();
    standstill.await();

    assertThat(System.nanoTime() - begin).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(30));
  }
}
