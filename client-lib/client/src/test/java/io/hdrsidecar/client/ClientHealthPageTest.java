package io.hdrsidecar.client;

import io.hdrsidecar.testing.GeneratedPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The page lists each figure of {@link ClientHealth}, as its Javadoc declares it. */
class ClientHealthPageTest {
  @Test
  void page_figures_areThoseOfTheCode() throws IOException {
    Map<String, String> figures = DocumentedMethods.of(ClientHealth.class);
    figures.remove("toString");
    StringBuilder rows = new StringBuilder("| figure | what it says |\n| --- | --- |\n");
    figures.forEach(
        (name, javadoc) ->
            rows.append("| `" + name + "` | " + GeneratedPage.cell(javadoc) + " |\n"));
    new GeneratedPage(Path.of("..", "..", "docs", "delivery.md")).assertHas(rows.toString());
  }
}
