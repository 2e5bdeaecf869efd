package io.hdrsidecar.sidecar.statsd;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables as a Linux kernel wrote them, with other numbers of drops. */
class KernelDropsTest {
  private static final String HEAD =
      "   sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout"
          + " inode ref pointer drops            \n";
  private static final String ROW =
      " 1234: %s 00000000:0000 07 00000000:00000000 00:00000000 00000000     0        0 71273 2"
          + " 00000000a3d0e1c5 %d           \n";
  private static final String ROW_OF_SIX =
      " 1234: %s 00000000000000000000000000000000:0000 07 00000000:00000000 00:00000000 00000000 "
          + "    0        0 71273 2 00000000a3d0e1c5 %d\n";

  private final Path four;
  private final Path six;

  KernelDropsTest(@TempDir Path folder) {
    four = folder.resolve("udp");
    six = folder.resolve("udp6");
  }

  @Test
  void more_rowsOfTheSocketAlone_areCountedOnce() throws Exception {
    KernelDrops drops = dropsOf("127.0.0.1", 8125);
    write(ROW.formatted("0100007F:1FBD", 7) + ROW.formatted("0100007F:1FBE", 1000), "");

    assertThat(drops.more()).isEqualTo(7);
    assertThat(drops.more()).isZero();

    write(ROW.formatted("0100007F:1FBD", 12) + ROW.formatted("0200007F:1FBD", 1000), "");
    assertThat(drops.more()).isEqualTo(5);
  }

  /** As Java opens it: an address of four bytes within one of sixteen. */
  @Test
  void more_aSocketOfBothFamilies_isFoundInTheOtherTable() throws Exception {
    KernelDrops drops = dropsOf("127.0.0.1", 8125);
    write("", ROW_OF_SIX.formatted("0000000000000000FFFF00000100007F:1FBD", 3));

    assertThat(drops.more()).isEqualTo(3);
  }

  @Test
  void more_anAddressOfSixteenBytes_isFound() throws Exception {
    KernelDrops drops = dropsOf("::1", 9125);
    write("", ROW_OF_SIX.formatted("00000000000000000000000001000000:23A5", 4));

    assertThat(drops.more()).isEqualTo(4);
  }

  @Test
  void more_allAddresses_areZeroes() throws Exception {
    KernelDrops drops = dropsOf("0.0.0.0", 8125);
    write(ROW.formatted("00000000:1FBD", 9), "");

    assertThat(drops.more()).isEqualTo(9);
  }

  private KernelDrops dropsOf(String host, int port) throws IOException {
    return new KernelDrops(
        new InetSocketAddress(InetAddress.getByName(host), port), List.of(four, six));
  }

  private void write(String rows, String rowsOfSix) throws IOException {
    Files.writeString(four, HEAD + rows);
    Files.writeString(six, HEAD + rowsOfSix);
  }
}
