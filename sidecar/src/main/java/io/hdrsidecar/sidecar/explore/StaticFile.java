package io.hdrsidecar.sidecar.explore;

import io.vertx.core.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file in the forms in which it is sent.
 *
 * @param contentType as the header says it
 * @param plain its bytes
 * @param gzipped the same compressed; null when that saves nothing
 */
record StaticFile(String contentType, Form plain, @Nullable Form gzipped) {
  /**
   * Bytes as sent.
   *
   * @param etag in quotes; each form has one of its own, as a strong one must
   */
  record Form(Buffer bytes, String etag) {}

  private static final Map<String, String> CONTENT_TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "json", "application/json",
          "md", "text/markdown; charset=utf-8",
          "txt", "text/plain; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "woff2", "font/woff2");

  /** 64 bits tell the versions of one file apart. */
  private static final int ETAG_BYTES = 8;

  /**
   * Compresses a file as far as it goes: that is done once.
   *
   * @param name path; what follows the last dot tells the content type, a name without is text
   * @throws IllegalArgumentException when it tells none
   */
  static StaticFile of(String name, byte[] content) {
    String file = name.substring(name.lastIndexOf('/') + 1);
    String ending = file.contains(".") ? file.substring(file.lastIndexOf('.') + 1) : "txt";
    String contentType = CONTENT_TYPES.get(ending);
    if (contentType == null) {
      throw new IllegalArgumentException("no content type is known for " + name);
    }
    String hash = hash(content);
    byte[] gzip = gzip(content);
    return new StaticFile(
        contentType,
        new Form(Buffer.buffer(content), '"' + hash + '"'),
        gzip.length < content.length
            ? new Form(Buffer.buffer(gzip), '"' + hash + "-gzip\"")
            : null);
  }

  private static String hash(byte[] content) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(content);
      return HexFormat.of().formatHex(digest, 0, ETAG_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JVM has SHA-256", e);
    }
  }

  private static byte[] gzip(byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out =
        new GZIPOutputStream(bytes) {
          {
            def.setLevel(Deflater.BEST_COMPRESSION);
          }
        }) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
