package io.hdrsidecar.sidecar.docs;

import io.hdrsidecar.internal.wire.ClientFigure;
import io.hdrsidecar.testing.GeneratedPage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** {@code PROTOCOL.md} lists every figure of HEALTH, as {@link ClientFigure} declares it. */
class ProtocolPageTest {
  @Test
  void page_figures_areThoseOfTheCode() throws IOException {
    StringBuilder rows = new StringBuilder("| figure | meaning |\n| --- | --- |\n");
    for (ClientFigure figure : ClientFigure.values()) {
      rows.append("| `").append(figure.figure()).append("` | ");
      rows.append(GeneratedPage.cell(figure.help())).append(" |\n");
    }
    new GeneratedPage("../PROTOCOL.md").assertHas(rows.toString());
  }
}
