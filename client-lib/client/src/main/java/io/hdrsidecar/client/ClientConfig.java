package io.hdrsidecar.client;

import static io.hdrsidecar.internal.text.UserText.shown;
import static java.util.Objects.requireNonNull;

import io.hdrsidecar.client.hiccup.HiccupConfig;
import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.internal.send.CrashConfig;
import io.hdrsidecar.internal.send.SendConfig;
import io.hdrsidecar.internal.send.SidecarAddress;
import io.hdrsidecar.internal.send.SpillConfig;
import io.hdrsidecar.internal.send.TlsFiles;
import io.hdrsidecar.internal.send.TokenSource;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a client. Immutable; built by {@link #builder()} or read from environment variables
 * by {@link #fromEnvironment}.
 */
public final class ClientConfig {
  /** Where a sidecar listens unless told otherwise. */
  public static final String DEFAULT_ADDRESS = "tcp://127.0.0.1:9924";

  private final SendConfig sendConfig;
  private final Duration closeTimeout;
  private final int maxSeries;
  private final boolean shutdownHook;
  private final @Nullable HiccupConfig hiccups;

  private ClientConfig(Builder builder) {
    this.sendConfig =
        new SendConfig(
            builder.address,
            builder.enabled,
            builder.interval,
            builder.commonLabels,
            builder.token,
            builder.tls,
            builder.stallTimeout,
            builder.minBackoff,
            builder.maxBackoff,
            SpillConfig.of(builder.spillFolder, builder.spillPickup),
            CrashConfig.of(builder.crashFolder, builder.maxSeries, builder.spillPickup),
            builder.clock,
            System::nanoTime,
            new SplittableRandom());
    this.closeTimeout = builder.closeTimeout;
    this.maxSeries = builder.maxSeries;
    this.shutdownHook = builder.shutdownHook;
    this.hiccups = builder.measuresHiccups ? builder.hiccupConfig : null;
  }

  /** All settings at their defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Settings from environment variables, all optional. They have the names of the {@linkplain
   * Builder builder's} methods, such as {@code HDR_SIDECAR_TOKEN_FILE}; common labels are {@code
   * name=value,name=value} in {@code HDR_SIDECAR_LABELS}, and durations such as {@code 500ms},
   * {@code 10s}, {@code 1m}. An empty one counts as not set; one whose name is nearly that of
   * another is ignored with a warning.
   *
   * @param environment variables by name, such as {@link System#getenv()}
   * @throws IllegalArgumentException naming every variable that is wrong, and what was expected
   */
  public static ClientConfig fromEnvironment(Map<String, String> environment) {
    return new EnvironmentSettings(environment).toConfig();
  }

  /** The same, to which settings can be added that have no variable, such as the shutdown hook. */
  public static Builder builder(Map<String, String> environment) {
    return new EnvironmentSettings(environment).toBuilder();
  }

  /**
   * Names of the variables that {@link #fromEnvironment} reads, for programs that take the same
   * settings from elsewhere. Immutable.
   */
  public static List<String> variables() {
    return EnvironmentSettings.NAMES;
  }

  SendConfig sendConfig() {
    return sendConfig;
  }

  /** Where the sidecar is expected. */
  public String address() {
    return sendConfig.address().toString();
  }

  /** Whether anything is sent. */
  public boolean enabled() {
    return sendConfig.enabled();
  }

  /** Time between samples. */
  public Duration interval() {
    return sendConfig.interval();
  }

  /** Labels that every series has in addition to its own. */
  public Labels commonLabels() {
    return sendConfig.commonLabels();
  }

  /** How long {@link HdrSidecarClient#close()} tries to deliver what is left. */
  public Duration closeTimeout() {
    return closeTimeout;
  }

  /** Most series with labels of their own. */
  public int maxSeries() {
    return maxSeries;
  }

  /** Whether the client closes itself when the JVM ends. */
  public boolean shutdownHook() {
    return shutdownHook;
  }

  /** How the client measures the pauses of the JVM and the machine, if it does. */
  public Optional<HiccupConfig> hiccups() {
    return Optional.ofNullable(hiccups);
  }

  /** Where what is not delivered by the end is written, if anywhere. */
  public Optional<Path> spillFolder() {
    return Optional.ofNullable(sendConfig.spill()).map(spill -> spill.folder().path());
  }

  /** Where what is recorded outlives the process, if anywhere. */
  public Optional<Path> crashFolder() {
    return Optional.ofNullable(sendConfig.crash()).map(crash -> crash.folder().folder().path());
  }

  /** Without the token, which belongs in no log. */
  @Override
  public String toString() {
    return "ClientConfig"
        + List.of(
            "address=" + address(),
            "enabled=" + enabled(),
            "interval=" + shown(interval()),
            "commonLabels=" + commonLabels(),
            "closeTimeout=" + shown(closeTimeout),
            "maxSeries=" + maxSeries,
            "shutdownHook=" + shutdownHook,
            "hiccups=" + hiccups,
            "spillFolder=" + spillFolder(),
            "crashFolder=" + crashFolder());
  }

  /** Collects settings, on one thread; each method checks its own: IllegalArgumentException. */
  public static final class Builder {
    private SidecarAddress address = SidecarAddress.parse(DEFAULT_ADDRESS);
    private boolean enabled = true;
    private Duration interval = Duration.ofSeconds(1);
    private Labels commonLabels = Labels.empty();
    private TokenSource token = TokenSource.NONE;
    private TlsFiles tls = TlsFiles.NONE;
    private Duration closeTimeout = Duration.ofSeconds(2);
    private Duration stallTimeout = Duration.ofSeconds(30);
    private Duration minBackoff = Duration.ofMillis(100);
    private Duration maxBackoff = Duration.ofSeconds(10);
    private int maxSeries = 1000;
    private boolean shutdownHook = true;
    private boolean measuresHiccups;
    private HiccupConfig hiccupConfig = HiccupConfig.DEFAULT;
    private @Nullable Path spillFolder;
    private boolean spillPickup = true;
    private @Nullable Path crashFolder;
    private Clock clock = Clock.systemUTC();

    private Builder() {}

    /**
     * Where the sidecar listens: {@code tcp://host:port}, {@code tls://host:port} or {@code
     * unix:///path}. Default {@code tcp://127.0.0.1:9924}.
     */
    public Builder address(String text) {
      this.address = SidecarAddress.parse(requireNonNull(text, "address"));
      return this;
    }

    /** Whether values are sent; a client that sends none records and discards. Default true. */
    public Builder enabled(boolean sends) {
      this.enabled = sends;
      return this;
    }

    /**
     * Length of an interval, 10 ms to 1 h. Recorders are emptied each second at least; of a longer
     * interval, what was taken so far is kept together until its end. Default 1 s.
     */
    public Builder interval(Duration between) {
      this.interval = within("interval", between, Duration.ofMillis(10), Duration.ofHours(1));
      return this;
    }

    /** Labels that every series has in addition to its own. Default none. */
    public Builder commonLabels(Labels labels) {
      for (String mark : List.of(OverflowLabels.MARK, CorrectedSeries.LABEL)) {
        if (!labels.get(mark).isEmpty()) {
          throw new IllegalArgumentException(
              "common labels must not set " + mark + ", which tells series apart");
        }
      }
      this.commonLabels = labels;
      return this;
    }

    /** Proof that this client may send, if asked; at most 4,096 characters. Default none. */
    public Builder token(String proof) {
      if (proof.length() > TokenSource.MAX_LENGTH) {
        throw new IllegalArgumentException(
            "token must have at most " + TokenSource.MAX_LENGTH + " characters: " + proof.length());
      }
      this.token = () -> proof;
      return this;
    }

    /**
     * A file that holds the proof that this client may send, in one line; it is read for each
     * connection, so a new proof needs no restart. Default none.
     */
    public Builder tokenFile(Path file) {
      TokenSource inFile = TokenSource.file(file);
      try {
        inFile.current();
      } catch (IOException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
      this.token = inFile;
      return this;
    }

    /**
     * PEM file of the authorities that may vouch for a sidecar at {@code tls://}, whose certificate
     * must name the host of the address. Default those that the JVM trusts.
     */
    public Builder tlsCa(Path file) {
      this.tls = new TlsFiles(file, tls.certificate(), tls.key());
      return this;
    }

    /**
     * PEM files of the client's certificate at {@code tls://}, with its chain, and of the private
     * key (PKCS #8: {@code openssl pkcs8 -topk8 -nocrypt}), read for each connection. Default none.
     */
    public Builder tlsCertificate(Path certificate, Path key) {
      this.tls = new TlsFiles(tls.ca(), certificate, key);
      return this;
    }

    /**
     * How long {@link HdrSidecarClient#close()} and the shutdown hook try to deliver what is left,
     * 0 to 10 min. Default 2 s.
     */
    public Builder closeTimeout(Duration timeout) {
      this.closeTimeout = within("closeTimeout", timeout, Duration.ZERO, Duration.ofMinutes(10));
      return this;
    }

    /**
     * How long the sidecar may owe an answer before the connection is given up and made anew, 100
     * ms to 1 h. Default 30 s.
     */
    public Builder stallTimeout(Duration timeout) {
      this.stallTimeout =
          within("stallTimeout", timeout, Duration.ofMillis(100), Duration.ofHours(1));
      return this;
    }

    /**
     * First and longest wait before connecting again, 1 ms to 1 h; it doubles in between and is
     * shortened at random by up to a half. Default 100 ms and 10 s.
     */
    public Builder backoff(Duration first, Duration longest) {
      within("backoff", first, Duration.ofMillis(1), longest);
      this.maxBackoff = within("backoff", longest, first, Duration.ofHours(1));
      this.minBackoff = first;
      return this;
    }

    /**
     * Most series with labels of their own, 1 to 1,000,000. Above it the values of new label sets
     * go to overflow series with the label {@code overflow="true"}, see {@link OverflowLabels}.
     * Default 1,000.
     */
    public Builder maxSeries(int limit) {
      if (limit < 1 || limit > 1_000_000) {
        throw new IllegalArgumentException("maxSeries must be 1..1000000: " + limit);
      }
      this.maxSeries = limit;
      return this;
    }

    /**
     * Whether the client closes itself when the JVM begins to end, and from then on delivers what
     * is recorded in other shutdown hooks; without, somebody has to close it after the last value.
     * Default true.
     */
    public Builder shutdownHook(boolean closes) {
      this.shutdownHook = closes;
      return this;
    }

    /**
     * Whether the client measures the pauses of the JVM and the machine ({@link
     * HdrSidecarClient#HICCUPS}), by one thread that wakes up every millisecond. Default false.
     */
    public Builder hiccups(boolean measures) {
      this.measuresHiccups = measures;
      return this;
    }

    /** Sleep between two measurements of hiccups, 1 ms to 1 s. Default 1 ms. */
    public Builder hiccupResolution(Duration sleep) {
      this.hiccupConfig = hiccupConfig.withResolution(sleep);
      return this;
    }

    /** How long hiccups are measured without being recorded at first, 0 to 1 h. Default 0 s. */
    public Builder hiccupStartDelay(Duration delay) {
      this.hiccupConfig = hiccupConfig.withStartDelay(delay);
      return this;
    }

    /**
     * A folder for what is not acknowledged by the deadline of a close: it is written to a file
     * there, which a sidecar that shares the folder, or a later client, counts once. Created if
     * missing; if that fails, one log line says so now, and another when something is lost for it.
     * To be shared with one sidecar and its clients alone. Default none.
     */
    public Builder spillFolder(Path folder) {
      this.spillFolder = requireNonNull(folder, "folder");
      return this;
    }

    /**
     * A folder in memory (tmpfs), in which what is recorded outlives this process: killed at any
     * instant, it loses no value whose recording had returned. A sidecar that shares the folder, or
     * a later client, counts once what was not acknowledged. It takes the place of the {@linkplain
     * #spillFolder spill folder}, and up to 64 KiB for each of {@link #maxSeries}. Created if
     * missing. Where that fails, or there is no room, values are recorded on the heap, and one log
     * line says so. Corrected series and exemplars are not kept. Default none.
     */
    public Builder crashFolder(Path folder) {
      this.crashFolder = requireNonNull(folder, "folder");
      return this;
    }

    /**
     * Whether this client, once connected, sends what earlier ones have left in the spill folder
     * and in the crash folder. Default true.
     */
    public Builder spillPickup(boolean sends) {
      this.spillPickup = sends;
      return this;
    }

    /** Wall-clock time, for the start and end of intervals. Default the system's. */
    public Builder clock(Clock wallClock) {
      this.clock = requireNonNull(wallClock, "clock");
      return this;
    }

    private static Duration within(String name, Duration value, Duration least, Duration most) {
      if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
        throw new IllegalArgumentException(
            name + " must be " + shown(least) + " to " + shown(most) + ": " + shown(value));
      }
      return value;
    }

    /**
     * The settings so far.
     *
     * @throws IllegalArgumentException when the files of TLS cannot be used, or the address is not
     *     one of TLS
     */
    public ClientConfig build() {
      tls.requireUsable(address);
      return new ClientConfig(this);
    }
  }
}
