package io.hdrsidecar.internal.crash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * What lies where in a crash file. All numbers are in the order of the machine, as counters are
 * raised in place.
 *
 * <pre>
 *  offset  header, 256 bytes
 *       0  long  magic; of another byte order it reads as another number
 *       8  int   version
 *      12  int   state: 0 while the file is made, 1 whole, 2 closed: nothing in it counts any more
 *      16  int   length of the file
 *      20  int   offset of the redo block
 *      24  int   offset of the outbox
 *      28  int   CRC-32C of bytes 0 to 11 and 16 to 27
 *      64  int   offset of the HELLO frame
 *      68  int   offset of the first series
 *      72  long  next sequence number
 *      80  long  where the outbox begins \ counted on, not modulo its length
 *      88  long  where the outbox ends   /
 *      96  long  last sign of life, milliseconds since the epoch
 *     104  long  time between two of them, milliseconds
 * </pre>
 *
 * <p>Behind the header come blocks, each at a multiple of 64. A block begins with 16 bytes that say
 * what it is, with a checksum of their own, so that a damaged offset leads nowhere:
 *
 * <pre>
 *   0  int  kind \
 *   4  int  owner, offset of the block it belongs to; 0 for none
 *   8  int  number; see below
 *  12  int  CRC-32C of bytes 0 to 11
 *
 *  HELLO  number: length of the frame; at 16 the frame, as PROTOCOL.md draws it, without a token
 *  SERIES number: length of the frame; 16 int next series, 20 int first area, 24 int number of
 *         pages, 32 long where its next interval starts (milliseconds), at 64 the SERIES frame
 *  AREA   owner: its series; number: 0 for what was framed, 1 for one thread, 2 for several, 3 for
 *         what is carried: of each bucket how many times 2^30 values are neither in a counter nor
 *         framed, as a counter has 32 bits; 16 int next area; 64 long sum of lower halves, 72 long sum of upper halves of its values;
 *         at 128 an int for each page: its offset, or 0
 *  PAGE   owner: its area; number: which page; at 64 256 counters, unsigned ints that only rise
 *  REDO   16 int number of changes, 20 int CRC-32C of it and them, at 64 changes: int offset, int
 *         value; number: its length
 *  OUTBOX number: its length; at 64 entries, each at a multiple of 8: int length of the frame (-1:
 *         go on at the start), int offset of the series, int CRC-32C of both, int state (1 whole,
 *         0 taken back), the INTERVAL frame
 * </pre>
 *
 * <p>A file begins, by its sections:
 *
 * <pre>
 *  header | REDO | OUTBOX | blocks as they are needed ... | nothing yet (no memory)
 * </pre>
 */
final class CrashLayout {
  static final long MAGIC = 0x4844_5243_5241_5348L; // "HDRCRASH"
  static final int VERSION = 1;
  static final int COMPLETE = 1;
  static final int CLOSED = 2;

  static final int STATE = 12;
  static final int LENGTH = 16;
  static final int REDO = 20;
  static final int OUTBOX = 24;
  static final int HEADER_CRC = 28;
  static final int HELLO = 64;
  static final int FIRST_SERIES = 68;
  static final int NEXT_SEQUENCE = 72;
  static final int OUTBOX_HEAD = 80;
  static final int OUTBOX_TAIL = 88;
  static final int ALIVE_MILLIS = 96;
  static final int ALIVE_EVERY_MILLIS = 104;
  static final int HEADER_BYTES = 256;

  static final int ALIGNMENT = 64;
  static final int KIND = 0;
  static final int OWNER = 4;
  static final int NUMBER = 8;
  static final int BLOCK_CRC = 12;
  static final int BLOCK_HEADER_BYTES = 16;

  static final int KIND_HELLO = 1;
  static final int KIND_SERIES = 2;
  static final int KIND_AREA = 3;
  static final int KIND_PAGE = 4;
  static final int KIND_REDO = 5;
  static final int KIND_OUTBOX = 6;

  static final int SERIES_NEXT = 16;
  static final int SERIES_FIRST_AREA = 20;
  static final int SERIES_PAGES = 24;
  static final int SERIES_START_MILLIS = 32;
  static final int CONTENT = 64;

  static final int AREA_FRAMED = 0;
  static final int AREA_OWNED = 1;
  static final int AREA_SHARED = 2;
  static final int AREA_CARRIED = 3;
  static final int CARRIED_BITS = 30;
  static final int AREA_NEXT = 16;
  static final int AREA_SUM_LOW = 64;
  static final int AREA_SUM_HIGH = 72;
  static final int AREA_TABLE = 128;

  static final int PAGE_BITS = 8;
  static final int PAGE_COUNTERS = 1 << PAGE_BITS;
  static final int PAGE_MASK = PAGE_COUNTERS - 1;
  static final int PAGE_BYTES = CONTENT + PAGE_COUNTERS * Integer.BYTES;

  static final int REDO_COUNT = 16;
  static final int REDO_CRC = 20;
  static final int CHANGE_BYTES = 8;

  static final int ENTRY_SERIES = 4;
  static final int ENTRY_CRC = 8;
  static final int ENTRY_STATE = 12;
  static final int ENTRY_FRAME = 16;
  static final int ENTRY_WHOLE = 1;
  static final int ENTRY_TAKEN_BACK = 0;
  static final int SKIP = -1;

  static final boolean IS_LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  static final VarHandle INT =
      MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
  static final VarHandle LONG =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private CrashLayout() {}

  static int aligned(int bytes) {
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  static int pages(int counters) {
    return (counters + PAGE_COUNTERS - 1) >>> PAGE_BITS;
  }

  static int areaBytes(int pages) {
    return AREA_TABLE + pages * Integer.BYTES;
  }

  static int entryBytes(int frameBytes) {
    return (ENTRY_FRAME + frameBytes + 7) / 8 * 8;
  }

  /** Writes the 16 bytes that say what a block is. */
  static void describe(ByteBuffer memory, int block, int kind, int owner, int number) {
    memory.putInt(block + KIND, kind);
    memory.putInt(block + OWNER, owner);
    memory.putInt(block + NUMBER, number);
    memory.putInt(block + BLOCK_CRC, crc(memory, block, BLOCK_CRC));
  }

  static int headerCrc(ByteBuffer header) {
    CRC32C crc = new CRC32C();
    crc.update(header.slice(0, STATE));
    crc.update(header.slice(LENGTH, HEADER_CRC - LENGTH));
    return (int) crc.getValue();
  }

  static int crc(ByteBuffer memory, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(memory.slice(from, length));
    return (int) crc.getValue();
  }
}
