package io.hdrsidecar.tests.agent;

import java.io.IOException;

/** A program that knows nothing of us: says that it runs, and ends when its input does. */
public final class WaitingProgram {
  private WaitingProgram() {}

  public static void main(String[] arguments) throws IOException {
    System.out.println("running");
    int read = System.in.read();
    while (read >= 0) {
      read = System.in.read();
    }
  }
}
