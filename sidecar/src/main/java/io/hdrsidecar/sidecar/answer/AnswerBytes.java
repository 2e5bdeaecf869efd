package io.hdrsidecar.sidecar.answer;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.vertx.core.buffer.Buffer;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * A body in the making, in blocks that are claimed one by one, so that nothing is one large object.
 * One thread at a time.
 */
public final class AnswerBytes extends OutputStream {
  /** What a full block costs the heap while it waits to be sent. */
  static final long BLOCK_COST = HeapShare.arrayCost(Answer.BLOCK_BYTES);

  private final HeapClaim claim;
  private final List<Buffer> blocks = new ArrayList<>();
  private int left;

  /** Nothing yet; the claim lives on with the blocks. */
  public AnswerBytes(HeapClaim claim) {
    this.claim = claim;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  /**
   * Appends bytes.
   *
   * @throws io.hdrsidecar.sidecar.memory.HeapFullException when there is no room for them
   */
  @Override
  public void write(byte[] bytes, int offset, int length) {
    int from = offset;
    int end = offset + length;
    while (from < end) {
      if (left == 0) {
        claim.grow(BLOCK_COST);
        blocks.add(Buffer.buffer(Answer.BLOCK_BYTES));
        left = Answer.BLOCK_BYTES;
      }
      int taken = Math.min(left, end - from);
      blocks.get(blocks.size() - 1).appendBytes(bytes, from, taken);
      left -= taken;
      from += taken;
    }
  }

  /** All written so far. */
  public List<Buffer> blocks() {
    return blocks;
  }
}
