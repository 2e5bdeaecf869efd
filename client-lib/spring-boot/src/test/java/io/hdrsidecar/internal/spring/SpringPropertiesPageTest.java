package io.hdrsidecar.internal.spring;

import io.hdrsidecar.testing.GeneratedPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.configurationmetadata.ConfigurationMetadataProperty;

/** The page lists our properties as editors show them, which is as their record declares them. */
class SpringPropertiesPageTest {
  @Test
  void page_properties_areThoseOfTheCode() throws IOException {
    StringBuilder rows =
        new StringBuilder("| property | default | what it does |\n| --- | --- | --- |\n");
    MetadataTest.properties().stream()
        .filter(property -> !property.getId().startsWith("management.endpoint."))
        .sorted(
            Comparator.comparingInt((ConfigurationMetadataProperty property) -> place(property))
                .thenComparing(ConfigurationMetadataProperty::getId))
        .forEach(property -> rows.append(row(property)));
    new GeneratedPage(Path.of("..", "..", "docs", "spring-boot.md")).assertHas(rows.toString());
  }

  private static String row(ConfigurationMetadataProperty property) {
    Object unset = property.getDefaultValue();
    return String.format(
        "| `%s` | %s | %s |\n",
        property.getId(),
        unset == null ? "" : "`" + unset + "`",
        GeneratedPage.cell(property.getDescription()));
  }

  /** As they are declared, and behind them those of Boot. */
  private static int place(ConfigurationMetadataProperty property) {
    List<String> declared =
        Stream.of(HdrSidecarProperties.class.getRecordComponents())
            .map(component -> component.getName().replaceAll("([A-Z])", "-$1"))
            .map(name -> HdrSidecarProperties.PREFIX + name.toLowerCase(Locale.ROOT))
            .toList();
    int place = declared.indexOf(property.getId());
    return place < 0 ? declared.size() : place;
  }
}
