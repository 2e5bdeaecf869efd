package io.hdrsidecar.internal.interval;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Examples of DWARF 5 (figure 21), of Protocol Buffers ("Base 128 Varints"), and the ends. */
class Leb128Test {
  @ParameterizedTest
  @CsvSource({
    "0, 00",
    "1, 01",
    "2, 02",
    "127, 7f",
    "128, 8001",
    "129, 8101",
    "150, 9601",
    "12857, b964",
    "2147483647, ffffffff07",
    "9223372036854775807, ffffffffffffffff7f",
    "-2, feffffffffffffffff01",
    "-9223372036854775808, 80808080808080808001"
  })
  void number_isWrittenAsTheSpecificationsHaveIt_andReadAgain(long number, String hex) {
    byte[] out = new byte[2 + Leb128.MAX_BYTES];

    int end = Leb128.put(out, 2, number);

    assertThat(HexFormat.of().formatHex(Arrays.copyOfRange(out, 2, end))).isEqualTo(hex);
    assertThat(Leb128.length(number)).isEqualTo(hex.length() / 2);
    assertThat(Leb128.get(out, 2)).isEqualTo(number);
  }
}
