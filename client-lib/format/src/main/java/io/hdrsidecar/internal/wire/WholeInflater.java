package io.hdrsidecar.internal.wire;

/**
 * Inflates whole zlib streams (RFC 1950) faster than {@link java.util.zip.Inflater}, which {@link
 * HistogramDecoder} asks for all that is not inflated here. It is apart from the decoder so that
 * only programs that decode all the time have to load one; clients have none.
 *
 * <p>One thread at a time.
 */
public interface WholeInflater {
  /** Not inflated: damaged, unusual, or without room for it. */
  int NOT_INFLATED = -1;

  /** So many bytes of room there must be behind what is inflated, for checks after the fact. */
  int SPARE_BYTES = 280;

  /**
   * Inflates a stream from a part of an array; what follows it within that part is ignored. What is
   * inflated is what {@link java.util.zip.Inflater} makes of it, its Adler-32 compared.
   *
   * @param into its contents are undefined if nothing is inflated
   * @return how many bytes there are now, from the first one on, or {@link #NOT_INFLATED}
   */
  int inflate(byte[] source, int from, int to, byte[] into);
}
