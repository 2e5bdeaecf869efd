package io.hdrsidecar.sidecar.inflate;

import io.hdrsidecar.internal.wire.WholeInflater;
import java.util.zip.Adler32;

/**
 * Inflates a whole zlib stream (RFC 1950, RFC 1951) that lies in memory, into memory that has room
 * for all of it. It is made for streams of a hundred to some thousand bytes, where it takes half to
 * two thirds of the time of {@link java.util.zip.Inflater}.
 *
 * <p>It says nothing about streams that are damaged or do not fit; a caller that wants to know what
 * is wrong asks {@code java.util.zip.Inflater}, which agrees on all streams that are inflated here.
 *
 * <p>After warm-up nothing is allocated. One thread at a time.
 */
public final class StreamInflater implements WholeInflater {
  private static final int HEADER_BYTES = 2;
  private static final int DEFLATE_WITH_WHOLE_WINDOW = 0x78;
  private static final int DICTIONARY_FLAG = 0x20;

  /** The longest code, and the most bits behind it. */
  private static final int MOST_DISTANCE_BITS = 15 + 13;

  private static final BlockCodes FIXED = BlockCodes.fixed();

  private final BitInput in = new BitInput();
  private final BlockCodes dynamic = new BlockCodes();
  private final Adler32 adler = new Adler32();

  @Override
  public int inflate(byte[] source, int from, int to, byte[] into) {
    if (to - from <= HEADER_BYTES
        || to - from > into.length // and nothing is copied that could not be inflated
        || !isUsualHeader(source[from] & 0xff, source[from + 1] & 0xff)) {
      return NOT_INFLATED;
    }
    in.start(source, from + HEADER_BYTES, to);
    int length = 0;
    boolean last = false;
    while (!last && length >= 0) {
      in.refill();
      last = in.take(1) == 1;
      length = inflateBlock(in.take(2), into, length);
    }
    return length >= 0 && isAsSent(into, length) ? length : NOT_INFLATED;
  }

  private static boolean isUsualHeader(int method, int flags) {
    return method == DEFLATE_WITH_WHOLE_WINDOW
        && (flags & DICTIONARY_FLAG) == 0
        && (method << 8 | flags) % 31 == 0;
  }

  private int inflateBlock(int type, byte[] into, int length) {
    return switch (type) {
      case 0 -> copyStored(into, length);
      case 1 -> inflateSymbols(FIXED, into, length);
      case 2 -> dynamic.read(in) ? inflateSymbols(dynamic, into, length) : NOT_INFLATED;
      default -> NOT_INFLATED;
    };
  }

  /** A block as it was: two bytes of length, two of its complement, contents. */
  private int copyStored(byte[] into, int length) {
    int start = in.nextByte();
    in.seek(start);
    in.refill();
    int bytes = in.take(16);
    int complement = in.take(16);
    start += 4;
    if (bytes != (complement ^ 0xffff)
        || bytes > in.end - start
        || bytes > into.length - SPARE_BYTES - length) {
      return NOT_INFLATED;
    }
    System.arraycopy(in.bytes, start, into, length, bytes);
    in.seek(start + bytes);
    return length + bytes;
  }

  /** The sum of all bytes follows the blocks, from its highest byte on. */
  private boolean isAsSent(byte[] into, int length) {
    in.seek(in.nextByte());
    in.refill();
    int sum = Integer.reverseBytes((int) in.buffer);
    in.take(16);
    in.take(16);
    adler.reset();
    adler.update(into, 0, length);
    return !in.isPast() && (int) adler.getValue() == sum;
  }

