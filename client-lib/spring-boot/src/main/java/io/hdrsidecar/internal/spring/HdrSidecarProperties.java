package io.hdrsidecar.internal.spring;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the auto-configured client and registry. Names are those of the client's environment
 * variables, so that {@code HDR_SIDECAR_ADDRESS} means the same to Spring as to the client; only
 * {@code HDR_SIDECAR_LABELS} is no property, as a map cannot be one variable. An empty variable
 * leaves its default, for which no type here may be a primitive one.
 *
 * @param enabled Whether values are sent. If not, the registry is not created, and what is recorded
 *     directly is discarded.
 * @param address Where the sidecar listens: tcp://host:port, tls://host:port or unix:///path.
 * @param interval Length of an interval, 10 ms to 1 h.
 * @param commonLabels Labels of every series. The label application is the name of the application
 *     unless it is set here.
 * @param token Proof that this client may send, if the sidecar asks for one.
 * @param tokenFile File that holds the token. Read for each connection.
 * @param tlsCa PEM file of certificate authorities that vouch for a sidecar at tls://. Without it,
 *     those that the JVM trusts.
 * @param tlsCertificate PEM file of the client's certificate and its chain. Together with tls-key.
 * @param tlsKey PEM file of the client's private key, PKCS #8.
 * @param closeTimeout How long the end of the application waits until all is delivered, 0 to 10
 *     min.
 * @param stallTimeout How long the sidecar may owe an answer before the connection is made anew,
 *     100 ms to 1 h.
 * @param maxSeries Most series with labels of their own, 1 to 1,000,000.
 * @param hiccups Whether pauses of the JVM and the machine are measured, by a thread that wakes up
 *     once each resolution.
 * @param hiccupsResolution Time between two measurements of pauses, 1 ms to 1 s.
 * @param hiccupsDelay How long pauses are not recorded at first, 0 to 1 h.
 * @param spillFolder Folder for what cannot be delivered before the end.
 * @param spillPickup Whether what earlier clients left in the spill folder, or in the crash folder,
 *     is sent.
 * @param crashFolder Folder in memory, in which what is recorded outlives a kill of the
 *     application.
 * @param activeLongTaskTimers Whether long task timers whose name ends with .active are sent.
 *     Micrometer has one beside the timer of each observation.
 */
@ConfigurationProperties("hdr-sidecar")
public record HdrSidecarProperties(
    @DefaultValue("true") Boolean enabled,
    @DefaultValue("tcp://127.0.0.1:9924") String address,
    @DefaultValue("1s") Duration interval,
    @DefaultValue Map<String, String> commonLabels,
    @Nullable String token,
    @Nullable String tokenFile,
    @Nullable String tlsCa,
    @Nullable String tlsCertificate,
    @Nullable String tlsKey,
    @DefaultValue("2s") Duration closeTimeout,
    @DefaultValue("30s") Duration stallTimeout,
    @DefaultValue("1000") Integer maxSeries,
    @DefaultValue("true") Boolean hiccups,
    @DefaultValue("1ms") Duration hiccupsResolution,
    @DefaultValue("0s") Duration hiccupsDelay,
    @Nullable String spillFolder,
    @DefaultValue("true") Boolean spillPickup,
    @Nullable String crashFolder,
    @DefaultValue("false") Boolean activeLongTaskTimers) {
  static final String PREFIX = "hdr-sidecar.";

  /** Without the token, which belongs in no log. */
  @Override
  public String toString() {
    return "HdrSidecarProperties[address=" + address + ", enabled=" + enabled + "]";
  }
}
