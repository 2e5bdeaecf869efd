package io.hdrsidecar.tests.promql;

import io.hdrsidecar.tests.support.LineProgram;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.PrometheusServer;
import io.hdrsidecar.tests.support.SidecarProcess;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A sidecar and a Prometheus that know the same load, and the programs that ask them. */
record KnownServers(RecordedLoad load, SidecarProcess asked, PrometheusServer oracle)
    implements AutoCloseable {

  static KnownServers start(long seed) throws Exception {
    RecordedLoad load = RecordedLoad.ended(seed);
    SidecarProcess sidecar = new Processes().sidecar();
    try {
      load.send(sidecar);
      PrometheusServer prometheus = PrometheusServer.scrapingJobs("", "groups: []");
      KnownServers started = new KnownServers(load, sidecar, prometheus);
      load.write(prometheus);
      return started;
    } catch (Exception | AssertionError e) {
      sidecar.kill();
      throw e;
    }
  }

  /** Where the sidecar is a Prometheus: what a data source has as its address. */
  String sidecar() {
    return "http://127.0.0.1:" + asked.httpPort() + "/prometheus";
  }

  String prometheus() {
    return oracle.url();
  }

  /** What a program has understood of the answers to these calls. */
  static List<JsonObject> ask(List<String> program, List<JsonObject> calls) throws Exception {
    Stream<String> lines = calls.stream().map(JsonObject::encode);
    return LineProgram.run(new ArrayList<>(program), lines.toList()).stream()
        .map(JsonObject::new)
        .toList();
  }

  @Override
  public void close() {
    asked.kill();
    oracle.close();
  }
}
