package io.hdrsidecar.sidecar.inject;

import io.hdrsidecar.sidecar.input.CauseText;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.Callable;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code inject check}: asks a running webhook as API servers do. */
@Command(
    name = "check",
    mixinStandardHelpOptions = true,
    showDefaultValues = true,
    description =
        "Asks a running webhook to add the sidecar to a pod, as API servers do; nothing is created."
            + " Exits with 0 when it does, and otherwise with 1 and the reason.")
public final class CheckCommand implements Callable<Integer> {
  /** As long as an API server waits, by the registration of the webhook. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final String PATH = "/mutate/annotated";
  private static final String REVIEW =
      """
      {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
       "request": {"uid": "check", "namespace": "default", "operation": "CREATE",
         "resource": {"group": "", "version": "v1", "resource": "pods"},
         "object": {"metadata": {"name": "check", "annotations": {"hdrsidecar.io/inject": "true"}},
           "spec": {"containers": [{"name": "app", "image": "app"}]}}}}
      """;

  @Option(
      names = "--url",
      paramLabel = "<url>",
      defaultValue = "https://hdr-sidecar-inject.hdr-sidecar.svc",
      description = "Where the webhook is: https, host, and port if it is not 443.")
  private URI url = URI.create("");

  @Option(
      names = "--ca",
      paramLabel = "<file>",
      required = true,
      description = "PEM file with the authorities that API servers know the webhook by.")
  private Path authorities = Path.of("");

  @Spec private CommandSpec spec = CommandSpec.create(); // picocli sets the real one

  /**
   * Asks. Blocks for some seconds at most.
   *
   * @return the exit code: 0, or 1 with the reason on stderr
   * @throws ParameterException when the address is none of HTTPS
   */
  @Override
  public Integer call() throws InterruptedException {
    if (!"https".equals(url.getScheme()) || url.getHost() == null) {
      throw new ParameterException(
          spec.commandLine(), "--url must be such as https://web.shop.svc: " + url);
    }
    String problem = problem();
    if (problem.isEmpty()) {
      spec.commandLine().getOut().println(url + " adds the sidecar to a pod that asks for it");
      return ExitCode.OK;
    }
    spec.commandLine().getErr().println(problem);
    return ExitCode.SOFTWARE;
  }

  private String problem() throws InterruptedException {
    SSLContext trust;
    try {
      trust = trust();
    } catch (IOException e) {
      return "--ca: " + CauseText.of(e);
    } catch (GeneralSecurityException e) {
      return "--ca: " + authorities + ": must have certificates in PEM: " + e.getMessage();
    }
    try {
      HttpResponse<String> answer = ask(trust);
      return isInjected(answer)
          ? ""
          : url + ": expected a pod with the sidecar: " + answer.statusCode() + " " + answer.body();
    } catch (ConnectException e) {
      return url + ": nobody answers there, or nobody knows that name";
    } catch (IOException e) {
      return url + ": " + CauseText.of(e);
    }
  }

  private SSLContext trust() throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(authorities)) {
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry("ca" + number++, each);
      }
    }
    if (trusted.size() == 0) {
      throw new CertificateException("there is none");
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }

  private HttpResponse<String> ask(SSLContext trust) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(url.resolve(PATH))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(REVIEW))
            .build();
    return HttpClient.newBuilder()
        .sslContext(trust)
        .connectTimeout(PATIENCE)
        .build()
        .send(request, BodyHandlers.ofString());
  }

  /** The webhook says itself what came of it. */
  private static boolean isInjected(HttpResponse<String> answer) {
    try {
      JsonObject none = new JsonObject();
      JsonObject response = new JsonObject(answer.body()).getJsonObject("response", none);
      JsonObject said = response.getJsonObject("auditAnnotations", none);
      return response.containsKey("patch")
          && Verdict.Result.INJECTED.label().equals(said.getString("result"));
    } catch (DecodeException | ClassCastException e) {
      return false; // something else than a review
    }
  }
}
