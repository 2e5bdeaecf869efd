package io.hdrsidecar.fleet.route;

import io.hdrsidecar.sidecar.history.HistoryExtent;
import io.hdrsidecar.sidecar.query.QueryException;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;

/**
 * The head of an answer, {@link PeerAnswer}, and what is behind it, not read yet.
 *
 * @param name of the node, for people
 * @param partitions those that it tells of
 * @param trouble why these are not all that it should have; may be empty
 */
record PeerAnswerHead(
    String name,
    Set<Integer> partitions,
    String trouble,
    HistoryExtent extent,
    DataInputStream rest) {
  private static final int MAX_TROUBLE = 4096;

  /**
   * Reads a head.
   *
   * @param partitions of the fleet
   * @throws MalformedPeerException when it is none, or that of another fleet
   */
  static PeerAnswerHead read(String name, InputStream bytes, int partitions) {
    DataInputStream in = new DataInputStream(bytes);
    try {
      int magic = in.readInt();
      if (magic != PeerAnswer.MAGIC) {
        throw new MalformedPeerException(
            name
                + " must begin with %08x, as of this version: %08x"
                    .formatted(PeerAnswer.MAGIC, magic));
      }
      int theirs = in.readUnsignedShort();
      if (theirs != partitions) {
        throw new MalformedPeerException(
            name + " must have " + partitions + " partitions in all: " + theirs);
      }
      Set<Integer> held = new HashSet<>();
      for (int left = in.readUnsignedShort(); left > 0; left--) {
        held.add(in.readUnsignedShort());
      }
      String trouble = PeerText.text(in, MAX_TROUBLE);
      long from = in.readLong();
      return new PeerAnswerHead(name, held, trouble, new HistoryExtent(from, in.readLong()), in);
    } catch (IOException e) {
      throw new MalformedPeerException(name + ": " + ended(e));
    }
  }

  private static String ended(IOException e) {
    return e.getMessage() == null ? "the answer ends early" : e.getMessage();
  }

  /** The least of its partitions; more than any for none. */
  int firstPartition() {
    return partitions.stream().mapToInt(Integer::intValue).min().orElse(Integer.MAX_VALUE);
  }

  /** Adds the series. */
  void addTo(GatheredSeries into) throws QueryException {
    try {
      into.reaches(extent.fromMillis(), extent.toMillis());
      into.add(rest);
    } catch (IOException e) {
      throw new MalformedPeerException(name + ": " + ended(e));
    } catch (MalformedPeerException e) {
      throw new MalformedPeerException(name + ": " + e.getMessage());
    }
  }
}
