package io.hdrsidecar.sidecar.upstream;

import java.io.IOException;

/** A ledger in memory, of which the next sender begins as after a kill; it can fail as told. */
final class NotedLedger implements UpstreamLedger {
  private State state;
  private boolean failing;

  NotedLedger() {
    this.state = State.nothing(0);
  }

  synchronized void fail(boolean all) {
    failing = all;
  }

  /** As a process finds it that starts now. */
  synchronized State state() {
    return state;
  }

  private void check() throws IOException {
    if (failing) {
      throw new IOException("the disk is full");
    }
  }

  @Override
  public synchronized void replace(State now) throws IOException {
    check();
    state = now;
  }

  @Override
  public synchronized void sending(long sequence) throws IOException {
    check();
    state = new State(state.instance(), state.position(), sequence, state.intervals());
  }

  @Override
  public synchronized void settled(long sequence) throws IOException {
    check();
    state =
        new State(
            state.instance(),
            state.position(),
            state.lastSent(),
            state.intervals().stream().filter(i -> i.sequence() > sequence).toList());
  }
}
