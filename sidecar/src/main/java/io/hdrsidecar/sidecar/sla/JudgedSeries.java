package io.hdrsidecar.sidecar.sla;

import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.SeriesFilter;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Where the series are that rules are about, when not all of them are in one store of this process.
 * Any thread but for {@link #look}, of which there is one at a time.
 */
public interface JudgedSeries {
  /** Windows of all series. */
  List<WindowSpec> windows();

  /** How long it takes until there is something new to be judged. */
  Duration period();

  /** Why another process judges them all, and this one none; empty if it is this one. */
  String elsewhere();

  /**
   * Has series judged. Blocks.
   *
   * @param filters all series that meet one of these at least
   * @param judging is given a store that has them, copied and of one moment; may read what it was
   *     given the last time, too
   * @throws QueryException when they cannot be had whole at the moment; nothing was judged
   */
  void look(List<SeriesFilter> filters, Consumer<SeriesStore> judging) throws QueryException;

  /** What was given the last time is not read any more. Never at the same time as a look. */
  void forget();
}
