package io.hdrsidecar.sidecar.upstream;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The frames of an outbox cannot be read, but its header can. */
final class DamagedOutboxException extends IOException {
  private static final long serialVersionUID = 1;

  private final long position;
  private final long values;

  /**
   * Says what is known.
   *
   * @param position of the journal, up to which values were in the outbox
   * @param values in the frames before the damage
   */
  DamagedOutboxException(long position, long values, @Nullable String why) {
    super(Outbox.NAME + " is damaged: " + why);
    this.position = position;
    this.values = values;
  }

  long position() {
    return position;
  }

  long values() {
    return values;
  }
}
