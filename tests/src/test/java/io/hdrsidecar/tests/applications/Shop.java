package io.hdrsidecar.tests.applications;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** One of the applications in {@code tests/applications} unless said, in a process of its own. */
final class Shop {
  private static final Pattern PORT =
      Pattern.compile("(Tomcat started on port |Listening on: http://\\S+:)(?<port>\\d+)");
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final JavaProcess process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final int port;

  private Shop(JavaProcess process) throws InterruptedException {
    this.process = process;
    this.port = Integer.parseInt(process.awaitLine(PORT).group("port"));
  }

  /**
   * Starts that on Spring Boot and waits until it listens.
   *
   * @param boot which version of Boot: 3.4, 3.5, 4.0 or 4.1
   * @param option of the JVM, a property of the application for example
   */
  static Shop onBoot(Processes processes, String address, String boot, String option)
      throws InterruptedException {
    return onBoot(
        processes, address, built("spring-boot/" + boot + "/target/application.jar"), option);
  }

  /** The same with an application of its own. */
  static Shop onBoot(Processes processes, String address, Path jar, String option)
      throws InterruptedException {
    return start(
        processes,
        address,
        option,
        "-jar",
        jar.toString(),
        "--server.port=0",
        "--server.shutdown=graceful",
        "--spring.application.name=shop",
        "--management.endpoints.web.exposure.include=health,hdrsidecar",
        "--management.endpoint.health.show-details=always");
  }

  /** Starts that on Quarkus and waits until it listens. */
  static Shop onQuarkus(Processes processes, String address) throws InterruptedException {
    return start(
        processes,
        address,
        "-Dquarkus.http.host=127.0.0.1",
        "-Dquarkus.http.port=0",
        "-jar",
        built("quarkus/target/quarkus-app/quarkus-run.jar").toString());
  }

  private static Shop start(Processes processes, String address, String... arguments)
      throws InterruptedException {
    List<String> command = new ArrayList<>(List.of(Launch.java().toString()));
    command.addAll(Launch.SHORT_LIVED);
    command.addAll(List.of(arguments));
    return new Shop(processes.start(command, Map.of("HDR_SIDECAR_ADDRESS", address)));
  }

  /**
   * Starts Tomcat with that on Jakarta EE, once for each of these paths, and waits until it
   * listens.
   *
   * @param folder for what Tomcat unpacks
   */
  static Shop onTomcat(Processes processes, String address, Path folder, String... paths)
      throws InterruptedException {
    List<String> arguments =
        new ArrayList<>(
            List.of(folder.toString(), built("jakarta/target/application.war").toString()));
    arguments.addAll(List.of(paths));
    return new Shop(
        processes.start(
            TomcatServer.class,
            Map.of("HDR_SIDECAR_ADDRESS", address),
            arguments.toArray(String[]::new)));
  }

  private static Path built(String file) {
    Path path = Path.of("applications", file).toAbsolutePath();
    if (!Files.exists(path)) {
      throw new IllegalStateException("not built, run mvn package first: " + path);
    }
    return path;
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return http.send(request(path), BodyHandlers.ofString());
  }

  CompletableFuture<HttpResponse<String>> getLater(String path) {
    return http.sendAsync(request(path), BodyHandlers.ofString());
  }

  private HttpRequest request(String path) {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return HttpRequest.newBuilder(uri).timeout(TIMEOUT).build();
  }

  JavaProcess process() {
    return process;
  }
}
