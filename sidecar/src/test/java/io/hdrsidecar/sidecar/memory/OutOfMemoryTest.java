package io.hdrsidecar.sidecar.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.JavaProgram;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class OutOfMemoryTest {
  @Test
  void isIn_causeOfACause_isFound_andACircleOfCausesEnds() {
    Throwable nested = new IllegalStateException(new CompletionException(new OutOfMemoryError()));
    IllegalStateException circle = new IllegalStateException("a");
    circle.initCause(new IllegalArgumentException("b", circle));

    assertThat(OutOfMemory.isIn(nested)).isTrue();
    assertThat(OutOfMemory.isIn(circle)).isFalse();
    assertThat(OutOfMemory.isIn(new StackOverflowError())).isFalse();
    assertThat(OutOfMemory.isIn(null)).isFalse();
  }

  /** A heap that is really full, on a thread of any kind. */
  @ParameterizedTest
  @ValueSource(strings = {"main", "thread", "logged"})
  void process_whoseHeapIsFull_endsWithThree(String where) throws Exception {
    JavaProgram.Ended ended = JavaProgram.run(List.of("-Xmx16m"), Filling.class, where);

    assertThat(ended.exitCode()).as(ended.output()).isEqualTo(3);
    assertThat(ended.output()).contains("event=out_of_memory");
  }

  /** Fills its heap; what it would do afterwards it must not come to. */
  static final class Filling {
    private static byte[][] all = new byte[1 << 16][];

    public static void main(String[] args) throws Exception {
      OutOfMemory.endAtUncaught();
      Logger root = Logger.getLogger("");
      root.addHandler(OutOfMemory.logHandler());
      switch (args[0]) {
        case "main" -> fill();
        case "thread" -> {
          Thread thread = new Thread(Filling::fill);
          thread.start();
          thread.join();
        }
        default -> {
          try {
            fill();
          } catch (OutOfMemoryError e) {
            root.log(Level.WARNING, "caught", new IllegalStateException(e));
          }
        }
      }
      System.exit(0);
    }

    private static void fill() {
      for (int i = 0; i < all.length; i++) {
        all[i] = new byte[8192];
      }
    }
  }
}
