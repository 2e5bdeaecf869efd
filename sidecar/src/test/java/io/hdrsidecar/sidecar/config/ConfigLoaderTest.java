package io.hdrsidecar.sidecar.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.memory.HeapBudget;
import io.hdrsidecar.sidecar.receive.ReceiveConfig;
import io.hdrsidecar.sidecar.receive.ReceiveLimits;
import io.hdrsidecar.sidecar.setting.DeclaredSetting;
import io.hdrsidecar.sidecar.setting.SizeOrShare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {
  private final Path folder;

  ConfigLoaderTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private Path file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("hdr-sidecar.yaml"), yaml);
  }

  @Test
  void load_nothingSet_givesTheDefaultsOfTheStages() throws Exception {
    long heap = 6L << 30;
    SidecarConfig config = ConfigLoader.load(Map.of(), Map.of(), null, HeapBudget.of(heap));

    assertThat(config.receive())
        .isEqualTo(new ReceiveConfig("127.0.0.1", 9924, null, ReceiveLimits.defaults()));
    assertThat(config.merge())
        .isEqualTo(MergeConfig.defaults().withMaxMemoryBytes((heap - (12L << 20)) / 100 * 35));
    assertThat(config.warnings()).isEmpty();
  }

  @Test
  void load_journalWithDefaults_keepsAllOfYesterday() throws Exception {
    SidecarConfig config = ConfigLoader.load(Map.of("--journal-directory", "x"), Map.of(), null);

    assertThat(Objects.requireNonNull(config.journal()).retainAge())
        .isEqualTo(Duration.ofHours(49));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"25%, 253", "90%, 911", "16MiB, 16", "3GiB, 3072"})
  void memory_sizeOrShareOfTheHeap_isInBytes(String text, long mebibytes) {
    assertThat(new SizeOrShare().parse(text, 1L << 30) >> 20).isBetween(mebibytes - 1, mebibytes);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"0%", "91%", "1000%", "%", "-5%", "1KiB", "2000GiB", "16", ""})
  void load_memoryOutOfRange_saysWhatIsExpected(String text) {
    assertThatThrownBy(() -> ConfigLoader.load(Map.of("--series-max-memory", text), Map.of(), null))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("series.max-memory");
  }

  @Test
  void load_hiccupsResolution_isTheTimeBetweenLooksWhileTheyAreOn() throws Exception {
    Map<String, String> finest = Map.of("HDR_SIDECAR_SELF_HICCUPS_RESOLUTION", "1ms");

    assertThat(ConfigLoader.load(Map.of(), Map.of(), null).ownHiccups())
        .isEqualTo(Duration.ofMillis(10));
    assertThat(ConfigLoader.load(Map.of(), finest, null).ownHiccups())
        .isEqualTo(Duration.ofMillis(1));
    assertThat(ConfigLoader.load(Map.of("--self-hiccups", "off"), finest, null).ownHiccups())
        .isNull();
    assertThatThrownBy(
            () -> ConfigLoader.load(Map.of("--self-hiccups-resolution", "2s"), Map.of(), null))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("self.hiccups-resolution");
  }

  @Test
  void load_setEverywhere_flagBeforeEnvironmentBeforeFileBeforeDefault() throws Exception {
    Path yaml =
        file("ingest: {port: 1, max-connections: 11, max-in-flight: 111}\nseries.max: 1111\n");

    SidecarConfig config =
        ConfigLoader.load(
            Map.of("--ingest-port", "3"),
            Map.of("HDR_SIDECAR_INGEST_PORT", "2", "HDR_SIDECAR_INGEST_MAX_CONNECTIONS", "22"),
            yaml);

    assertThat(config.receive().port()).isEqualTo(3);
    assertThat(config.receive().limits().maxConnections()).isEqualTo(22);
    assertThat(config.receive().limits().maxInFlight()).isEqualTo(111);
    assertThat(config.merge().maxSeries()).isEqualTo(1111);
    assertThat(config.merge().maxLayouts()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource({"off,0", "0,0", "0s,0", "1s,1", "2h,7200", "365d,31536000"})
  void load_idleExpiry_isADurationOrOff(String text, long seconds) throws Exception {
    SidecarConfig config = ConfigLoader.load(Map.of("--series-idle-expiry", text), Map.of(), null);

    assertThat(config.merge().idleExpiry()).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void load_idleExpiryOffInYaml_isOff() throws Exception {
    SidecarConfig config =
        ConfigLoader.load(Map.of(), Map.of(), file("series: {idle-expiry: off}"));

    assertThat(config.merge().idleExpiry()).isZero();
  }

  @Test
  void load_idleExpiryTooShort_isRefusedWithTheRange() {
    assertThatThrownBy(
            () -> ConfigLoader.load(Map.of("--series-idle-expiry", "999ms"), Map.of(), null))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("series.idle-expiry")
        .hasMessageContaining("from 1s to 365d, or off: 999ms");
  }

  /** And not later, by a stack, when it is to be sent. */
  @Test
  void load_resourceThatNoLabelCanHave_isRefused() {
    Map<String, String> flags =
        Map.of(
            "--upstream-address",
            "tcp://127.0.0.1:1",
            "--upstream-resource-pod",
            "shop".repeat(257));
    assertThatThrownBy(() -> ConfigLoader.load(flags, Map.of(), null))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("upstream.resource: value of label pod")
        .hasMessageContaining("at most 1024 characters");
  }

  @Test
  void load_windowLongerThanIdleExpiry_isWarnedOf() throws Exception {
    SidecarConfig config =
        ConfigLoader.load(
            Map.of("--windows", "1m,1h", "--series-idle-expiry", "15m"), Map.of(), null);

    assertThat(config.warnings())
        .singleElement()
        .asString()
        .startsWith("series.idle-expiry: shorter than the window 1h,");
  }

  @Test
  void load_fileNamedByTheEnvironment_isRead() throws Exception {
    Path yaml = file("ingest.port: 7");

    SidecarConfig config =
        ConfigLoader.load(Map.of(), Map.of("HDR_SIDECAR_CONFIG", " " + yaml + " "), null);

    assertThat(config.receive().port()).isEqualTo(7);
    assertThat(config.warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"windows: [1m, 5m/5s]", "windows: 1m,5m/5s", "windows: '1m, 5m/5s'"})
  void load_listInTheFile_asYamlListOrAsText(String yaml) throws Exception {
    SidecarConfig config = ConfigLoader.load(Map.of(), Map.of(), file(yaml));

    assertThat(config.merge().windows()).extracting("name").containsExactly("1m", "5m");
  }

  @Test
  void load_emptyFile_givesTheDefaults() throws Exception {
    SidecarConfig config = ConfigLoader.load(Map.of(), Map.of(), file("# nothing set\n"));

    assertThat(config.receive().port()).isEqualTo(9924);
  }

  @Test
  void load_manyProblems_areAllListedWithTheirSource() throws Exception {
    Path yaml = file("ingest:\n  prot: 1\n  max-body: 1MB\nwindows: 1x\n");

    assertThatThrownBy(
            () ->
                ConfigLoader.load(
                    Map.of("--ingest-port", "70000"),
                    Map.of(
                        "HDR_SIDECAR_SERIES_MAX", "many", "HDR_SIDECAR_INGEST_IDLE_TIMEOUT", "5"),
                    yaml))
        .isInstanceOf(ConfigException.class)
        .extracting(e -> ((ConfigException) e).problems())
        .asInstanceOf(LIST)
        .containsExactlyInAnyOrder(
            "ingest.prot: no such setting (from file " + yaml + ", line 2)",
            "ingest.port: must be a number from 0 to 65535: 70000"
                + " (from flag --ingest-port; expected: number, 0 to 65535)",
            "series.max: must be a number from 1 to 10000000: many (from environment variable"
                + " HDR_SIDECAR_SERIES_MAX; expected: number, 1 to 10000000)",
            "ingest.idle-timeout: not a duration such as 500ms, 10s, 5m or 24h: 5 (from"
                + " environment variable HDR_SIDECAR_INGEST_IDLE_TIMEOUT; expected: duration, 1s to"
                + " 24h)",
            "ingest.max-body: not a size such as 512B, 64KiB or 1MiB: 1MB (from file "
                + yaml
                + ", line 3; expected: size, 4KiB to 64MiB)",
            "windows: not a duration such as 500ms, 10s, 5m or 24h: 1x (from file "
                + yaml
                + ", line 4; expected: list of spans, each with its step if wanted: 1m,5m/5s; empty"
                + " for none)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"'ingest: {port: 1'", "'[1, 2'", "'ingest: ['", "'\t- a'"})
  void load_fileNotYaml_isAProblem(String text) throws Exception {
    Path yaml = file(text);

    assertThatThrownBy(() -> ConfigLoader.load(Map.of(), Map.of(), yaml))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("file " + yaml + ", line 1: is not YAML: ")
        .hasMessageNotContaining("\n");
  }

  @Test
  void load_fileMissing_isAProblem() {
    assertThatThrownBy(() -> ConfigLoader.load(Map.of(), Map.of(), folder.resolve("none.yaml")))
        .isInstanceOf(ConfigException.class)
        .hasMessage("--config: no such file: " + folder.resolve("none.yaml"));
  }

  @ParameterizedTest
  @CsvSource({
    "HDR_SIDECAR_HTTP_PRT, 1",
    "HDR_SIDECAR_PORT, 9925",
    "HDR_SIDECAR_HTPT_PORT, 1",
    "HDR_SIDECAR_, 1",
    "HDR_SIDECAR_INGEST_SERVICE_HOSTS, a"
  })
  void load_unknownVariable_isAProblem(String name, String value) {
    assertThatThrownBy(() -> ConfigLoader.load(Map.of(), Map.of(name, value), null))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(name + ": no such setting (from the environment)");
  }

  @Test
  void load_variablesOfTheClientAndOfKubernetes_areNone() throws Exception {
    // As of https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
    Map<String, String> environment =
        Map.of(
            "HDR_SIDECAR_SERVICE_HOST", "10.0.0.11",
            "HDR_SIDECAR_SERVICE_PORT", "9925",
            "HDR_SIDECAR_SERVICE_PORT_HTTP", "9925",
            "HDR_SIDECAR_PORT", "tcp://10.0.0.11:9925",
            "HDR_SIDECAR_PORT_9925_TCP", "tcp://10.0.0.11:9925",
            "HDR_SIDECAR_PORT_9925_TCP_PROTO", "tcp",
            "HDR_SIDECAR_PORT_9925_TCP_PORT", "9925",
            "HDR_SIDECAR_SHOP_PORT_9925_TCP_ADDR", "10.0.0.11",
            "HDR_SIDECAR_ADDRESS", "tcp://127.0.0.1:9924",
            "PATH", "/bin");

    assertThat(ConfigLoader.load(Map.of(), environment, null).warnings()).isEmpty();
  }

  @Test
  void settings_each_hasADefaultThatItTakesAndNamesOfItsOwn() {
    assertThat(Settings.all()).extracting(DeclaredSetting::key).doesNotHaveDuplicates();
    assertThat(Settings.all()).extracting(DeclaredSetting::flag).doesNotHaveDuplicates();
    assertThat(Settings.all())
        .extracting(DeclaredSetting::environmentVariable)
        .doesNotHaveDuplicates();
    assertThat(Settings.all())
        .allMatch(
            s -> s.parser().parse(s.defaultText(), 1L << 30) != null || s.defaultText().isEmpty());
  }

  /** An exporter gives up before a journal is written that is flushed every ten seconds. */
  @Test
  void load_slowFlushWithOtlpAndAJournal_isRefused() throws Exception {
    Map<String, String> slow = Map.of("--journal-flush", "2001ms");
    Map<String, String> otlp = Map.of("HDR_SIDECAR_OTLP_ADDRESS", "127.0.0.1:0");
    Map<String, String> both = new HashMap<>(otlp);
    both.put("HDR_SIDECAR_JOURNAL_DIRECTORY", "journal");

    assertThatThrownBy(() -> ConfigLoader.load(slow, both, null))
        .hasMessage(
            "journal.flush: must be at most 2s with otlp.address, whose exporters wait for the"
                + " journal");
    ConfigLoader.load(Map.of("--journal-flush", "2s"), both, null);
    ConfigLoader.load(slow, otlp, null);
  }
}