  /**
   * Inflates up to the end of the block. A turn takes up to three literals, or up to two and a
   * match, with 56 bits at its beginning: enough for two literals from the table and a length of
   * the longest code. It is written in one piece, since the state has to stay in registers.
   */
  private int inflateSymbols(BlockCodes codes, byte[] into, int length) {
    int[] literals = codes.literals.table;
    int literalMask = codes.literals.mask;
    int[] distances = codes.distances.table;
    int distanceMask = codes.distances.mask;
    in.refill(); // So that the first turn begins as all others do; it is worth a tenth of the time.
    byte[] bytes = in.bytes;
    long buffer = in.buffer;
    int bits = in.bits;
    int position = in.position;
    int lastPosition = in.end + Long.BYTES;
    int lastOut = into.length - SPARE_BYTES;
    int out = length;
    while (position <= lastPosition && out <= lastOut) {
      if (bits < PrefixCode.MAX_BITS) {
        buffer |= BitInput.longAt(bytes, position) << bits;
        position += (63 - bits) >>> 3;
        bits |= 56;
      }
      // The next entry first, then more bits: neither has to wait for the other.
      int entry = literals[(int) buffer & literalMask];
      buffer |= BitInput.longAt(bytes, position) << bits;
      position += (63 - bits) >>> 3;
      bits |= 56;
      if (entry < 0) {
        buffer >>>= entry;
        bits -= entry & 63;
        into[out++] = (byte) (entry >>> 16);
        entry = literals[(int) buffer & literalMask];
        if (entry < 0) {
          buffer >>>= entry;
          bits -= entry & 63;
          into[out++] = (byte) (entry >>> 16);
          entry = literals[(int) buffer & literalMask];
          if (entry < 0) {
            buffer >>>= entry;
            bits -= entry & 63;
            into[out++] = (byte) (entry >>> 16);
            continue;
          }
        }
      }
      if ((entry & PrefixCode.SPECIAL) != 0) {
        entry = codes.literals.resolve(entry, buffer);
        if ((entry & PrefixCode.SPECIAL) != 0) {
          in.put(buffer >>> entry, bits - (entry & 63), position);
          return (entry & PrefixCode.END) == 0 || in.isPast() ? NOT_INFLATED : out;
        }
        if (entry < 0) {
          buffer >>>= entry;
          bits -= entry & 63;
          into[out++] = (byte) (entry >>> 16);
          continue;
        }
      }
      int copied = (entry >>> 16) + extra(buffer, entry);
      buffer >>>= entry;
      bits -= entry & 63;
      if (bits < MOST_DISTANCE_BITS) {
        buffer |= BitInput.longAt(bytes, position) << bits;
        position += (63 - bits) >>> 3;
        bits |= 56;
      }
      entry = distances[(int) buffer & distanceMask];
      if ((entry & PrefixCode.SPECIAL) != 0) {
        entry = codes.distances.resolve(entry, buffer);
        if ((entry & PrefixCode.SPECIAL) != 0) {
          return NOT_INFLATED;
        }
      }
      int distance = (entry >>> 16) + extra(buffer, entry);
      buffer >>>= entry;
      bits -= entry & 63;
      if (distance > out) {
        return NOT_INFLATED;
      }
      copy(into, out - distance, out, copied);
      out += copied;
    }
    return NOT_INFLATED;
  }

  /** The bits behind the code, up to where the entry ends. */
  private static int extra(long buffer, int entry) {
    return (int) ((buffer & ~(-1L << entry)) >>> (entry >>> 8 & 0xf));
  }

  /** Repeats what came before; what overlaps its own beginning comes again and again. */
  private static void copy(byte[] into, int from, int to, int length) {
    BitInput.putLong(into, to, BitInput.longAt(into, from));
    if (length > Long.BYTES || length > to - from) {
      copyMore(into, from, to, length);
    }
  }

  /** What of a match the first word has not brought, or not rightly, as it overlaps. */
  private static void copyMore(byte[] into, int from, int to, int length) {
    int end = to + length;
    if (to - from >= Long.BYTES) {
      for (int at = to + Long.BYTES; at < end; at += Long.BYTES) {
        BitInput.putLong(into, at, BitInput.longAt(into, at - to + from));
      }
    } else {
      for (int at = to; at < end; at++) {
        into[at] = into[at - to + from];
      }
    }
  }
}
