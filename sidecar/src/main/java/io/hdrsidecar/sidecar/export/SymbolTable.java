package io.hdrsidecar.sidecar.export;

import io.hdrsidecar.sidecar.memory.HeapClaim;
import io.hdrsidecar.sidecar.otlp.WireReader;
import io.hdrsidecar.sidecar.otlp.WireWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** The texts of a request of remote write, each once, by number. One thread at a time. */
final class SymbolTable {
  /** A place in the map, with its number. */
  private static final int ENTRY_BYTES = 64;

  private final int field;
  private final HeapClaim claim;
  private final WireWriter out;
  private final Map<String, Integer> numbers = new HashMap<>();
  private int mostNumbers;

  /**
   * One that is written as this field of a request.
   *
   * @param claim what it holds is taken from
   */
  SymbolTable(int field, HeapClaim claim) {
    this.field = field;
    this.claim = claim;
    this.out = new WireWriter(claim);
  }

  /** Forgets all texts but the empty one, which has the number 0. */
  void clear() {
    numbers.clear();
    out.clear();
    number("");
  }

  /** The number of a text. */
  int number(String text) {
    Integer known = numbers.get(text);
    if (known != null) {
      return known;
    }
    if (numbers.size() == mostNumbers) {
      claim.grow(ENTRY_BYTES);
      mostNumbers++;
    }
    int number = numbers.size();
    numbers.put(text, number);
    out.tag(field, WireReader.BYTES);
    out.sized(text.getBytes(StandardCharsets.UTF_8));
    return number;
  }

  /** Bytes of all of them, as written. */
  int size() {
    return out.size();
  }

  /** How many there are. */
  int count() {
    return numbers.size();
  }

  /** Hands what was written to a stream. */
  void writeTo(OutputStream stream) throws IOException {
    out.writeTo(stream);
  }
}
