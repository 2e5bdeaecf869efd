package io.hdrsidecar.internal.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.series.Labels;
import org.junit.jupiter.api.Test;

class InstanceIdTest {
  private static final InstanceId ID = new InstanceId(0x0011223344556677L, 0x8899aabbccddeeffL);

  @Test
  void toString_ofTheIdInProtocolMd_isItsHashAsSha256sumPrintsIt() {
    // printf 00112233445566778899aabbccddeeff | xxd -r -p | sha256sum | cut -c 1-32
    assertThat(ID).hasToString("a8faed6abbf35c12a4b26e40f6feb19d");
  }

  @Test
  void toString_ofAFrameWithTheId_hasNoneOfItsDigits() {
    assertThat(new Frame.Hello(1, ID, Labels.empty(), "").toString())
        .contains(ID.toString())
        .doesNotContain(ID.digits());
  }

  @Test
  void digits_areThoseOfTheBytes() {
    assertThat(ID.digits()).isEqualTo("00112233445566778899aabbccddeeff");
    assertThat(new InstanceId(0, 7).digits()).isEqualTo("0".repeat(31) + "7");
  }
}
