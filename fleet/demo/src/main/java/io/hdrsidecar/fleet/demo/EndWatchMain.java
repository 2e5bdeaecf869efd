package io.hdrsidecar.fleet.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A program that ends the processes of a fleet when the one that has started them is gone: its
 * input ends then, also by {@code kill -9}, after which nobody else can do anything.
 */
final class EndWatchMain {
  private EndWatchMain() {}

  /** Reads process ids, one a line. */
  public static void main(String[] arguments) throws IOException {
    List<ProcessHandle> watched = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        watched.removeIf(process -> !process.isAlive());
        // It knows when the process began, so another one of that number is left alone.
        ProcessHandle.of(Long.parseLong(line)).ifPresent(watched::add);
      }
    }
    watched.forEach(ProcessHandle::destroyForcibly);
  }
}
