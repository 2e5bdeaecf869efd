package io.hdrsidecar.sidecar.answer;

import io.vertx.core.buffer.Buffer;
import java.util.List;
import java.util.Map;

/**
 * A successful answer.
 *
 * @param contentType of the body
 * @param blocks the body as it is sent, one behind the other
 * @param headers more that are sent before it; a name may come several times
 */
public record Answer(
    String contentType, List<Buffer> blocks, List<Map.Entry<String, String>> headers) {
  /** Length of each block of a long body but the last. */
  public static final int BLOCK_BYTES = 16 << 10;

  /** Takes copies of the lists. */
  public Answer {
    blocks = List.copyOf(blocks);
    headers = List.copyOf(headers);
  }

  /** In one piece, without further headers. */
  public Answer(String contentType, Buffer body) {
    this(contentType, List.of(body), List.of());
  }

  /** What a block costs the heap while it waits to be sent. */
  public static long blockCost() {
    return AnswerBytes.BLOCK_COST;
  }

  /** Bytes in all. */
  public long length() {
    return blocks.stream().mapToLong(Buffer::length).sum();
  }

  /** A copy of the body in one piece. */
  public Buffer body() {
    Buffer body = Buffer.buffer((int) length());
    blocks.forEach(body::appendBuffer);
    return body;
  }
}
