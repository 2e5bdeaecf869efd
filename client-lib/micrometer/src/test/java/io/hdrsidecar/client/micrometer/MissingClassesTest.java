package io.hdrsidecar.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The registry with a Micrometer that lacks a class it links with, as another version may: whoever
 * registers a meter gets one, and no error.
 */
class MissingClassesTest {
  private static final String CORE = "io.micrometer.core.instrument.";
  private static final String OURS = "io.hdrsidecar.client.micrometer.";
  private static final String KIND = " and others of type ";

  /** Registry and Micrometer in a loader of their own, without some classes. */
  private static final class LackingLoader extends ClassLoader {
    private final Set<String> missing;

    LackingLoader(Set<String> missing) {
      super(MissingClassesTest.class.getClassLoader());
      this.missing = missing;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.micrometer.") && !name.startsWith(OURS)) {
        return super.loadClass(name, resolve);
      }
      if (missing.contains(name)) {
        throw new ClassNotFoundException(name + " is meant to be missing");
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? define(name) : loaded;
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      try (InputStream bytes = getResourceAsStream(name.replace('.', '/') + ".class")) {
        if (bytes == null) {
          throw new ClassNotFoundException(name);
        }
        byte[] code = bytes.readAllBytes();
        return defineClass(name, code, 0, code.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  /** What works where nothing is missing: each meter counts or holds its one use. */
  private static final Map<String, Double> ALL =
      Stream.of(
              "calls,counter 1,counter 2,gauge,own,summary 1,summary 2,task,timer 1,timer 2,times"
                  .split(",", -1))
          .collect(Collectors.toMap(name -> name, name -> 1.0));

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "our RecordingTimer | | TIMER work in process and are not sent",
        "our RecordingSummary | | DISTRIBUTION_SUMMARY work in process and are not sent",
        "our RecordingLongTaskTimer | | LONG_TASK_TIMER work in process and are not sent",
        "cumulative.CumulativeTimer | timer 1,timer 2 | TIMER have no effect",
        "cumulative.CumulativeDistributionSummary | summary 1,summary 2"
            + " | DISTRIBUTION_SUMMARY have no effect",
        "cumulative.CumulativeCounter | counter 1,counter 2 | COUNTER have no effect",
        "cumulative.CumulativeFunctionCounter | calls | COUNTER have no effect",
        "cumulative.CumulativeFunctionTimer | times | TIMER have no effect",
        "internal.DefaultGauge | gauge | GAUGE have no effect",
        "internal.DefaultMeter | own | OTHER have no effect",
        "internal.DefaultLongTaskTimer | task | LONG_TASK_TIMER have no effect",
        "distribution.NoopHistogram | timer 1,timer 2,summary 1,summary 2"
            + " | TIMER have no effect,DISTRIBUTION_SUMMARY have no effect",
        "simple.SimpleMeterRegistry | |",
        "our RecordingTimer,simple.SimpleMeterRegistry | timer 1,timer 2 | TIMER have no effect",
      })
  void everyMeter_withoutAClass_worksInProcessWhereItCan_andOneWarningSaysSo(
      String missing, @Nullable String withoutEffect, @Nullable String effects) throws Exception {
    Map<String, Double> expected = new HashMap<>(ALL);
    parts(withoutEffect).forEach(name -> expected.put(name, 0.0));

    try (Warnings warnings = new Warnings("io.hdrsidecar.client.micrometer")) {
      // Any error would come out here.
      assertThat(usedWithout(parts(missing))).containsExactlyInAnyOrderEntriesOf(expected);

      List<String> said = warnings.said();
      assertThat(said).hasSameSizeAs(parts(effects));
      for (int i = 0; i < said.size(); i++) {
        assertThat(said.get(i))
            .contains(KIND + parts(effects).get(i).replaceFirst(" ", " that fail as it does "))
            .contains("they need Micrometer 1.13 to 1.17, and this is ")
            .contains("NoClassDefFoundError");
      }
    }
  }

  private static List<String> parts(@Nullable String text) {
    return text == null ? List.of() : List.of(text.split(",", -1));
  }

  @SuppressWarnings("unchecked") // Its class is another than ours, its interface is Java's.
  private static Map<String, Double> usedWithout(List<String> names) throws Exception {
    Set<String> missing = new HashSet<>();
    for (String name : names) {
      String full = name.startsWith("our ") ? OURS + name.substring(4) : CORE + name;
      assertThat(Class.forName(full)).as("there, to be taken away").isNotNull();
      missing.add(full);
    }
    Supplier<Map<String, Double>> meters =
        (Supplier<Map<String, Double>>)
            new LackingLoader(missing)
                .loadClass(EveryMeter.class.getName())
                .getDeclaredConstructor()
                .newInstance();
    return meters.get();
  }
}
