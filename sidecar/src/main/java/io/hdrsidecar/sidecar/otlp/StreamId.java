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
     * Of a resource, or what belongs to one: many points share it, so it is made once for all.
     *
     * @param owner that of what it belongs to; empty for a resource
     * @param attributes in any order
     */
    byte[] of(byte[] owner, List<Attribute> attributes, String... texts) {
      digest.update(owner);
      for (String text : texts) {
        add(text);
      }
      List<Attribute> sorted = new ArrayList<>(attributes);
      sorted.sort(Comparator.comparing(Attribute::key).thenComparing(Attribute::value));
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, sorted.size()));
      for (Attribute attribute : sorted) {
        add(attribute.key());
        add(attribute.value());
      }
      return digest.digest();
    }

    /**
     * Of a point.
     *
     * @param metric what {@link #of(byte[], List, String...)} gave
     */
    StreamId of(byte[] metric, List<Attribute> attributes) {
      ByteBuffer hash = ByteBuffer.wrap(of(metric, attributes, new String[0]));
      return new StreamId(hash.getLong(), hash.getLong());
    }

    private void add(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
      digest.update(bytes);
    }
  }
}
