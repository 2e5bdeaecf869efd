package io.hdrsidecar.tests.boot;

import io.hdrsidecar.benchmarks.process.Launch;
import io.hdrsidecar.tests.support.JavaProcess;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/** An application, that of {@code tests/spring-boot} unless said, started as {@code java -jar}. */
final class Shop {
  private static final Pattern PORT = Pattern.compile("Tomcat started on port (?<port>\\d+)");
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final JavaProcess process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final int port;

  private Shop(JavaProcess process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts it and waits until it listens.
   *
   * @param boot 3 or 4
   * @param client how its client is made: {@code environment}, {@code no-hook}, {@code bean}, or by
   *     the {@code starter}
   */
  static Shop start(Processes processes, SidecarProcess sidecar, int boot, String client)
      throws InterruptedException {
    return start(processes, sidecar.ingestAddress(), boot, "-Dshop.client=" + client);
  }

  /**
   * Starts it with the starter's client and waits until it listens.
   *
   * @param option of the JVM, a property of the application for example
   */
  static Shop start(Processes processes, String address, int boot, String option)
      throws InterruptedException {
    return start(processes, address, jar(boot), option);
  }

  /** The same with an application of its own. */
  static Shop start(Processes processes, String address, File jar, String option)
      throws InterruptedException {
    List<String> command =
        List.of(
            Launch.java().toString(),
            option,
            "-jar",
            jar.toString(),
            "--server.port=0",
            "--server.shutdown=graceful",
            "--spring.application.name=shop",
            "--management.endpoints.web.exposure.include=health,hdrsidecar",
            "--management.endpoint.health.show-details=always");
    JavaProcess process = processes.start(command, Map.of("HDR_SIDECAR_ADDRESS", address));
    return new Shop(process, Integer.parseInt(process.awaitLine(PORT).group("port")));
  }

  private static File jar(int boot) {
    String property = "spring-boot-" + boot + ".jar";
    File jar =
        new File(System.getProperty(property, "spring-boot-" + boot + "/target/" + property));
    if (!jar.isFile()) {
      throw new IllegalStateException("not built, run mvn package first: " + jar);
    }
    return jar;
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
