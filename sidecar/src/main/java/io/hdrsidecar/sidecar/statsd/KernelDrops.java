package io.hdrsidecar.sidecar.statsd;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What the kernel says that it has dropped of the datagrams for a UDP socket, because its receive
 * buffer was full: the last column of {@code /proc/net/udp} and {@code /proc/net/udp6}. One thread
 * at a time.
 */
final class KernelDrops {
  private static final int ADDRESS = 1;
  private static final int DROPS = 12;
  private static final String ANY = "0".repeat(8);
  private static final String ANY_OF_SIX = "0".repeat(32);
  private static final String FOUR_IN_SIX = "0".repeat(16) + "FFFF0000";

  private final List<Path> tables;
  private final Set<String> addresses;
  private long last;

  /**
   * For the socket that is bound there.
   *
   * @param tables files of the form of {@code /proc/net/udp}
   */
  KernelDrops(InetSocketAddress bound, List<Path> tables) {
    this.tables = List.copyOf(tables);
    this.addresses = addresses(bound.getAddress(), bound.getPort());
  }

  /** The same by this machine's tables. */
  static KernelDrops of(InetSocketAddress bound) {
    return new KernelDrops(bound, List.of(Path.of("/proc/net/udp"), Path.of("/proc/net/udp6")));
  }

  /** As the kernel writes it: words of 4 bytes, the first byte of each behind the others. */
  private static Set<String> addresses(InetAddress address, int port) {
    Set<String> written = new HashSet<>();
    if (address.isAnyLocalAddress()) {
      written.addAll(Set.of(ANY, ANY_OF_SIX));
    } else {
      String words = words(address.getAddress());
      written.add(words);
      if (address instanceof Inet4Address) {
        written.add(FOUR_IN_SIX + words);
      }
    }
    Set<String> withPort = new HashSet<>();
    written.forEach(a -> withPort.add(a + String.format(Locale.ROOT, ":%04X", port)));
    return withPort;
  }

  private static String words(byte[] address) {
    StringBuilder text = new StringBuilder();
    for (int word = 0; word < address.length; word += 4) {
      for (int i = 3; i >= 0; i--) {
        text.append(String.format(Locale.ROOT, "%02X", address[word + i]));
      }
    }
    return text.toString();
  }

  /**
   * How many more there are since the last call. Reads a file that the kernel makes up.
   *
   * @throws IOException when there is no such table, as on other systems than Linux
   */
  long more() throws IOException {
    long now = 0;
    for (Path table : tables) {
      now += dropsIn(table);
    }
    long more = Math.max(0, now - last);
    last = now;
    return more;
  }

  private long dropsIn(Path table) throws IOException {
    long drops = 0;
    try (BufferedReader lines = Files.newBufferedReader(table, StandardCharsets.US_ASCII)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] columns = line.strip().split("\\s+", -1);
        if (columns.length > DROPS && addresses.contains(columns[ADDRESS])) {
          drops += Long.parseLong(columns[DROPS]);
        }
      }
    }
    return drops;
  }

  @Override
  public String toString() {
    return Arrays.toString(addresses.toArray());
  }
}
