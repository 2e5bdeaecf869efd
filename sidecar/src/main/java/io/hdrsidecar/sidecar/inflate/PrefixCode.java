package io.hdrsidecar.sidecar.inflate;

/**
 * A prefix code of deflate (RFC 1951, section 3.2.2) as a table: the next bits of the stream are
 * the index of an entry, which says all about the symbol. Made for short streams, for which making
 * the table costs as much as using it: it is as large as its longest code, up to {@link #MAX_BITS},
 * and grows by doubling, so most entries are copied. Longer codes are looked for length by length.
 *
 * <p>An entry is the template of its symbol with the length of its code added twice:
 *
 * <ul>
 *   <li>bits 0 to 5: bits of the code and of the extra bits behind it
 *   <li>bits 8 to 11: bits of the code
 *   <li>bits 14 and 15: {@link #END}, {@link #SPECIAL}
 *   <li>bits 16 to 30: the value, to which extra bits are added
 *   <li>bit 31: {@link #LITERAL}
 * </ul>
 */
final class PrefixCode {
  /** The value is a byte: the entry is negative. */
  static final int LITERAL = 1 << 31;

  /** Neither literal nor length: a code longer than the table or none at all, or the end. */
  static final int SPECIAL = 1 << 15;

  /** The end of the block; {@link #SPECIAL} too. */
  static final int END = 1 << 14;

  /** No code is as the bits that came. */
  static final int NONE = SPECIAL;

  /** Longest code that the table has. */
  static final int MAX_BITS = 11;

  /** What a code of one bit adds to the template. */
  private static final int ONE_BIT = 0x101;

  private static final short[] REVERSED = new short[1 << MAX_BITS];

  static {
    for (int i = 0; i < REVERSED.length; i++) {
      REVERSED[i] = (short) (Integer.reverse(i) >>> (32 - MAX_BITS));
    }
  }

  /** What the next bits mean, as many as {@link #mask} has. */
  final int[] table;

  int mask;
  private final int[] templates;
  private final SymbolLists symbols;
  private final int[] from = new int[SymbolLists.LENGTHS];
  private final int[] howMany = new int[SymbolLists.LENGTHS];
  private int first;
  private int longest;
  private int left;

  /**
   * A code for symbols 0 to the last template.
   *
   * @param templates their entries without the length of their code
   * @param symbols where the symbols are listed
   * @param maxLength of a code, as far as there is a table
   */
  PrefixCode(int[] templates, SymbolLists symbols, int maxLength) {
    this.table = new int[1 << Math.min(maxLength, MAX_BITS)];
    this.templates = templates;
    this.symbols = symbols;
  }

  /**
   * Makes the table of a part of each list.
   *
   * @param number of symbol 0 in the lists
   * @return whether there is such a code. As in zlib it must be complete, except that there may be
   *     one symbol with one bit or none at all, which {@link #isComplete} tells.
   */
  boolean build(int number, int[] fromIndex, int[] toIndex) {
    first = number;
    longest = 0;
    left = 1;
    int all = 0;
    for (int length = 1; length < SymbolLists.LENGTHS; length++) {
      int codes = toIndex[length] - fromIndex[length];
      from[length] = fromIndex[length];
      howMany[length] = codes;
      all += codes;
      left = 2 * left - codes;
      if (left < 0) {
        return false;
      }
      longest = codes == 0 ? longest : length;
    }
    if (left != 0 && (longest > 1 || all > 1)) {
      return false;
    }
    fill();
    return true;
  }

  /** Whether all bits mean something. */
  boolean isComplete() {
    return left == 0;
  }

  private void fill() {
    int tableBits = Math.min(Math.max(longest, 1), MAX_BITS);
    mask = (1 << tableBits) - 1;
    int code = 0;
    for (int length = 1; length <= tableBits; length++) {
      int half = 1 << (length - 1);
      if (code != 0) {
        System.arraycopy(table, 0, table, half, half);
      }
      code <<= 1;
      int shift = MAX_BITS - length;
      int index = from[length];
      for (int stop = index + howMany[length]; index < stop; index++) {
        table[REVERSED[code++ << shift]] = entry(length, index);
      }
    }
    for (; code <= mask; code++) {
      table[REVERSED[code << (MAX_BITS - tableBits)]] = NONE;
    }
  }

  /**
   * What a special entry stands for, by the bits it was found with: the end, a code that is longer
   * than the table, or {@link #NONE}.
   */
  int resolve(int entry, long bits) {
    return (entry & END) != 0 ? entry : longEntry(bits);
  }

  private int longEntry(long bits) {
    int code = 0;
    for (int length = 1; length <= longest; length++) {
      code = code << 1 | (int) (bits >>> (length - 1) & 1);
      if (code < howMany[length]) {
        return entry(length, from[length] + code);
      }
      code -= howMany[length];
    }
    return NONE;
  }

  private int entry(int length, int index) {
    return templates[symbols.get(length, index) - first] + length * ONE_BIT;
  }
}
