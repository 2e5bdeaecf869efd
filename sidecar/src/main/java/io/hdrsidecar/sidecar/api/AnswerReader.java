package io.hdrsidecar.sidecar.api;

import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.http.ConnectionWatch;
import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * One who is being sent an answer, as fast as it is read. Of the claim to its memory nothing is
 * left but the blocks, and each is given back when it was sent. Event loop of the server only.
 */
final class AnswerReader implements AnswerMemory.Reader {
  /** The bytes that wait to be sent before the next block is written. */
  private static final int QUEUE_BYTES = 64 * 1024;

  /** In this time so much must be read, unless less is left. */
  private static final long RATE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final long RATE_BYTES = 32 * 1024;

  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final AnswerMemory room;
  private final HeapClaim claim;
  private final Deque<Buffer> blocks;
  private long queuedBytes;
  private long sentBytes;
  private long sentNanos = System.nanoTime();
  private long rateNanos = sentNanos;
  private long rateBytes;
  private boolean done;

  private AnswerReader(
      HttpServerRequest request, Answer answer, HeapClaim claim, AnswerMemory room) {
    this.request = request;
    this.response = request.response();
    this.room = room;
    this.claim = claim;
    this.blocks = new ArrayDeque<>(answer.blocks());
  }

  /**
   * Sends a body. The head of the response is set but for its length.
   *
   * @param claim to all that was needed for the answer; closed when it was sent, or will not be
   */
  static void send(HttpServerRequest request, Answer answer, HeapClaim claim, AnswerMemory room) {
    claim.resize(claim.bytes(), Answer.blockCost() * answer.blocks().size());
    AnswerReader reader = new AnswerReader(request, answer, claim, room);
    room.add(reader);
    reader.begin();
  }

  private void begin() {
    response.setWriteQueueMaxSize(QUEUE_BYTES);
    response.closeHandler(gone -> end());
    response.exceptionHandler(gone -> end());
    response.drainHandler(drained -> sendOn());
    sendOn();
  }

  private void sendOn() {
    while (!done && !blocks.isEmpty() && !response.writeQueueFull()) {
      Buffer block = blocks.remove();
      queuedBytes += block.length();
      Future<Void> sent = blocks.isEmpty() ? response.end(block) : response.write(block);
      int length = block.length();
      sent.onSuccess(all -> sent(length)).onFailure(gone -> end());
    }
  }

  private void sent(int length) {
    if (!done) {
      sentBytes += length;
      sentNanos = System.nanoTime();
      claim.shrink(Answer.blockCost());
      if (blocks.isEmpty() && sentBytes == queuedBytes) {
        end();
      }
    }
  }

  @Override
  public long stillNanos() {
    return sentBytes == queuedBytes ? 0 : System.nanoTime() - sentNanos;
  }

  @Override
  public boolean isTooSlow() {
    long now = System.nanoTime();
    if (now - rateNanos < RATE_NANOS) {
      return false;
    }
    boolean tooSlow = sentBytes - rateBytes < RATE_BYTES;
    rateNanos = now;
    rateBytes = sentBytes;
    return tooSlow;
  }

  @Override
  public void cut() {
    end();
    ConnectionWatch.closeNow(request.connection());
  }

  private void end() {
    if (!done) {
      done = true;
      blocks.clear();
      claim.close();
      room.remove(this);
    }
  }
}
