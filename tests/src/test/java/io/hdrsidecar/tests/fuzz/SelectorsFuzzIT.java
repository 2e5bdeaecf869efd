package io.hdrsidecar.tests.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.MalformedSelectorException;
import io.hdrsidecar.sidecar.query.Selector;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Damaged selectors and hostile expressions choose series, or give a MalformedSelectorException.
 */
final class SelectorsFuzzIT {
  /** What reading one selector and asking {@value #SERIES} series may allocate at most. */
  private static final long MOST_BYTES_TAKEN = 32L << 20;

  private static final int SERIES = 50;

  private static final List<String> GOOD =
      List.of(
          "checkout",
          "checkout_seconds{route=\"/pay\",method!=\"GET\"}",
          "{__name__=~\"check.*\",route!~`/r[0-9]{1,3}|x`}",
          "{route=~'(a|b)*c{2,5}', pod=~\"\\\\d+\\n\",}");

  private static final List<String> WORDS =
      List.of(
          "{",
          "}",
          "(",
          ")",
          "[",
          "]",
          "{99}",
          "{1,9}",
          "{0,}",
          "*",
          "+",
          "?",
          "|",
          "\\\\",
          "\"",
          "'",
          "`",
          ",",
          "=",
          "!=",
          "=~",
          "!~",
          "__name__",
          "(?i)",
          "(?P<a>",
          "\\\\pL",
          "[^",
          "[[:alpha:]]",
          "\\\\Q",
          "\\\\E",
          "\u0000",
          "\ud83d\ude00",
          "\u0130",
          "{1001}",
          "{5,1}",
          "(?:",
          "^",
          "$",
          ".",
          "\\\\b",
          "\\\\C",
          "\\\\x{10ffff}",
          "\n");

  private final Mutator mutator =
      new Mutator(WORDS.stream().map(w -> w.getBytes(StandardCharsets.UTF_8)).toList());
  private final SeriesStore store = new SeriesStore(MergeConfig.defaults());
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @BeforeEach
  void register() throws Exception {
    for (int i = 0; i < SERIES; i++) {
      store.register(
          new SeriesDefinition(
              new SeriesKey("checkout", Labels.of("route", "/r" + i + "a".repeat(900))),
              Unit.NANOSECONDS,
              "",
              BucketLayout.of(1, 2),
              1_000_000));
    }
  }

  @Test
  void parseAndSelect_damagedSelectors_giveSeriesOrATypedErrorAtABoundedCost() {
    Fuzz.run(
        "selectors",
        (random, tally) -> {
          String selector = random.nextInt(3) == 0 ? hostile(random) : damaged(random);
          long before = threads.getCurrentThreadAllocatedBytes();
          tally.add(isAnswered(selector));
          assertThat(threads.getCurrentThreadAllocatedBytes() - before)
              .as(selector)
              .isLessThan(MOST_BYTES_TAKEN);
        });
  }

  private boolean isAnswered(String selector) {
    try {
      assertThat(Selector.parse(selector).select(store)).hasSizeBetween(0, SERIES);
      return true;
    } catch (MalformedSelectorException refused) {
      assertThat(refused.getMessage()).isNotEmpty();
      return false;
    }
  }

  private String damaged(SplittableRandom random) {
    byte[] good = GOOD.get(random.nextInt(GOOD.size())).getBytes(StandardCharsets.UTF_8);
    byte[] bad = mutator.damaged(good, random);
    return new String(
        bad, random.nextBoolean() ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
  }

  /** An expression that would be dear in an engine that backtracks, or writes repetitions out. */
  private static String hostile(SplittableRandom random) {
    StringBuilder expression = new StringBuilder("a");
    for (int depth = random.nextInt(1, 60); depth > 0; depth--) {
      String around =
          switch (random.nextInt(7)) {
            case 0 -> "(%s)*";
            case 1 -> "(%s){" + random.nextInt(30) + "," + random.nextInt(30, 60) + "}";
            case 2 -> "(?:%s|%s)";
            case 3 -> "(%s+)+";
            case 4 -> "%s?%s";
            case 5 -> "[^x%s]";
            default -> ".*%s.*";
          };
      String longer = around.replace("%s", expression);
      if (longer.length() > 500) {
        break;
      }
      expression.setLength(0);
      expression.append(longer);
    }
    return Stream.of("checkout{route=~\"/r1", expression, "\"}")
        .reduce("", (a, b) -> a + b, String::concat);
  }
}
