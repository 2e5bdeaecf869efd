package io.hdrsidecar.tests.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.RequiresDocker;
import io.hdrsidecar.tests.support.Tool;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The runtime in the image has every module that any command needs, and its class archive. */
@RequiresDocker
final class ImageCommandsIT {
  private static final Path LOG =
      Path.of("../sidecar/src/test/resources/hlog/tagged-Log.logV2.hlog");
  private static final String PASSWORD = "changeit";

  private Path folder;

  /** A folder that user 65532 may write to, with a log, as {@code /data} in the container. */
  @BeforeEach
  void fillFolder(@TempDir Path empty) throws Exception {
    folder = empty;
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    Files.copy(LOG, folder.resolve("a.hlog"));
  }

  private String run(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of("run", "--rm", "--read-only", "--cap-drop=ALL", "--memory=96m", "--cpus=1"));
    command.addAll(List.of("--volume=" + folder + ":/data", "--workdir=/data", Images.sidecar()));
    command.addAll(List.of(arguments));
    return Docker.run(command);
  }

  @Test
  void archive_ofClasses_isOneThatThisRuntimeTakes() throws Exception {
    String taken =
        Docker.run(
            "run", "--rm", "--env=JAVA_TOOL_OPTIONS=-Xshare:on", Images.sidecar(), "version");

    assertThat(taken).as("-Xshare:on fails without one that fits").contains("hdr-sidecar 0.");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "version",
        "serve --help",
        "demo --duration=2s --http-port=0 --ingest-port=0",
        "log summarize a.hlog",
        "log process -i a.hlog -o out",
        "log union -o all.hlog a.hlog",
        "log tags a.hlog",
        "log split -d /data a.hlog",
        "log csv a.hlog",
        "log diff a.hlog a.hlog",
        "inject --help",
        "inject certificates --out /data"
      })
  void command_inTheImage_runs(String command) throws Exception {
    assertThat(run(command.split(" "))).as("ends with 0").doesNotContain("Exception");
  }

  @Test
  void configurationAndRules_inYaml_areRead() throws Exception {
    Files.writeString(
        folder.resolve("config.yaml"),
        """
        sla.file: /data/sla.yaml
        statsd: {udp-address: 127.0.0.1:0, mapping-file: /data/mapping.yaml}
        """);
    Files.writeString(folder.resolve("mapping.yaml"), "mappings:\n  - match: a.*\n    name: a\n");
    Files.writeString(
        folder.resolve("sla.yaml"),
        "slas:\n  - name: a\n    selector: checkout\n    limits:\n      100%: 1s\n");

    assertThat(
            run(
                "serve",
                "--check-config",
                "--config=/data/config.yaml",
                "--ingest-unix-socket=/data/s"))
        .contains("configuration is valid");
  }

  @Test
  void tls13_withAnEllipticCurve_isSpoken() throws Exception {
    KeyStore store = certificate();
    String container =
        Docker.run(
            "run",
            "--detach",
            "--read-only",
            "--volume=" + folder + ":/data",
            "--env=HDR_SIDECAR_INGEST_UNIX_SOCKET=/data/s",
            "--publish=127.0.0.1::9925",
            Images.sidecar(),
            "serve",
            "--tls-certificate=/data/certificate.pem",
            "--tls-key=/data/key.pem");
    try {
      String port = Docker.run("port", container, "9925/tcp").replaceAll("(?s).*?:(\\d+).*", "$1");
      HttpClient client = HttpClient.newBuilder().sslContext(trusting(store)).build();
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/-/ready")).build();

      HttpResponse<String> answer =
          Eventually.gives(() -> client.send(request, BodyHandlers.ofString()));

      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.sslSession().orElseThrow().getProtocol()).isEqualTo("TLSv1.3");
    } finally {
      Docker.run("rm", "--force", container);
    }
  }

  private KeyStore certificate() throws Exception {
    Path file = folder.resolve("keys.p12");
    Tool.run(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-keyalg",
            "EC",
            "-groupname",
            "secp256r1",
            "-alias",
            "sidecar",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost",
            "-storepass",
            PASSWORD,
            "-keystore",
            file.toString()),
        folder);
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    write("certificate.pem", "CERTIFICATE", store.getCertificate("sidecar").getEncoded());
    write("key.pem", "PRIVATE KEY", store.getKey("sidecar", PASSWORD.toCharArray()).getEncoded());
    return store;
  }

  private void write(String name, String kind, byte[] content) throws Exception {
    Path file = folder.resolve(name);
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
  }

  private static SSLContext trusting(KeyStore certificates) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("sidecar", certificates.getCertificate("sidecar"));
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return context;
  }
}
