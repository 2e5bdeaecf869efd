package io.hdrsidecar.sidecar.inflate;

/**
 * The two codes of a deflated block (RFC 1951, sections 3.2.5 to 3.2.7): of literals and lengths,
 * and of distances.
 */
final class BlockCodes {
  private static final int LITERALS = 288;
  private static final int DISTANCES = 32;
  private static final int MOST_LITERALS = 286;
  private static final int MOST_DISTANCES = 30;
  private static final int END_OF_BLOCK = 256;
  private static final int LENGTH_SYMBOLS = 19;

  /** In which order the lengths of the code of the lengths come. */
  private static final int[] ORDER = {
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
  };

  /** In entries of the code of lengths: the length itself, and a mask that keeps the last one. */
  private static final int VALUE_SHIFT = 24;

  private static final int KEEP_SHIFT = 28;
  private static final int[] LENGTH_TEMPLATES = lengthTemplates();
  private static final int[] LITERAL_TEMPLATES = literalTemplates();
  private static final int[] DISTANCE_TEMPLATES = distanceTemplates();

  /** Where lists begin. */
  private static final int[] NO_INDEXES = new int[SymbolLists.LENGTHS];

  private final SymbolLists symbols = new SymbolLists();
  private final int[] split = new int[SymbolLists.LENGTHS];
  private final PrefixCode lengths = new PrefixCode(LENGTH_TEMPLATES, symbols, 7);
  final PrefixCode literals = new PrefixCode(LITERAL_TEMPLATES, symbols, 15);
  final PrefixCode distances = new PrefixCode(DISTANCE_TEMPLATES, symbols, 15);

  private static int[] literalTemplates() {
    int[] templates = new int[LITERALS];
    for (int i = 0; i < END_OF_BLOCK; i++) {
      templates[i] = PrefixCode.LITERAL | i << 16;
    }
    templates[END_OF_BLOCK] = PrefixCode.SPECIAL | PrefixCode.END;
    int base = 3;
    for (int i = 0; i < 28; i++) {
      int extra = Math.max(i / 4 - 1, 0);
      templates[END_OF_BLOCK + 1 + i] = base << 16 | extra;
      base += 1 << extra;
    }
    templates[285] = 258 << 16;
    templates[286] = PrefixCode.NONE;
    templates[287] = PrefixCode.NONE;
    return templates;
  }

  private static int[] distanceTemplates() {
    int[] templates = new int[DISTANCES];
    int base = 1;
    for (int i = 0; i < MOST_DISTANCES; i++) {
      int extra = Math.max(i / 2 - 1, 0);
      templates[i] = base << 16 | extra;
      base += 1 << extra;
    }
    templates[30] = PrefixCode.NONE;
    templates[31] = PrefixCode.NONE;
    return templates;
  }

  private static int[] lengthTemplates() {
    int[] templates = new int[LENGTH_SYMBOLS];
    for (int i = 0; i < SymbolLists.LENGTHS; i++) {
      templates[i] = i << VALUE_SHIFT | 1 << 16;
    }
    templates[16] = 0xf << KEEP_SHIFT | 3 << 16 | 2;
    templates[17] = 3 << 16 | 3;
    templates[18] = 11 << 16 | 7;
    return templates;
  }

  /** The codes of a block that brings none. */
  static BlockCodes fixed() {
    BlockCodes fixed = new BlockCodes();
    for (int i = 0; i < LITERALS; i++) {
      fixed.symbols.append(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8, i, 1);
    }
    for (int i = 0; i < DISTANCES; i++) {
      fixed.symbols.append(5, LITERALS + i, 1);
    }
    fixed.build(LITERALS);
    return fixed;
  }

  /**
   * Reads the codes that a block brings, and returns whether they are as they must be. Nobody looks
   * for the end of the block among the symbols: a block without one has no end.
   */
  boolean read(BitInput in) {
    in.refill();
    int literalLengths = in.take(5) + 257;
    int distanceLengths = in.take(5) + 1;
    int lengthLengths = in.take(4) + 4;
    return literalLengths <= MOST_LITERALS
        && distanceLengths <= MOST_DISTANCES
        && readLengthCode(in, lengthLengths)
        && readSymbols(in, literalLengths + distanceLengths)
        && build(literalLengths);
  }

  private boolean build(int literalLengths) {
    for (int length = 1; length < SymbolLists.LENGTHS; length++) {
      split[length] = symbols.below(literalLengths, length);
    }
    return literals.build(0, NO_INDEXES, split)
        && distances.build(literalLengths, split, symbols.howMany);
  }

  /** Reads the code in which the lengths of all others are written. */
  private boolean readLengthCode(BitInput in, int howMany) {
    long all = 0;
    for (int i = 0; i < howMany; i++) {
      if (i % 16 == 0) {
        in.refill();
      }
      all |= (long) in.take(3) << (3 * ORDER[i]);
    }
    symbols.clear();
    for (int i = 0; i < LENGTH_SYMBOLS; i++) {
      symbols.append((int) (all >>> (3 * i)) & 7, i, 1);
    }
    return lengths.build(0, NO_INDEXES, symbols.howMany) && lengths.isComplete();
  }

  /**
   * Reads the lengths of all symbols and lists those that have any. There is nothing to decide for
   * each: an entry says how often which length comes, or that it is the last one again.
   *
   * @return whether the lengths end where they should
   */
  private boolean readSymbols(BitInput in, int howMany) {
    in.refill();
    symbols.clear();
    int[] table = lengths.table;
    int mask = lengths.mask;
    byte[] bytes = in.bytes;
    long buffer = in.buffer;
    int bits = in.bits;
    int position = in.position;
    int entry = table[(int) buffer & mask];
    if (entry >>> KEEP_SHIFT != 0) {
      return false; // There is nothing yet that could come again.
    }
    int last = 0;
    int symbol = 0;
    while (symbol < howMany) {
      int times = (entry >>> 16 & 0xf) + (int) ((buffer & ~(-1L << entry)) >>> (entry >>> 8 & 0xf));
      last = (last & (entry >>> KEEP_SHIFT)) | ((entry >>> VALUE_SHIFT) & 0xf);
      buffer >>>= entry;
      bits -= entry & 63;
      // The next entry first, then more bits: neither has to wait for the other.
      entry = table[(int) buffer & mask];
      buffer |= BitInput.longAt(bytes, position) << bits;
      position += (63 - bits) >>> 3;
      bits |= 56;
      symbols.append(last, symbol, times);
      symbol += times;
    }
    in.put(buffer, bits, position);
    return symbol == howMany;
  }
}
