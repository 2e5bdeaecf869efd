package io.hdrsidecar.sidecar.cli;

import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.files.LogStore;
import io.hdrsidecar.sidecar.history.HistoryExtent;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code log explore}: the explorer of a sidecar, over files. */
@Command(
    name = "explore",
    description =
        "Shows logs in the browser: a series for each tag, and for each file when there are"
            + " several. Serves the sidecar's explorer and the questions of its API (/api/v1) on"
            + " loopback until Ctrl-C. The files must not change meanwhile. Warnings are logged as"
            + " HDR_SIDECAR_LOG_LEVEL and HDR_SIDECAR_LOG_FORMAT say.")
final class ExploreCommand extends LogTool {
  /** So much of the heap keeps intervals that need not be read again. */
  private static final int HISTORY_SHARE = 4;

  @Mixin private InputOptions inputs = new InputOptions();
  @Mixin private SelectionOptions selection = new SelectionOptions();

  @Mixin private UnitOption unit = new UnitOption();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "Port on 127.0.0.1; 0 takes a free one (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(names = "--no-open", description = "Prints the address and opens no browser.")
  private boolean noOpen;

  @Option(
      names = "--sla-file",
      paramLabel = "FILE",
      description = "Rules to show beside the series, as the setting sla.file of a sidecar.")
  private @Nullable Path slaFile;

  private final LogServer server;

  ExploreCommand(LogConsole console, LogServer server) {
    super(console);
    this.server = server;
  }

  @Override
  void run(Messages messages) throws IOException {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("--port must be 0 to 65535: " + port);
    }
    Unit ofValues = unit.given();
    server.check(slaFile);
    List<LogInput> files = inputs.files(console());
    long historyBytes = Runtime.getRuntime().maxMemory() / HISTORY_SHARE;
    try (LogStore logs = new LogStore(historyBytes);
        LogLoader read = new LogLoader(logs, ofValues, files)) {
      read.readAll(selection.selection(OmissionCorrection.NONE), messages);
      if (logs.extent().isEmpty()) {
        messages.warnOfNothing();
        return;
      }
      server.serve(logs, port, slaFile, address -> announce(logs, address));
    }
  }

  private void announce(LogStore logs, URI address) {
    HistoryExtent extent = logs.extent();
    int series = logs.store().series().size();
    PrintStream out = console().out();
    out.println(
        series
            + " series from "
            + Instant.ofEpochMilli(extent.fromMillis())
            + " to "
            + Instant.ofEpochMilli(extent.toMillis())
            + ", Ctrl-C ends: "
            + address);
    out.flush();
    if (!noOpen) {
      BrowserWindow.open(address);
    }
  }
}
