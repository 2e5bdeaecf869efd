package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** All series are in one store of this process, and judged as they are there. */
record LocalSeries(SeriesStore store) implements JudgedSeries {
  private static final Duration PERIOD = Duration.ofSeconds(1);

  @Override
  public List<WindowSpec> windows() {
    return store.windows();
  }

  @Override
  public Duration period() {
    return PERIOD;
  }

  @Override
  public String elsewhere() {
    return "";
  }

  @Override
  public void look(List<SeriesFilter> filters, Consumer<SeriesStore> judging) {
    judging.accept(store);
  }

  @Override
  public void forget() {} // Nothing was copied.
}
