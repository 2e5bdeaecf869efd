package io.hdrsidecar.client;

import io.hdrsidecar.internal.send.StateLog;
import io.hdrsidecar.series.Labels;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the client's settings from environment variables and collects all that is wrong. A variable
 * whose name nearly is that of one is ignored with a warning.
 */
final class EnvironmentSettings {
  private static final String PREFIX = "HDR_SIDECAR_";

  /** All variables, in the order of the message about wrong ones. */
  static final List<String> NAMES =
      List.of(
          "HDR_SIDECAR_ADDRESS",
          "HDR_SIDECAR_ENABLED",
          "HDR_SIDECAR_INTERVAL",
          "HDR_SIDECAR_LABELS",
          "HDR_SIDECAR_HICCUPS",
          "HDR_SIDECAR_HICCUPS_RESOLUTION",
          "HDR_SIDECAR_HICCUPS_DELAY",
          "HDR_SIDECAR_TOKEN",
          "HDR_SIDECAR_TOKEN_FILE",
          "HDR_SIDECAR_TLS_CA",
          "HDR_SIDECAR_TLS_CERTIFICATE",
          "HDR_SIDECAR_TLS_KEY",
          "HDR_SIDECAR_SPILL_FOLDER",
          "HDR_SIDECAR_CRASH_FOLDER",
          "HDR_SIDECAR_SPILL_PICKUP");

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  private final Map<String, String> environment;
  private final ClientConfig.Builder builder = ClientConfig.builder();

  EnvironmentSettings(Map<String, String> environment) {
    this.environment = environment;
  }

  ClientConfig toConfig() {
    ClientConfig.Builder settings = toBuilder();
    try {
      return settings.build();
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage(), e);
    }
  }

  ClientConfig.Builder toBuilder() {
    environment.keySet().forEach(EnvironmentSettings::warnOfMistake);
    List<String> problems = new ArrayList<>();
    for (String name : NAMES) {
      String text = text(name);
      if (!text.isEmpty()) {
        try {
          set(name, text);
        } catch (IllegalArgumentException e) {
          problems.add(name + ": " + e.getMessage());
        }
      }
    }
    if (!problems.isEmpty()) {
      throw wrong(String.join("; ", problems), null);
    }
    return builder;
  }

  private static IllegalArgumentException wrong(
      @Nullable String problems, @Nullable Exception cause) {
    return new IllegalArgumentException("environment of hdr-sidecar's client: " + problems, cause);
  }

  /** An empty variable is the same as none: many deployment tools cannot leave one out. */
  private String text(String name) {
    return environment.getOrDefault(name, "").trim();
  }

  private void set(String name, String text) {
    switch (name) {
      case "HDR_SIDECAR_ADDRESS" -> builder.address(text);
      case "HDR_SIDECAR_ENABLED" -> builder.enabled(truth(text));
      case "HDR_SIDECAR_INTERVAL" -> builder.interval(duration(text));
      case "HDR_SIDECAR_LABELS" -> builder.commonLabels(labels(text));
      case "HDR_SIDECAR_HICCUPS" -> builder.hiccups(truth(text));
      case "HDR_SIDECAR_HICCUPS_RESOLUTION" -> builder.hiccupResolution(duration(text));
      case "HDR_SIDECAR_HICCUPS_DELAY" -> builder.hiccupStartDelay(duration(text));
      case "HDR_SIDECAR_TOKEN" -> builder.token(text);
      case "HDR_SIDECAR_TOKEN_FILE" -> {
        if (!text("HDR_SIDECAR_TOKEN").isEmpty()) {
          throw new IllegalArgumentException("must not be set together with HDR_SIDECAR_TOKEN");
        }
        builder.tokenFile(Path.of(text));
      }
      case "HDR_SIDECAR_TLS_CA" -> builder.tlsCa(Path.of(text));
      case "HDR_SIDECAR_TLS_CERTIFICATE" ->
          builder.tlsCertificate(Path.of(text), together("HDR_SIDECAR_TLS_KEY"));
      case "HDR_SIDECAR_TLS_KEY" ->
          builder.tlsCertificate(together("HDR_SIDECAR_TLS_CERTIFICATE"), Path.of(text));
      case "HDR_SIDECAR_SPILL_FOLDER" -> builder.spillFolder(Path.of(text));
      case "HDR_SIDECAR_CRASH_FOLDER" -> builder.crashFolder(Path.of(text));
      case "HDR_SIDECAR_SPILL_PICKUP" -> builder.spillPickup(truth(text));
      default -> throw new IllegalStateException(name);
    }
  }

  private Path together(String other) {
    if (text(other).isEmpty()) {
      throw new IllegalArgumentException("must be set together with " + other);
    }
    return Path.of(text(other));
  }

  /** The sidecar's own variables may stand there, too: none of them is this near to one of ours. */
  private static void warnOfMistake(String variable) {
    if (variable.startsWith(PREFIX) && !NAMES.contains(variable)) {
      for (String name : NAMES) {
        if (isNear(variable, name)) {
          StateLog.logger()
              .log(
                  Level.WARNING,
                  "unknown variable " + variable + " is ignored: did you mean " + name + "?");
        }
      }
    }
  }

  /** Whether they differ in one place, by at most two characters. */
  private static boolean isNear(String a, String b) {
    int shorter = Math.min(a.length(), b.length());
    int start = 0;
    while (start < shorter && a.charAt(start) == b.charAt(start)) {
      start++;
    }
    int end = 0;
    while (end < shorter - start
        && a.charAt(a.length() - 1 - end) == b.charAt(b.length() - 1 - end)) {
      end++;
    }
    return Math.max(a.length(), b.length()) - start - end <= 2;
  }

  private static boolean truth(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("must be true or false: " + text);
    };
  }

  private static Duration duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "must be a whole number with a unit, such as 500ms, 10s, 1m or 1h: " + text);
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      default -> Duration.ofHours(amount);
    };
  }

  private static Labels labels(String text) {
    Map<String, String> byName = new LinkedHashMap<>();
    for (String pair : text.split(",", -1)) {
      int equals = pair.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("must be name=value,name=value: " + text);
      }
      String name = pair.substring(0, equals).trim();
      if (byName.put(name, pair.substring(equals + 1).trim()) != null) {
        throw new IllegalArgumentException("label name used twice: " + name);
      }
    }
    return Labels.of(byName);
  }
}
