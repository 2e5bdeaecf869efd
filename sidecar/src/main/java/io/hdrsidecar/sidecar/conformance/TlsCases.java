package io.hdrsidecar.sidecar.conformance;

import java.io.IOException;
import java.util.List;

/** Sidecars that ask for TLS, and strangers in their place. */
final class TlsCases {
  private static final int CLOSE_MILLIS = 700;
  private static final String HOST = "ip:127.0.0.1";
  private static final String OTHER_HOST = "dns:sidecar.example";

  private TlsCases() {}

  static List<ConformanceCase> all() {
    return List.of(
        ConformanceCase.of(
            "tls",
            "shows a certificate of the authority",
            stage -> {
              listen(stage, stage.kit().certificate(HOST));
              stage.startWith(3, 300);
              stage.closeAndFinish();
            },
            Law.TLS),
        ConformanceCase.apart(
            "tls-stranger",
            "shows a certificate of another authority",
            stage -> {
              listen(stage, stage.kit().certificate(HOST));
              stage.variable(
                  "HDR_SIDECAR_TLS_CA", stage.kit().certificate(OTHER_HOST).authority().toString());
              expectNothing(stage);
            },
            Law.TLS,
            Law.END),
        ConformanceCase.apart(
            "tls-other-host",
            "shows a certificate of another host",
            stage -> {
              listen(stage, stage.kit().certificate(OTHER_HOST));
              expectNothing(stage);
            },
            Law.TLS,
            Law.END));
  }

  private static void listen(CaseStage stage, KitCertificate files) throws IOException {
    stage.about(Law.TLS);
    stage.listen(KitListener.tls(files.context()));
    stage.variable("HDR_SIDECAR_TLS_CA", files.authority().toString());
  }

  private static void expectNothing(CaseStage stage) throws IOException, InterruptedException {
    stage.comparesNothing();
    stage.setting("close_timeout_ms", CLOSE_MILLIS);
    stage.startWith(2, 40);
    Link link = stage.accept();
    ClientConversation conversation = link == null ? null : new ClientConversation(stage, link, 1);
    if (conversation != null && conversation.hello()) {
      stage
          .ledger()
          .breach(Law.TLS, "nothing said to a stranger", "HELLO, with all its secrets", "");
      conversation.close();
    }
    stage.closeClient();
    stage.finish((again, arrival) -> {});
  }
}
