package io.hdrsidecar.sidecar.inject;

import io.hdrsidecar.sidecar.inject.Overrides.Claim;
import io.hdrsidecar.sidecar.inject.Overrides.CrashVolume;
import io.hdrsidecar.sidecar.inject.Overrides.EmptyDir;
import io.hdrsidecar.sidecar.inject.Overrides.JournalPlace;
import io.hdrsidecar.sidecar.inject.Overrides.PodVolume;
import io.hdrsidecar.sidecar.input.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the annotations of a pod say.
 *
 * @param inject {@code true}, {@code false}, or null when they leave it to the namespace
 * @param overrides what is wanted otherwise
 * @param problems what cannot be understood or is out of range, all at once
 */
record InjectAnnotations(@Nullable Boolean inject, Overrides overrides, List<Problem> problems) {
  /** What becomes ready on a cold node, too; with less it reads its own files over and over. */
  private static final Quantity LEAST_MEMORY = Quantity.parse("112Mi");

  private static final Quantity MOST_MEMORY = Quantity.parse("8Gi");

  /** A crash file has 1 MiB at least, and after a kill there are two for a moment. */
  private static final Quantity LEAST_CRASH_VOLUME = Quantity.parse("2Mi");

  private static final Quantity LEAST_CPU = Quantity.parse("50m");
  private static final Quantity MOST_CPU = Quantity.parse("16");
  private static final Duration LONGEST_DRAIN = Duration.ofMinutes(10);

  /** Of a container, a claim, a volume, a ConfigMap: RFC 1123, as the API server checks it. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");

  /** Registry and port, path, tag, digest; the API server checks no more than that it is there. */
  private static final Pattern IMAGE =
      Pattern.compile(
          "[a-zA-Z0-9][-._a-zA-Z0-9]*(:\\d+)?(/[-._a-z0-9]+)*(:[-.\\w]{1,128})?"
              + "(@sha256:[0-9a-f]{64})?");

  /** Whether something is wanted that only makes sense with a sidecar. */
  boolean hasOverrides() {
    return !overrides.equals(Overrides.NONE);
  }

  /** Reads the annotations of a pod; never fails. */
  static InjectAnnotations of(Map<String, String> annotations) {
    Reading reading = new Reading(annotations);
    reading.requireKnown();
    Boolean inject = reading.read(PodAnnotation.INJECT, InjectAnnotations::truth);
    Overrides overrides =
        new Overrides(
            reading.read(PodAnnotation.IMAGE, InjectAnnotations::image),
            reading.read(
                PodAnnotation.MEMORY_LIMIT, text -> within(text, LEAST_MEMORY, MOST_MEMORY)),
            reading.read(PodAnnotation.CPU_LIMIT, text -> within(text, LEAST_CPU, MOST_CPU)),
            reading.read(PodAnnotation.SLA_CONFIG_MAP, text -> name("a ConfigMap", text)),
            reading.read(PodAnnotation.JOURNAL, InjectAnnotations::journal),
            reading.read(PodAnnotation.CRASH_SAFE, InjectAnnotations::crashVolume),
            reading.read(PodAnnotation.CONTAINERS, InjectAnnotations::containers),
            reading.read(PodAnnotation.DRAIN, InjectAnnotations::drain),
            reading.read(PodAnnotation.POD_FIELDS, InjectAnnotations::keep) != null);
    return new InjectAnnotations(inject, overrides, List.copyOf(reading.problems));
  }

  /** One pass over the annotations of one pod. */
  private record Reading(Map<String, String> annotations, List<Problem> problems) {
    Reading(Map<String, String> annotations) {
      this(annotations, new ArrayList<>());
    }

    void requireKnown() {
      for (String key : annotations.keySet()) {
        if (key.startsWith(PodAnnotation.PREFIX) && PodAnnotation.of(key).isEmpty()) {
          problems.add(
              new Problem(
                  PodAnnotation.field(key),
                  "no such annotation; known after "
                      + PodAnnotation.PREFIX
                      + ": "
                      + PodAnnotation.known()));
        }
      }
    }

    <T> @Nullable T read(PodAnnotation annotation, Function<String, T> parser) {
      String text = annotations.get(annotation.key());
      if (text == null) {
        return null;
      }
      try {
        return parser.apply(text.strip());
      } catch (IllegalArgumentException e) {
        problems.add(
            new Problem(
                annotation.field(), e.getMessage() + ": \"" + LogSafeText.text(text) + "\""));
        return null;
      }
    }
  }

  private static Boolean truth(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false");
    };
  }

  private static String image(String text) {
    if (text.length() > 512 || !IMAGE.matcher(text).matches()) {
      throw new IllegalArgumentException("must be an image such as registry/hdr-sidecar:0.1.0");
    }
    return text;
  }

  private static Quantity within(String text, Quantity least, Quantity most) {
    try {
      Quantity quantity = Quantity.parse(text);
      if (quantity.compareTo(least) >= 0 && quantity.compareTo(most) <= 0) {
        return quantity;
      }
    } catch (IllegalArgumentException e) {
      // Said below, with the range.
    }
    throw new IllegalArgumentException(
        "must be a quantity from " + least.text() + " to " + most.text());
  }

  private static String name(String ofWhat, String text) {
    if (!NAME.matcher(text).matches()) {
      throw new IllegalArgumentException("must be the name of " + ofWhat);
    }
    return text;
  }

  private static JournalPlace journal(String text) {
    if (text.equals("emptyDir")) {
      return new EmptyDir();
    }
    String[] parts = text.split(":", 2);
    if (parts.length == 2 && NAME.matcher(parts[1]).matches()) {
      if (parts[0].equals("claim")) {
        return new Claim(parts[1]);
      }
      if (parts[0].equals("volume")) {
        return new PodVolume(parts[1]);
      }
    }
    throw new IllegalArgumentException(
        "must be emptyDir, claim:<name of a PersistentVolumeClaim> or volume:<name of a volume of"
            + " the pod>");
  }

  private static CrashVolume crashVolume(String text) {
    if (text.equals("true")) {
      return new CrashVolume(null);
    }
    try {
      return new CrashVolume(within(text, LEAST_CRASH_VOLUME, MOST_MEMORY));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "must be true, or the size of the volume: " + e.getMessage(), e);
    }
  }

  private static Boolean keep(String text) {
    if (!text.equals("keep")) {
      throw new IllegalArgumentException("must be keep");
    }
    return true;
  }

  private static List<String> containers(String text) {
    if (text.equals("*")) {
      return Overrides.ALL;
    }
    List<String> names = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
    if (!names.stream().allMatch(name -> NAME.matcher(name).matches())) {
      throw new IllegalArgumentException("must be names of containers, separated by commas, or *");
    }
    return names;
  }

  private static Duration drain(String text) {
    try {
      Duration drain = DurationText.parse(text);
      if (drain.compareTo(LONGEST_DRAIN) <= 0) {
        return drain;
      }
    } catch (IllegalArgumentException e) {
      // Said below, with the range.
    }
    throw new IllegalArgumentException("must be a duration from 0s to 10m, such as 15s");
  }
}
