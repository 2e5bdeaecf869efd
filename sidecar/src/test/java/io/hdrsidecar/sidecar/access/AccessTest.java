package io.hdrsidecar.sidecar.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdrsidecar.internal.send.Await;
import io.hdrsidecar.sidecar.support.TestCertificates;
import io.netty.handler.ssl.NotSslRecordException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.net.ServerSSLOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AccessTest {
  private final Vertx vertx = Vertx.vertx();
  private final Path folder;

  AccessTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private Access open(AccessConfig config) {
    return Access.open("test", config, vertx).toCompletionStage().toCompletableFuture().join();
  }

  private Path tokens(String text) throws IOException {
    return Files.writeString(folder.resolve("tokens"), text);
  }

  private static AccessConfig withTokens(Path file) {
    return new AccessConfig(null, file);
  }

  @Test
  void admits_nothingAsked_everyone() {
    Access access = open(AccessConfig.OPEN);

    assertThat(access.admits("")).isTrue();
    assertThat(access.admits("anything")).isTrue();
  }

  @Test
  void admits_tokenAsked_thatOneAlone() throws Exception {
    Access access = open(withTokens(tokens("s3cret\n")));

    assertThat(access.admits("s3cret")).isTrue();
    assertThat(access.admits("")).isFalse();
    assertThat(access.admits("s3cre")).isFalse();
    assertThat(access.admits("s3cret ")).isFalse();
    assertThat(access.admits("S3CRET")).isFalse();
  }

  @Test
  void admits_twoTokensDuringAChange_both() throws Exception {
    Access access = open(withTokens(tokens("old\n\n  new  \n")));

    assertThat(access.admits("old")).isTrue();
    assertThat(access.admits("new")).isTrue();
  }

  /** Notepad's "UTF-8 with BOM". */
  @Test
  void admits_fileWithAByteOrderMark_theTokenWithoutIt() throws Exception {
    Access access = open(withTokens(tokens("\uFEFFs3cret\r\n")));

    assertThat(access.admits("s3cret")).isTrue();
    assertThat(access.admits("\uFEFFs3cret")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n \n", "\uFEFF", "\uFEFF\n"})
  void open_noTokenInTheFile_failsInsteadOfLettingEveryoneIn(String text) throws Exception {
    Path file = tokens(text);

    assertThatThrownBy(() -> open(withTokens(file)))
        .hasRootCauseInstanceOf(IOException.class)
        .hasMessageContaining("must hold 1 to 16 tokens")
        .hasMessageContaining(file.toString());
  }

  @Test
  void open_fileMissing_failsNamingIt() {
    Path file = folder.resolve("none");

    assertThatThrownBy(() -> open(withTokens(file))).hasMessageContaining("no such file: " + file);
  }

  @Test
  void refresh_tokenChanged_isTakenUp() throws Exception {
    Access access = open(withTokens(tokens("old")));
    tokens("new");

    access.refresh();

    assertThat(access.admits("old")).isFalse();
    assertThat(access.admits("new")).isTrue();
  }

  @Test
  void prepare_filesWhereNoneWere_areLookedAtFromThenOn() throws Exception {
    Access access = open(AccessConfig.OPEN);
    access.prepare(withTokens(tokens("old"))).run();
    assertThat(access.admits("old")).isTrue();
    tokens("new");

    Await.until("taken up", () -> access.admits("new"));

    assertThat(access.admits("old")).isFalse();
  }

  @Test
  void refresh_fileEmptiedOrGone_keepsWhatWas() throws Exception {
    Path file = tokens("old");
    Access access = open(withTokens(file));

    tokens("");
    access.refresh();
    assertThat(access.admits("")).isFalse();
    Files.delete(file);
    access.refresh();
    assertThat(access.admits("")).isFalse();
    assertThat(access.admits("old")).isTrue();
  }

  @Test
  void refresh_renewalHalfWritten_waitsForTheOtherHalf() throws Exception {
    TestCertificates certificates = new TestCertificates(folder);
    certificates.authority("ca");
    TestCertificates.Pair first = certificates.issue("first", "ca");
    TestCertificates.Pair second = certificates.issue("second", "ca");
    Path certificate = copy(first.certificate(), "tls.crt");
    Path key = copy(first.key(), "tls.key");
    Access access = open(new AccessConfig(new TlsConfig(certificate, key, null), null));
    List<ServerSSLOptions> taken = new ArrayList<>();
    access.onTlsChange(
        options -> {
          taken.add(options);
          return Future.succeededFuture(true);
        });

    copy(second.certificate(), "tls.crt");
    access.refresh();
    assertThat(taken).isEmpty();
    copy(second.key(), "tls.key");
    access.refresh();
    assertThat(taken).hasSize(1);
  }

  private Path copy(Path from, String name) throws IOException {
    return Files.copy(from, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  @Test
  void open_noPem_failsNamingTheFiles() throws Exception {
    Path rubbish = Files.writeString(folder.resolve("tls.crt"), "rubbish");

    assertThatThrownBy(() -> open(new AccessConfig(new TlsConfig(rubbish, rubbish, null), null)))
        .hasMessageContaining("tls.certificate " + rubbish);
  }

  @Test
  void use_tlsSwitchedOn_needsARestart() throws Exception {
    Access access = open(AccessConfig.OPEN);
    TlsConfig tls = new TlsConfig(folder.resolve("a"), folder.resolve("b"), null);

    assertThatThrownBy(() -> access.prepare(new AccessConfig(tls, null)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("by a restart");
  }

  @Test
  void handshakeProblem_requestInTheClear_isToldWithoutItsBytes() {
    String request = "GET /metrics HTTP/1.1\r\nAuthorization: Bearer s3cret\r\n\r\n";
    String hex = HexFormat.of().formatHex(request.getBytes(StandardCharsets.US_ASCII));

    assertThat(Access.handshakeProblem(new NotSslRecordException("not an SSL/TLS record: " + hex)))
        .contains("not an SSL/TLS record")
        .doesNotContain(hex);
  }
}
