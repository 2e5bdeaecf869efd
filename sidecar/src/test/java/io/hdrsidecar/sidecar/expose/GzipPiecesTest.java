package io.hdrsidecar.sidecar.expose;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayInputStream;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pieces compressed each by itself, held against the JDK's gzip and CRC-32 of the whole. */
class GzipPiecesTest {
  private static byte[] text(SplittableRandom random, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) ('a' + random.nextInt(3));
    }
    return bytes;
  }

  @ParameterizedTest(name = "seed={0}")
  @ValueSource(longs = {1, 7, 42})
  void compressed_anyPieces_areOneStreamWithTheSumOfTheWhole(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    GzipPieces gzip = new GzipPieces();
    Buffer plain = Buffer.buffer();
    Buffer packed = Buffer.buffer();
    GzipSum sum = GzipSum.EMPTY;
    int pieces = 1 + random.nextInt(20);
    for (int i = 0; i < pieces; i++) {
      Buffer piece = Buffer.buffer(text(random, 1 + random.nextInt(200_000)));
      boolean first = plain.length() == 0;
      plain.appendBuffer(piece);
      sum = sum.then(GzipPieces.sumOf(List.of(piece)));
      gzip.compressed(List.of(piece), first, sum, i == pieces - 1).forEach(packed::appendBuffer);
    }

    CRC32 crc = new CRC32();
    crc.update(plain.getBytes());
    assertThat(sum).isEqualTo(new GzipSum((int) crc.getValue(), plain.length()));
    byte[] unpacked =
        new GZIPInputStream(new ByteArrayInputStream(packed.getBytes())).readAllBytes();
    assertThat(unpacked).isEqualTo(plain.getBytes());
  }
}
