package io.hdrsidecar.client.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The registry with a Micrometer that lacks a class it links with, as another version may: whoever
 * registers a meter gets one, and no error.
 */
class MissingClassesTest {
  private static final String CORE = "io.micrometer.core.instrument.";

  /** Registry and Micrometer in a loader of their own, without some classes. */
  private static final class LackingLoader extends ClassLoader {
    private final Set<String> missing;

    LackingLoader(Set<String> missing) {
      super(MissingClassesTest.class.getClassLoader());
      this.missing = missing;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.micrometer.")
          && !name.startsWith("io.hdrsidecar.client.micrometer.")) {
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "cumulative.CumulativeTimer",
        "cumulative.CumulativeDistributionSummary",
        "cumulative.CumulativeCounter",
        "cumulative.CumulativeFunctionCounter",
        "cumulative.CumulativeFunctionTimer",
        "internal.DefaultGauge",
        "internal.DefaultMeter",
        "internal.DefaultLongTaskTimer",
        "distribution.NoopHistogram",
        "simple.SimpleMeterRegistry",
        "cumulative.CumulativeTimer simple.SimpleMeterRegistry",
      })
  void everyMeter_withoutAClass_isMadeAndUsed(String names) throws Exception {
    String[] missing = names.split(" ", -1);
    for (int i = 0; i < missing.length; i++) {
      missing[i] = CORE + missing[i];
      assertThat(Class.forName(missing[i])).as("there, to be taken away").isNotNull();
    }

    Runnable meters =
        (Runnable)
            new LackingLoader(Set.of(missing))
                .loadClass(EveryMeter.class.getName())
                .getDeclaredConstructor()
                .newInstance();

    meters.run(); // Any error would come out here.
  }
}
