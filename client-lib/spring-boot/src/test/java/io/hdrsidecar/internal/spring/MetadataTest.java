package io.hdrsidecar.internal.spring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.configurationmetadata.ConfigurationMetadataProperty;
import org.springframework.boot.configurationmetadata.ConfigurationMetadataRepositoryJsonBuilder;

/** What an editor shows of our properties. */
class MetadataTest {
  /** Left out, these are nothing. */
  private static final List<String> WITHOUT_DEFAULT =
      List.of(
          "hdr-sidecar.common-labels",
          "hdr-sidecar.token",
          "hdr-sidecar.token-file",
          "hdr-sidecar.tls-ca",
          "hdr-sidecar.tls-certificate",
          "hdr-sidecar.tls-key",
          "hdr-sidecar.spill-folder",
          "hdr-sidecar.crash-folder");

  static Collection<ConfigurationMetadataProperty> properties() throws IOException {
    URL classes = HdrSidecarProperties.class.getProtectionDomain().getCodeSource().getLocation();
    String file = "META-INF/spring-configuration-metadata.json";
    try (URLClassLoader ours = new URLClassLoader(new URL[] {classes}, null);
        InputStream metadata = requireNonNull(ours.getResourceAsStream(file))) {
      return ConfigurationMetadataRepositoryJsonBuilder.create(metadata)
          .build()
          .getAllProperties()
          .values();
    }
  }

  @Test
  void eachProperty_hasADescription_andADefaultIfThereIsOne() throws IOException {
    assertThat(properties())
        .filteredOn(property -> property.getId().startsWith(HdrSidecarProperties.PREFIX))
        .hasSize(HdrSidecarProperties.class.getRecordComponents().length);
    assertThat(properties())
        .allSatisfy(
            property ->
                assertThat(property.getDescription())
                    .as(property.getId())
                    .isNotBlank()
                    .endsWith("."));
    assertThat(properties())
        .filteredOn(property -> property.getDefaultValue() == null)
        .extracting(ConfigurationMetadataProperty::getId)
        .containsExactlyInAnyOrderElementsOf(WITHOUT_DEFAULT);
  }
}
