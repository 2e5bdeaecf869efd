package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class LookupTest {
  private static final SocketAddress ANSWER = InetSocketAddress.createUnresolved("sidecar", 9924);

  @Test
  void start_ofASlowLookup_returnsAtOnceAndWakesTheSelectorAtTheAnswer() throws Exception {
    CountDownLatch answered = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    Lookup lookup =
        new Lookup(
            attempt -> {
              asked.incrementAndGet();
              awaitQuietly(answered);
              return ANSWER;
            },
            true);
    try (Selector selector = Selector.open()) {
      lookup.start(0, selector);
      lookup.start(1, selector);
      assertThat(lookup.isDone()).isFalse();
      assertThatThrownBy(lookup::take).isInstanceOf(IllegalStateException.class);

      answered.countDown();
      selector.select(); // without a timeout: only the wake-up ends it
      assertThat(lookup.isDone()).isTrue();
      assertThat(lookup.take()).isEqualTo(ANSWER);
      assertThat(asked).hasValue(1);
      assertThat(lookup.isDone()).isFalse();
    }
  }

  @Test
  void take_afterAFailure_throwsItAndTheNextLookupAsksAgain() throws Exception {
    UnknownHostException unknown = new UnknownHostException("sidecar");
    Lookup lookup =
        new Lookup(
            attempt -> {
              if (attempt == 0) {
                throw unknown;
              }
              return ANSWER;
            },
            false);
    try (Selector selector = Selector.open()) {
      lookup.start(0, selector);
      assertThatThrownBy(lookup::take).isSameAs(unknown);

      lookup.start(1, selector);
      assertThat(lookup.take()).isEqualTo(ANSWER);
    }
  }

  @Test
  void take_afterAnError_isAnIoExceptionThatSaysSo() throws Exception {
    Lookup lookup =
        new Lookup(
            attempt -> {
              throw new StackOverflowError("deep");
            },
            true);
    try (Selector selector = Selector.open()) {
      lookup.start(0, selector);
      selector.select();
      assertThatThrownBy(lookup::take).isInstanceOf(IOException.class).hasMessageContaining("deep");
    }
  }

  @Test
  void session_withAHostName_connects() throws IOException {
    try (TestPeer peer = TestPeer.onTcp()) {
      String byName = peer.address().replace("127.0.0.1", "localhost");
      assertThat(SidecarAddress.parse(byName).needsLookup()).isTrue();
      SendLoopHarness harness = new SendLoopHarness(byName, Duration.ofSeconds(1));

      Await.until(
          "connection",
          () -> {
            // In steps far below the stall timeout: localhost may be an address without a peer,
            // too.
            harness.pass(Duration.ofMillis(1), Duration.ofMillis(1));
            return harness.figures().connected();
          });
    }
  }

  @ParameterizedTest
  @CsvSource({
    "tcp://localhost:9924, true",
    "tls://sidecar.example:9924, true",
    "tcp://127.0.0.1:9924, false",
    "tls://[::1]:9924, false",
    "unix:///run/sidecar.sock, false"
  })
  void needsLookup_ofAnAddress_isTrueForHostNames(String address, boolean expected) {
    assertThat(SidecarAddress.parse(address).needsLookup()).isEqualTo(expected);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
