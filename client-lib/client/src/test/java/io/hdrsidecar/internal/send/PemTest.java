package io.hdrsidecar.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PemTest {
  private static byte[] pem(String kind, byte[] der) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    String text = "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
    return ("some words before\n" + text).getBytes(StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void privateKey_ofEachKind_isRead(String algorithm) throws Exception {
    PrivateKey key = KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();

    assertThat(Pem.privateKey(pem("PRIVATE KEY", key.getEncoded()))).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA PRIVATE KEY", "EC PRIVATE KEY", "ENCRYPTED PRIVATE KEY"})
  void privateKey_inAnotherForm_isRefusedSayingHowToConvertIt(String kind) {
    assertThatThrownBy(() -> Pem.privateKey(pem(kind, new byte[] {1})))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining("openssl pkcs8 -topk8 -nocrypt");
  }

  @Test
  void privateKey_notThere_isRefused() {
    assertThatThrownBy(() -> Pem.privateKey(new byte[0])).hasMessage("no private key in it");
    assertThatThrownBy(() -> Pem.privateKey(pem("PRIVATE KEY", new byte[] {1, 2, 3})))
        .isInstanceOf(GeneralSecurityException.class)
        .hasMessageContaining("must be one of [EC, RSA, EdDSA]");
  }

  @Test
  void certificates_notThere_areRefused() {
    assertThatThrownBy(() -> Pem.certificates(new byte[0]))
        .isInstanceOf(GeneralSecurityException.class);
    assertThatThrownBy(() -> Pem.certificates("rubbish".getBytes(StandardCharsets.US_ASCII)))
        .isInstanceOf(GeneralSecurityException.class);
  }
}
