package io.hdrsidecar.fleet.route;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Texts and other bytes with their length in front, as nodes send them. */
final class PeerText {
  private PeerText() {}

  static void write(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static void write(String text, DataOutputStream out) throws IOException {
    write(text.getBytes(StandardCharsets.UTF_8), out);
  }

  /** Reads bytes; the length is checked before there is memory for them. */
  static byte[] bytes(DataInputStream in, int most) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > most) {
      throw new IOException("a length must be 0 to " + most + ": " + length);
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  static String text(DataInputStream in, int most) throws IOException {
    return new String(bytes(in, most), StandardCharsets.UTF_8);
  }
}
