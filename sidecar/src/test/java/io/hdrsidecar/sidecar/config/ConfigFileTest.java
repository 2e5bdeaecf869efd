package io.hdrsidecar.sidecar.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a file of settings may look like, and what is said of one that does not. */
class ConfigFileTest {
  private static final String MAPPING =
      "must be a mapping of settings to values, such as http.port: 9925; is ";

  private final Path folder;

  ConfigFileTest(@TempDir Path folder) {
    this.folder = folder;
  }

  private Path file(String yaml) throws IOException {
    return Files.writeString(folder.resolve("hdr-sidecar.yaml"), yaml.replace("|", "\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '@',
      value = {
        "- http.port|- drain@ line 1: " + MAPPING + "a list",
        "hello@ line 1: " + MAPPING + "the text hello",
        "http.port=9000|drain=5s@ line 1: " + MAPPING + "the text http.port=9000 drain=5s",
        "drain: 5s|drain: 6s@ line 2: drain is given twice, first in line 1",
        "http: {port: 1}|http: {host: a}@ line 2: http is given twice, first in line 1",
        "http:|  port: 1|http.port: 2@ line 3: http.port is given twice, first in line 2",
        "drain: 5s|http.port:@ line 2: http.port has no value",
        "http.port: 1|windows: [{a: b}]@ line 2: windows must be a list of texts or numbers",
        "http: &a {port: *a}@ line 1: has too many levels: http.port.port.port.",
        "http: &a [*a]@ line 1: http must be a list of texts or numbers",
        "? [a, b]|: c@ line 1: "
            + "must be a mapping of settings to values, such as http.port: 9925",
        "http:|\tport: 1@ line 2: is not YAML: found character '\\t(TAB)' that cannot start any"
            + " token. (Do not use \\t(TAB) for indentation)",
        "http.port: 1|---|http.port: 2@ line 2: is not YAML: but found another document",
        "drain: 5s|http.host: !bean a@ line 2: is not YAML: could not determine a constructor for"
            + " the tag !bean",
      })
  void load_fileOfAnotherForm_isRefusedWithLineAndReason(String yaml, String problem)
      throws Exception {
    Path file = file(yaml.replace("\\t", "\t"));

    assertThatThrownBy(() -> ConfigLoader.load(Map.of(), Map.of(), file))
        .isInstanceOf(ConfigException.class)
        .hasMessage("file " + file + ", " + problem);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http: {port: 9000}",
        "http.port: 9000",
        "{\"http\": {\"port\": 9000}}",
        "\uFEFFhttp.port: 9000",
        "ingest:|http:|  port: 9000",
        "series.max: &port 9000|http.port: *port",
        "ingest: &all {port: 9000}|http: {<<: *all}",
        "http: {port: !!int 9000}",
      })
  void load_mappingHoweverWritten_isRead(String yaml) throws Exception {
    assertThat(ConfigLoader.load(Map.of(), Map.of(), file(yaml)).http().port()).isEqualTo(9000);
  }

  /** YAML 1.1 has numbers and booleans that are written as settings are, and mean others. */
  @Test
  void load_valuesThatYamlHasTypesFor_areTakenAsTheyAreWritten() throws Exception {
    String yaml =
        "self.hiccups: off|ingest.unix-mode: 0660|expose.quantiles: [0.50, 1]|windows: []";

    assertThat(ConfigLoader.load(Map.of(), Map.of(), file(yaml)).texts())
        .containsEntry("self.hiccups", "off")
        .containsEntry("ingest.unix-mode", "0660")
        .containsEntry("expose.quantiles", "0.50,1")
        .containsEntry("windows", "");
  }

  @Test
  void load_fileOfTheEnvironmentMissing_namesTheVariable() {
    Path absent = folder.resolve("absent.yaml");

    assertThatThrownBy(
            () ->
                ConfigLoader.load(Map.of(), Map.of("HDR_SIDECAR_CONFIG", absent.toString()), null))
        .hasMessage("HDR_SIDECAR_CONFIG: no such file: " + absent);
  }

  @Test
  void load_folderForAFile_isRefused() {
    assertThatThrownBy(() -> ConfigLoader.load(Map.of(), Map.of(), folder))
        .hasMessage("--config: must be a file, is a folder: " + folder);
  }

  @Test
  void load_slaFileMissing_isNamedWithItsSetting() {
    Path absent = folder.resolve("absent.yaml");

    assertThatThrownBy(
            () -> ConfigLoader.load(Map.of("--sla-file", absent.toString()), Map.of(), null))
        .hasMessage("sla.file: no such file: " + absent);
  }
}
