package io.hdrsidecar.sidecar;

import io.hdrsidecar.sidecar.config.ConfigException;
import io.hdrsidecar.sidecar.config.ConfigLoader;
import io.hdrsidecar.sidecar.config.SidecarConfig;
import io.hdrsidecar.sidecar.demo.SidecarLauncher.RunningSidecar;
import io.hdrsidecar.sidecar.sla.SlaFile;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.logging.Level;

/**
 * The sidecar of the demo: default settings but for the ports, the example of an SLA, and a quiet
 * log.
 */
record DemoSidecar(Sidecar sidecar) implements RunningSidecar {
  static RunningSidecar start(int ingestPort, int httpPort) throws IOException {
    LogFormat.install(Level.WARNING);
    try {
      return new DemoSidecar(
          Sidecar.start(config(ingestPort, httpPort).withSlas(SlaFile.example())));
    } catch (StartFailedException e) {
      throw new IOException(
          String.format(
              "%s (--ingest-port is %d, --http-port is %d; 0 takes a free one)",
              e.getMessage(), ingestPort, httpPort),
          e);
    }
  }

  private static SidecarConfig config(int ingestPort, int httpPort) throws IOException {
    try {
      return ConfigLoader.load(
          Map.of(
              "--ingest-port", Integer.toString(ingestPort),
              "--http-port", Integer.toString(httpPort)),
          Map.of(),
          null);
    } catch (ConfigException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public String ingestAddress() {
    return sidecar.ingestAddress();
  }

  @Override
  public URI httpAddress() {
    return sidecar.httpAddress();
  }

  @Override
  public String window() {
    return sidecar.config().merge().windows().get(0).name();
  }

  @Override
  public void close() {
    sidecar.close();
  }
}
