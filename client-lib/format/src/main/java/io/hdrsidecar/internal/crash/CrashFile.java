package io.hdrsidecar.internal.crash;

import static io.hdrsidecar.internal.crash.CrashLayout.ALIVE_EVERY_MILLIS;
import static io.hdrsidecar.internal.crash.CrashLayout.ALIVE_MILLIS;
import static io.hdrsidecar.internal.crash.CrashLayout.AREA_SUM_LOW;
import static io.hdrsidecar.internal.crash.CrashLayout.BLOCK_HEADER_BYTES;
import static io.hdrsidecar.internal.crash.CrashLayout.CARRIED_BITS;
import static io.hdrsidecar.internal.crash.CrashLayout.ENTRY_TAKEN_BACK;
import static io.hdrsidecar.internal.crash.CrashLayout.HELLO;
import static io.hdrsidecar.internal.crash.CrashLayout.KIND_HELLO;
import static io.hdrsidecar.internal.crash.CrashLayout.LONG;
import static io.hdrsidecar.internal.crash.CrashLayout.NEXT_SEQUENCE;
import static io.hdrsidecar.internal.crash.CrashLayout.OUTBOX_TAIL;
import static io.hdrsidecar.internal.crash.CrashLayout.SERIES_START_MILLIS;

import io.hdrsidecar.internal.interval.ExactSum;
import io.hdrsidecar.internal.interval.PagedCounts;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SparseCounts;
import io.hdrsidecar.internal.wire.Frame;
import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The crash file of a client, while it lives.
 *
 * <p><b>Why each value is in exactly one interval, whenever the process dies.</b> A value is
 * counted in the file by the instruction that counts it at all. Counters only rise; of each bucket
 * of a series the file says also how much of it was framed. A frame is written into the outbox, and
 * then three things become true at once ({@link CrashRedo}): it is there, its counts were framed,
 * its number is taken. Only then it is sent. So at any instant each count is in exactly one frame
 * of the outbox or of those settled, or in none of them; then it is part of the difference, of
 * which the reader of the file makes the last interval of the series. Frames leave the outbox when
 * the sidecar has settled their numbers; if the process dies before, they are sent again under the
 * same numbers, which the sidecar knows.
 *
 * <p><b>Bound.</b> A counter has 32 bits. So before a bucket has so many counts that were not
 * framed that nobody could tell them from fewer, some of them are carried: written down beside it.
 *
 * <p><b>Blocks of a series that is gone</b> serve others, once nobody can reach what writes to
 * them. The garbage collector says so, as nothing else does that costs who records nothing.
 *
 * <p>Recording threads touch areas and pages. All else is the sampler's but for {@link #allocate}
 * and {@link #series}, which are any thread's.
 */
public final class CrashFile implements AutoCloseable {
  /** Ahead of need, so that who records finds blocks that are there already. */
  private static final int AHEAD_BYTES = 256 << 10;

  /** How often a file system that had no room is asked again. */
  private static final long ASK_AGAIN_MILLIS = 1_000;

  private final CrashPlace place;
  private final ByteBuffer memory;
  private final IntBuffer counters;
  private final CrashSpace space;
  private final CrashRedo redo;
  private final CrashOutbox outbox;
  private final SeriesList series;
  private final FrameEncoder frames = new FrameEncoder();
  private volatile boolean isClosed;
  private volatile boolean isFull;
  private long askedMillis; // the sampler's

  private CrashFile(CrashPlace place) {
    this.place = place;
    this.memory = place.memory();
    this.counters = memory.asIntBuffer();
    this.space = place.space();
    this.redo = new CrashRedo(memory, CrashPlace.REDO_AT, CrashPlace.REDO_BYTES);
    this.outbox = new CrashOutbox(memory, CrashPlace.OUTBOX_AT, CrashPlace.OUTBOX_BYTES);
    this.series = new SeriesList(this);
  }

  /**
   * Makes the file of a client.
   *
   * @param commonLabels of all its series
   * @param everyMillis how often it will say that it lives
   * @throws IOException when there can be none; says why
   */
  public static CrashFile create(
      CrashFolder folder,
      InstanceId instance,
      Labels commonLabels,
      long everyMillis,
      long nowMillis)
      throws IOException {
    CrashPlace place = CrashPlace.create(folder, instance, nowMillis);
    try {
      CrashFile file = new CrashFile(place);
      file.memory.putInt(HELLO, file.writeHello(instance, commonLabels));
      file.memory.putLong(NEXT_SEQUENCE, 1);
      file.memory.putLong(ALIVE_EVERY_MILLIS, everyMillis);
      file.alive(nowMillis);
      CrashFault.point("header-written");
      place.publish();
      CrashFault.point("published");
      return file;
    } catch (IOException | RuntimeException e) {
      place.close();
      throw e;
    }
  }

  ByteBuffer memory() {
    return memory;
  }

  /** The same memory. */
  IntBuffer counters() {
    return counters;
  }

  /**
   * A block of zeros; 0 for none. Any thread. As a rule there is room, as {@link #alive} sees to
   * it; if not, this takes memory from the file system, which like the heap may have to look for
   * it. When that had none, only {@link #alive} asks it again.
   */
  int allocate(int bytes) {
    int block = space.allocate(bytes);
    while (block == 0 && !isClosed && hasBacked(bytes)) { // Others may be faster to take it.
      block = space.allocate(bytes);
    }
    return block;
  }

  /** Where it is. */
  public Path path() {
    return place.path();
  }

  /** Memory taken for it, in bytes, and what of it is in use. Any thread. */
  public int usedBytes() {
    return space.usedBytes();
  }

  /** So many buckets may be framed at once. */
  public int mostBuckets() {
    return (redo.room() - 16) / 2; // Of each a counter, and what is carried.
  }

  /** The longest frame that fits. */
  public int longestFrame() {
    return outbox.longestFrame();
  }

  /**
   * A place for a series, for as long as somebody can reach it. Any thread.
   *
   * @param definition without common labels
   * @param nowMillis when its first interval begins
   * @return null when there is no room, or the file is closed
   */
  public @Nullable CrashSeries series(SeriesDefinition definition, long nowMillis) {
    return isClosed ? null : series.add(definition, nowMillis);
  }

  /** Takes back a block of zeros. */
  void free(int block, int bytes) {
    space.free(block, bytes);
  }

  /** Takes memory ahead of need; without more of it, what others have left may do. */
  boolean hasRoomFor(int bytes) {
    return hasBacked(bytes) || space.returnedBytes() >= bytes;
  }

  private boolean hasBacked(int bytes) {
    try {
      return space.back(bytes);
    } catch (IOException | OutOfMemoryError e) {
      isFull = true;
      return false;
    }
  }

  /**
   * Says that the process lives, and takes memory ahead of need. Closes the file if its lock is
   * lost: others would take this process for dead.
   */
  public void alive(long nowMillis) {
    LONG.setRelease(memory, ALIVE_MILLIS, nowMillis);
    if (!place.isLocked()) {
      close();
    }
    if (!isClosed) {
      series.giveBack();
      askAgain(nowMillis);
      isFull = !hasRoomFor(AHEAD_BYTES);
    }
  }

  private void askAgain(long nowMillis) {
    if (Math.abs(nowMillis - askedMillis) >= ASK_AGAIN_MILLIS) { // A clock may be set back.
      askedMillis = nowMillis;
      space.askAgain();
    }
  }

  /** Whether the next pages may find no room. */
  public boolean isFull() {
    return isFull;
  }

  /**
   * Puts a frame into the outbox, where it {@linkplain #hasRoom has room}, and its counts among
   * those that were framed. Whatever is thrown, of memory or for counts that were never counted in
   * the file, nothing has changed then.
   *
   * @param counts of which those from a bucket up to another are in the frame, at most {@link
   *     #mostBuckets}
   * @param sumLow sum of the frame, modulo 2<sup>64</sup>
   * @param endMillis where the next interval of the series starts
   */
  public void frame(
      CrashSeries series,
      PagedCounts counts,
      int fromIndex,
      int toIndex,
      long sumLow,
      long sequence,
      ByteBuffer frame,
      long endMillis) {
    CrashOutbox.Written written = outbox.write(series.offset(), sequence, frame);
    redo.begin();
    redo.putLong(OUTBOX_TAIL, written.tail());
    redo.putLong(NEXT_SEQUENCE, sequence + 1);
    redo.putLong(series.offset() + SERIES_START_MILLIS, endMillis);
    putSum(series, sumLow);
    counts.forEach(fromIndex, toIndex, (index, count) -> series.putFramed(redo, index, count));
    CrashFault.point("frame-written");
    redo.commit();
    written.isThere();
    CrashFault.point("frame-committed");
  }

  private void putSum(CrashSeries series, long added) {
    int sum = series.framed().offset() + AREA_SUM_LOW;
    redo.putLong(sum, memory.getLong(sum) + added);
  }

  /**
   * Writes down what no longer fits a counter, of counts that were harvested and not framed.
   *
   * @param others of the same series
   * @return false when there is no room for that
   */
  public boolean carry(CrashSeries series, PagedCounts counts, PagedCounts others) {
    boolean[] isCarried = {true};
    counts.forEach(
        (index, count) -> {
          long units = (count >>> CARRIED_BITS) + (others.countAt(index) >>> CARRIED_BITS);
          if (units > 0) {
            redo.begin();
            isCarried[0] &= series.putCarried(redo, index, units);
            redo.commit();
          }
        });
    return isCarried[0];
  }

  /** How much of the outbox a frame takes. */
  public int entryBytes(int frameBytes) {
    return CrashLayout.entryBytes(frameBytes);
  }

  /** Whether entries of so many bytes have room, wherever the ring is broken. */
  public boolean hasRoom(int entryBytes) {
    return outbox.hasRoomForAll(entryBytes);
  }

  /** Whether they will have, once others are settled. */
  public boolean canHold(int entryBytes) {
    return outbox.canHold(entryBytes);
  }

  /** Whether this number is taken. */
  public boolean isTaken(long sequence) {
    return (long) LONG.getVolatile(memory, NEXT_SEQUENCE) > sequence;
  }

  /** This number is taken by an interval that is not in the file. */
  public void numbered(long sequence) {
    LONG.setRelease(memory, NEXT_SEQUENCE, sequence + 1);
  }

  /** Counts that will be in no interval: they are lost, or were discarded. */
  void forget(CrashSeries series, PagedCounts counts, ExactSum sum) {
    SparseCounts buckets = new SparseCounts();
    counts.forEach(buckets);
    int most = mostBuckets();
    for (int from = 0; from < buckets.size(); from += most) {
      redo.begin();
      if (from == 0) {
        putSum(series, sum.low());
      }
      for (int i = from; i < Math.min(from + most, buckets.size()); i++) {
        series.putFramed(redo, buckets.indexAt(i), buckets.countAt(i));
      }
      redo.commit();
    }
  }

  /** All frames up to this number need not be kept. */
  public void settled(long sequence) {
    outbox.settle(sequence);
    CrashFault.point("settled");
  }

  /** Frames of these numbers will never be sent again. */
  public void forget(LongPredicate sequences) {
    outbox.forget(sequences);
  }

  /** The counts of a frame are not framed any more, and its number is not used. */
  public void takeBack(CrashSeries series, SparseCounts counts, ExactSum sum, long sequence) {
    redo.begin();
    int state = outbox.stateOf(sequence);
    if (state != 0) {
      redo.putInt(state, ENTRY_TAKEN_BACK);
    }
    putSum(series, -sum.low());
    for (int i = 0; i < counts.size(); i++) {
      series.putTakenBack(redo, counts.indexAt(i), counts.countAt(i));
    }
    CrashFault.point("take-back-written");
    redo.commit();
    CrashFault.point("taken-back");
    outbox.forgotten(number -> number == sequence);
    CrashFault.point("take-back-done");
  }

  /**
   * Goes on under another id, whose numbers begin at 1.
   *
   * @throws IOException when there is no room to write it down
   */
  public void startOver(InstanceId instance, Labels commonLabels) throws IOException {
    int hello = writeHello(instance, commonLabels);
    CrashFault.point("hello-written");
    redo.begin();
    redo.putInt(HELLO, hello);
    redo.putLong(NEXT_SEQUENCE, 1);
    redo.commit();
    CrashFault.point("started-over");
  }

  /** Without the token: who picks the file up has its own, or needs none. */
  private synchronized int writeHello(InstanceId instance, Labels commonLabels) throws IOException {
    byte[] frame =
        frames.hello(new Frame.Hello(FrameEncoder.VERSION, instance, commonLabels, "")).take();
    int bytes = BLOCK_HEADER_BYTES + frame.length;
    int block = allocate(bytes);
    if (block == 0) {
      throw new IOException(
          path() + " has no room for " + bytes + " bytes more; give the folder more");
    }
    memory.put(block + BLOCK_HEADER_BYTES, frame, 0, frame.length);
    CrashLayout.describe(memory, block, KIND_HELLO, 0, frame.length);
    return block;
  }

  /** Whether the file is gone. */
  public boolean isClosed() {
    return isClosed;
  }

  /**
   * Deletes the file, as all of it is settled. What was mapped stays mapped: recorders may go on,
   * and what they record dies with the process.
   */
  @Override
  public synchronized void close() {
    if (!isClosed) {
      isClosed = true;
      place.close();
    }
  }
}
