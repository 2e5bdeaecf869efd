package io.hdrsidecar.client;

import io.hdrsidecar.series.Labels;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the client's settings from environment variables and collects all that is wrong. */
final class EnvironmentSettings {
  private static final String ADDRESS = "HDR_SIDECAR_ADDRESS";
  private static final String ENABLED = "HDR_SIDECAR_ENABLED";
  private static final String INTERVAL = "HDR_SIDECAR_INTERVAL";
  private static final String LABELS = "HDR_SIDECAR_LABELS";
  private static final String HICCUPS = "HDR_SIDECAR_HICCUPS";
  private static final String HICCUPS_RESOLUTION = "HDR_SIDECAR_HICCUPS_RESOLUTION";
  private static final String HICCUPS_DELAY = "HDR_SIDECAR_HICCUPS_DELAY";
  private static final String TOKEN = "HDR_SIDECAR_TOKEN";
  private static final String TOKEN_FILE = "HDR_SIDECAR_TOKEN_FILE";
  private static final String TLS_CA = "HDR_SIDECAR_TLS_CA";
  private static final String TLS_CERTIFICATE = "HDR_SIDECAR_TLS_CERTIFICATE";
  private static final String TLS_KEY = "HDR_SIDECAR_TLS_KEY";

  private static final String SPILL_FOLDER = "HDR_SIDECAR_SPILL_FOLDER";
  private static final String CRASH_FOLDER = "HDR_SIDECAR_CRASH_FOLDER";
  private static final String SPILL_PICKUP = "HDR_SIDECAR_SPILL_PICKUP";

  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

  private final Map<String, String> environment;
  private final List<String> problems = new ArrayList<>();

  EnvironmentSettings(Map<String, String> environment) {
    this.environment = environment;
  }

  ClientConfig toConfig() {
    ClientConfig.Builder builder = toBuilder();
    try {
      return builder.build();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "environment of hdr-sidecar's client: " + e.getMessage(), e);
    }
  }

  ClientConfig.Builder toBuilder() {
    ClientConfig.Builder builder = ClientConfig.builder();
    read(ADDRESS, builder::address);
    read(ENABLED, text -> builder.enabled(truth(text)));
    read(INTERVAL, text -> builder.interval(duration(text)));
    read(LABELS, text -> builder.commonLabels(labels(text)));
    read(HICCUPS, text -> builder.hiccups(truth(text)));
    read(HICCUPS_RESOLUTION, text -> builder.hiccupResolution(duration(text)));
    read(HICCUPS_DELAY, text -> builder.hiccupStartDelay(duration(text)));
    read(SPILL_FOLDER, path -> builder.spillFolder(Path.of(path)));
    read(CRASH_FOLDER, path -> builder.crashFolder(Path.of(path)));
    read(SPILL_PICKUP, text -> builder.spillPickup(truth(text)));
    readToken(builder);
    readTls(builder);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "environment of hdr-sidecar's client: " + String.join("; ", problems));
    }
    return builder;
  }

  /** An empty variable is the same as none: many deployment tools cannot leave one out. */
  private void read(String variable, Consumer<String> setting) {
    String text = environment.getOrDefault(variable, "").trim();
    if (!text.isEmpty()) {
      try {
        setting.accept(text);
      } catch (IllegalArgumentException e) {
        problems.add(variable + ": " + e.getMessage());
      }
    }
  }

  private void readToken(ClientConfig.Builder builder) {
    boolean inVariable = !environment.getOrDefault(TOKEN, "").isBlank();
    boolean inFile = !environment.getOrDefault(TOKEN_FILE, "").isBlank();
    if (inVariable && inFile) {
      problems.add(TOKEN_FILE + ": must not be set together with " + TOKEN);
      return;
    }
    read(TOKEN, builder::token);
    read(TOKEN_FILE, path -> builder.tokenFile(Path.of(path)));
  }

  private void readTls(ClientConfig.Builder builder) {
    read(TLS_CA, path -> builder.tlsCa(Path.of(path)));
    String certificate = environment.getOrDefault(TLS_CERTIFICATE, "").trim();
    String key = environment.getOrDefault(TLS_KEY, "").trim();
    if (certificate.isEmpty() != key.isEmpty()) {
      problems.add(TLS_CERTIFICATE + " and " + TLS_KEY + ": must be set together");
    } else {
      read(TLS_KEY, path -> builder.tlsCertificate(Path.of(certificate), Path.of(path)));
    }
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
