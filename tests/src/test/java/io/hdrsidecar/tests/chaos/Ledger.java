package io.hdrsidecar.tests.chaos;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a {@link Witness} wrote.
 *
 * @param settled of each thread, how many values from its first on were acknowledged
 * @param acknowledged values acknowledged, as the client last said; 0 or more than the above
 * @param mostInFlight most intervals that were in flight at a time
 * @param mostPending most intervals that waited at a time
 * @param lost values the client said it lost, and failures of its loop
 * @param closed whether the client was closed
 * @param undelivered values it then said it had neither delivered nor spilled
 * @param spilled values it then said it had spilled
 */
record Ledger(
    List<Long> settled,
    long acknowledged,
    long mostInFlight,
    long mostPending,
    long lost,
    boolean closed,
    long undelivered,
    long spilled) {

  static Ledger read(Path file) throws IOException {
    List<Long> settled = new ArrayList<>();
    for (int thread = 0; thread < ChaosClient.THREADS; thread++) {
      settled.add(0L);
    }
    long[] health = new long[5];
    long mostPending = 0;
    long mostInFlight = 0;
    boolean closed = false;
    long[] end = new long[2];
    for (String line : wholeLines(file)) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "settled" -> settled = Arrays.stream(numbers(words)).boxed().toList();
        case "health" -> {
          health = numbers(words);
          mostPending = Math.max(mostPending, health[2]);
          mostInFlight = Math.max(mostInFlight, health[3]);
        }
        case "closed" -> {
          closed = true;
          end = numbers(words);
        }
        default -> throw new IOException("unknown line in " + file + ": " + line);
      }
    }
    return new Ledger(
        List.copyOf(settled),
        health[1],
        mostInFlight,
        mostPending,
        health[4],
        closed,
        end[0],
        end[1]);
  }

  private static long[] numbers(String[] words) {
    return Arrays.stream(words).skip(1).mapToLong(Long::parseLong).toArray();
  }

  /** Without a last one that a kill has torn. */
  private static List<String> wholeLines(Path file) throws IOException {
    try {
      String text = Files.readString(file, StandardCharsets.US_ASCII);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (NoSuchFileException e) {
      return List.of(); // killed before it came to write
    }
  }
}
