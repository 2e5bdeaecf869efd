package io.hdrsidecar.sidecar.upstream;

/** The last batch and the goodbye of a sender, until a deadline. The thread that turns. */
final class UpstreamEnd {
  private long deadline;
  private boolean asked;
  private boolean goodbye;

  /** By this time of the ticker. */
  UpstreamEnd(long deadline) {
    this.deadline = deadline;
  }

  long deadline() {
    return deadline;
  }

  /** Whether the last batch was asked for. */
  boolean isAsked() {
    return asked;
  }

  void asked() {
    asked = true;
  }

  boolean hasSaidGoodbye() {
    return goodbye;
  }

  /** The other side closes; one that does not is not waited for. */
  void saidGoodbye(long until) {
    goodbye = true;
    deadline = deadline - until < 0 ? deadline : until;
  }
}
