package io.hdrsidecar.sidecar.otlp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which stream a cumulative point belongs to: 128 bits of a hash over resource, scope, metric and
 * attributes. Nobody finds two streams with one hash, and it takes 16 bytes where the attributes
 * take hundreds.
 */
record StreamId(long high, long low) {
  /** Makes them. One thread at a time. */
  static final class Maker {
    private final MessageDigest digest;

    Maker() {
      try {
        digest = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("each Java has SHA-256", e);
      }
    }

    /**
     * Of all that tells a stream.
     *
     * @param texts name, unit, scope and kind
     * @param attributes of resource, scope and point, a list each; in any order
     */
    StreamId of(List<String> texts, List<List<Attribute>> attributes) {
      for (String text : texts) {
        add(text);
      }
      for (List<Attribute> each : attributes) {
        List<Attribute> sorted = new ArrayList<>(each);
        sorted.sort(Comparator.comparing(Attribute::key).thenComparing(Attribute::value));
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, sorted.size()));
        for (Attribute attribute : sorted) {
          add(attribute.key());
          add(attribute.value());
        }
      }
      ByteBuffer hash = ByteBuffer.wrap(digest.digest());
      return new StreamId(hash.getLong(), hash.getLong());
    }

    private void add(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      digest.update(bytes);
    }
  }
}
