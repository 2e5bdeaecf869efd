package io.hdrsidecar.sidecar.http;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads a body up to a limit, as bytes whatever its type: curl calls a posted file a form unless
 * told otherwise, and Vert.x' own handler would parse it as one.
 *
 * <p>Past the limit, or without room in the share of the heap that all bodies have, the request
 * fails at once; what still comes is dropped, up to the limit again, so that a client that reads no
 * answer before it has sent everything gets to see it. Event loop of the request only, but for what
 * {@link #stream} and {@link #joined} give.
 */
public final class RequestBody {
  private static final int BLOCK_BYTES = 16 << 10;

  private final BodySource source;
  private final int maxBytes;
  private final HeapClaim claim;
  private final Promise<RequestBody> whole = Promise.promise();

  /** All but the last are full; a client that sends byte by byte must not make many of them. */
  private final List<byte[]> blocks = new ArrayList<>();

  private int inLastBlock = BLOCK_BYTES;
  private long seenBytes;
  private boolean released;

  private RequestBody(BodySource source, int maxBytes, HeapShare share) {
    this.source = source;
    this.maxBytes = maxBytes;
    this.claim = share.claim();
  }

  /**
   * Starts to read. Call from the request's first handler, before anything waits, and {@link
   * #release} in any case.
   */
  public static RequestBody of(HttpServerRequest request, int maxBytes, HeapShare share) {
    RequestBody body = of(new OfHttp1(request), maxBytes, share);
    if (length(request.getHeader(HttpHeaders.CONTENT_LENGTH)) > body.maxBytes) {
      body.refuseLength();
    }
    return body;
  }

  /** The same from elsewhere. */
  public static RequestBody of(BodySource source, int maxBytes, HeapShare share) {
    int most = (int) Math.min(maxBytes, share.maxBytes() / cost(1) * BLOCK_BYTES);
    RequestBody body = new RequestBody(source, most, share);
    source.read(body::receive, () -> body.whole.tryComplete(body), body::broken);
    return body;
  }

  /** As Vert.x reads it. */
  private record OfHttp1(HttpServerRequest request) implements BodySource {
    @Override
    public void read(Handler<Buffer> piece, Runnable end, Handler<Throwable> broken) {
      request.handler(piece);
      request.endHandler(ended -> end.run());
      request.exceptionHandler(broken);
    }

    @Override
    public void cut() {
      request.connection().close();
    }
  }

  /** The asker has gone, or what it sends is no body: chunks without their ends, for one. */
  private void broken(Throwable cause) {
    whole.tryFail(
        cause instanceof HttpClosedException
            ? cause
            : new ApiException(400, "bad_data", "body: cannot be read: " + cause.getMessage()));
  }

  private static long length(@Nullable String told) {
    return told != null && told.matches("\\d{1,18}") ? Long.parseLong(told) : 0;
  }

  /** What a body of so many bytes takes. */
  public static long costOf(long bytes) {
    return cost((int) ((bytes + BLOCK_BYTES - 1) / BLOCK_BYTES));
  }

  private static long cost(int blocks) {
    return blocks * HeapShare.arrayCost(BLOCK_BYTES);
  }

  private void receive(Buffer chunk) {
    seenBytes += chunk.length();
    if (seenBytes > 2L * maxBytes) {
      source.cut();
    } else if (seenBytes > maxBytes) {
      refuseLength();
    } else if (!released && !whole.future().isComplete()) {
      keep(chunk);
    }
  }

  private void keep(Buffer chunk) {
    int taken = 0;
    while (taken < chunk.length() && hasBlock()) {
      int count = Math.min(BLOCK_BYTES - inLastBlock, chunk.length() - taken);
      chunk.getBytes(taken, taken + count, blocks.get(blocks.size() - 1), inLastBlock);
      inLastBlock += count;
      taken += count;
    }
  }

  /** Whether there is a block with room. */
  private boolean hasBlock() {
    if (inLastBlock == BLOCK_BYTES) {
      if (!makeRoom(blocks.size() + 1)) {
        return false;
      }
      blocks.add(new byte[BLOCK_BYTES]);
      inLastBlock = 0;
    }
    return true;
  }

  private boolean makeRoom(int allBlocks) {
    long more = cost(allBlocks) - claim.bytes();
    if (more <= 0 || claim.tryGrow(more)) {
      return true;
    }
    whole.tryFail(
        new ApiException(503, "unavailable", "too many bytes are being uploaded at once"));
    return false;
  }

  private void refuseLength() {
    whole.tryFail(
        new ApiException(413, "bad_data", "body: must have at most " + maxBytes + " bytes"));
  }

  /** This, once all bytes are there. */
  public Future<RequestBody> whole() {
    return whole.future();
  }

  /** How many bytes there are. Once whole, before the {@link #release}. */
  public int length() {
    return blocks.isEmpty() ? 0 : (blocks.size() - 1) * BLOCK_BYTES + inLastBlock;
  }

  /** All bytes, without a copy of them. Once whole, before the {@link #release}. */
  public InputStream stream() {
    List<InputStream> streams = new ArrayList<>();
    for (int i = 0; i < blocks.size(); i++) {
      boolean last = i == blocks.size() - 1;
      streams.add(new ByteArrayInputStream(blocks.get(i), 0, last ? inLastBlock : BLOCK_BYTES));
    }
    return new SequenceInputStream(Collections.enumeration(streams));
  }

  /** A copy of all bytes in one piece. Once whole, before the {@link #release}. */
  public Buffer joined() {
    Buffer all = Buffer.buffer();
    for (int i = 0; i < blocks.size(); i++) {
      boolean last = i == blocks.size() - 1;
      all.appendBytes(blocks.get(i), 0, last ? inLastBlock : BLOCK_BYTES);
    }
    return all;
  }

  /** Gives the bytes back; what still comes is dropped. Idempotent. */
  public void release() {
    if (!released) {
      released = true;
      blocks.clear();
      claim.close();
    }
  }
}
