package io.hdrsidecar.internal.journal;

/**
 * What reading one file may take, whatever is in it.
 *
 * @param maxLineBytes longest line that is held; a longer one is cut, and damaged
 * @param maxDefinitionBytes memory, as estimated, for definitions of series and instances; those
 *     above it are damaged
 */
public record ReadLimits(int maxLineBytes, long maxDefinitionBytes) {
  /** For files that nobody else can write. */
  static final ReadLimits OF_OUR_OWN = new ReadLimits(64 << 20, Long.MAX_VALUE);

  /** Checks that both are positive; throws IllegalArgumentException. */
  public ReadLimits {
    if (maxLineBytes < 1 || maxDefinitionBytes < 1) {
      throw new IllegalArgumentException(
          "limits must be 1 or more: " + maxLineBytes + ", " + maxDefinitionBytes);
    }
  }
}
