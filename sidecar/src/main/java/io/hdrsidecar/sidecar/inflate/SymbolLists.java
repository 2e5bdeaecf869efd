package io.hdrsidecar.sidecar.inflate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The symbols of a block, listed by the length of their code, each list in rising order. */
final class SymbolLists {
  /** Lengths 0 to 15, where 0 is no code. */
  static final int LENGTHS = 16;

  /** Room for all symbols of both codes, and for the eight that are written at once. */
  private static final int CAPACITY = 328;

  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  /** Four numbers of two bytes at once. */
  private static final long EACH = 0x0001_0001_0001_0001L;

  private static final long ONE_MORE_EACH = 0x0003_0002_0001_0000L;

  /** How many there are of each length. */
  final int[] howMany = new int[LENGTHS];

  private final byte[] symbols = new byte[LENGTHS * CAPACITY * Short.BYTES];

  void clear() {
    Arrays.fill(howMany, 0);
  }

  int get(int length, int index) {
    return (short) SHORT.get(symbols, (length * CAPACITY + index) * Short.BYTES);
  }

  /**
   * Appends some symbols that follow each other: up to eight, or any number without a code, of
   * which nobody asks which they are.
   */
  void append(int length, int symbol, int times) {
    int index = howMany[length];
    int at = (length * CAPACITY + index) * Short.BYTES;
    long four = symbol * EACH + ONE_MORE_EACH;
    BitInput.putLong(symbols, at, four);
    BitInput.putLong(symbols, at + Long.BYTES, four + 4 * EACH);
    howMany[length] = index + times;
  }

  /** Of the symbols of a length, how many come before a number near the end of the list. */
  int below(int number, int length) {
    int index = howMany[length];
    while (index > 0 && get(length, index - 1) >= number) {
      index--;
    }
    return index;
  }
}
