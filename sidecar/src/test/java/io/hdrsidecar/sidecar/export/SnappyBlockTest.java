package io.hdrsidecar.sidecar.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xerial.snappy.Snappy;

/** What is packed is unpacked by Google's Snappy, also beyond the 64 KiB that Netty's can pack. */
final class SnappyBlockTest {
  @ParameterizedTest(name = "{0} bytes of {1} kinds")
  @CsvSource({
    "0, 1",
    "1, 1",
    "32767, 3",
    "32768, 3",
    "65537, 3",
    "100000, 3",
    "1048576, 3",
    "1048576, 1",
    "1048576, 256"
  })
  void block_isUnpackedByAnother(int length, int kinds) throws Exception {
    SplittableRandom random = new SplittableRandom(length);
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) random.nextInt(kinds);
    }
    SnappyBlock block = new SnappyBlock(length);
    block.write(bytes, 0, length / 3);
    block.write(bytes, length / 3, length - length / 3);

    byte[] packed = block.toByteArray();

    assertThat(Arrays.equals(Snappy.uncompress(packed), bytes)).isTrue();
    assertThat(packed.length).isLessThan(length + length / 100 + 10);
  }

  @ParameterizedTest(name = "{0} bytes")
  @CsvSource({"100000", "1048576"})
  void textThatRepeats_becomesSmaller(int length) throws Exception {
    byte[] bytes = "checkout_seconds/pay".repeat(length / 20).getBytes(StandardCharsets.UTF_8);
    SnappyBlock block = new SnappyBlock(bytes.length);
    block.write(bytes);

    assertThat(block.toByteArray().length).isLessThan(length / 10);
    assertThat(Arrays.equals(Snappy.uncompress(block.toByteArray()), bytes)).isTrue();
  }
}
