package io.hdrsidecar.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.testing.JavaProgram;
import java.io.DataInputStream;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class FleetEntryPointTest {
  /** 52 is what Java 8 reads (table 4.1-A of the JVM specification). */
  @Test
  void classFile_isOneThatJava8Reads() throws Exception {
    try (DataInputStream code =
        new DataInputStream(
            Objects.requireNonNull(
                FleetEntryPoint.class.getResourceAsStream("FleetEntryPoint.class")))) {
      assertThat(code.readInt()).isEqualTo(0xCAFEBABE);
      assertThat(code.readUnsignedShort()).as("minor version").isZero();
      assertThat(code.readUnsignedShort()).as("major version").isEqualTo(52);
    }
  }

  /** The program on this Java, which says of itself that it is an older one. */
  static final class OnJavaEleven {
    private OnJavaEleven() {}

    public static void main(String[] args) {
      System.setProperty("java.specification.version", "11");
      System.setProperty("java.version", "11.0.28");
      FleetEntryPoint.main(args);
    }
  }

  @Test
  void main_onAnOlderJava_endsWithTwoAndSaysWhichIsNeeded() throws Exception {
    JavaProgram.Ended ended = JavaProgram.run(List.of(), OnJavaEleven.class, "--help");

    assertThat(ended.output())
        .startsWith("hdr-sidecar-fleet needs Java 17 or newer, this is 11.0.28 (");
    assertThat(ended.exitCode()).isEqualTo(2);
  }

  @Test
  void main_onThisJava_isTheProgram() throws Exception {
    JavaProgram.Ended ended = JavaProgram.run(List.of(), FleetEntryPoint.class, "--help");

    assertThat(ended.output()).startsWith("Usage: hdr-sidecar-fleet ");
    assertThat(ended.exitCode()).isZero();
  }
}
