package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntryPointTest {
  private static final String NAME = EntryPoint.class.getName();

  /** Of our classes it has the entry, and no other. */
  private static final class Alone extends ClassLoader {
    Alone() {
      super(ClassLoader.getPlatformClassLoader());
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      if (!name.equals(NAME)) {
        throw new ClassNotFoundException(name);
      }
      try (InputStream bytes = bytes()) {
        byte[] code = bytes.readAllBytes();
        return defineClass(name, code, 0, code.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private static InputStream bytes() {
    return Objects.requireNonNull(
        EntryPoint.class.getResourceAsStream(EntryPoint.class.getSimpleName() + ".class"));
  }

  @ParameterizedTest
  @CsvSource({"1.8, 1.8.0_442", "11, 11.0.28", "16, 16.0.2"})
  void refusal_ofAnOlderJava_saysWhichIsNeededAndWhichThisIs(String specification, String version) {
    assertThat(EntryPoint.refusal("hdr-sidecar", specification, version, "/opt/java"))
        .isEqualTo("hdr-sidecar needs Java 17 or newer, this is " + version + " (/opt/java)");
  }

  @ParameterizedTest
  @CsvSource({"17, 17.0.1", "25, 25.0.3"})
  void refusal_ofAJavaThatWillDo_isEmpty(String specification, String version) {
    assertThat(EntryPoint.refusal("hdr-sidecar", specification, version, "/opt/java")).isEmpty();
  }

  /** 52 is what Java 8 reads (table 4.1-A of the JVM specification). */
  @Test
  void classFile_isOneThatJava8Reads() throws IOException {
    try (DataInputStream code = new DataInputStream(bytes())) {
      assertThat(code.readInt()).isEqualTo(0xCAFEBABE);
      assertThat(code.readUnsignedShort()).as("minor version").isZero();
      assertThat(code.readUnsignedShort()).as("major version").isEqualTo(52);
    }
  }

  /** Newer classes than it must not be loaded before the check: an older Java refuses them. */
  @Test
  void refusal_whereNoOtherClassOfOursCanBeLoaded_isThere() throws Exception {
    Method refusal =
        new Alone()
            .loadClass(NAME)
            .getDeclaredMethod("refusal", String.class, String.class, String.class, String.class);
    refusal.setAccessible(true);

    assertThat(refusal.invoke(null, "hdr-sidecar", "11", "11.0.28", "/opt/java").toString())
        .contains("this is 11.0.28");
  }
}
