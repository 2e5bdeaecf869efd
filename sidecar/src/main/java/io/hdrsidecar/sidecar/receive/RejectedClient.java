package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import org.jspecify.annotations.Nullable;

/**
 * The client of which something was refused, for the log.
 *
 * @param peer its address; {@code unix} for a Unix socket, {@code file} for what it left in a file
 * @param instance null as long as it has not been let in
 * @param labels its common labels, empty as long as it has not been let in
 */
record RejectedClient(String peer, @Nullable InstanceId instance, Labels labels) {
  /** Nothing came by a connection or a file of a client: by OTLP or StatsD, or by an import. */
  static final RejectedClient UNKNOWN = new RejectedClient("unknown", null, Labels.empty());

  /** Labels may have some 40,000 characters; so much of them tells clients apart. */
  private static final int MOST_LABELS = 300;

  String shownInstance() {
    return instance == null ? "unknown" : instance.toString();
  }

  String shownLabels() {
    String text = labels.toString();
    return text.length() <= MOST_LABELS ? text : text.substring(0, MOST_LABELS) + "...";
  }
}
