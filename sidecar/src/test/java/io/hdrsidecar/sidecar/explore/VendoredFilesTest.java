package io.hdrsidecar.sidecar.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Every file of somebody else's is named in {@code vendor/packages.json} with its package, version,
 * licence and SHA-256. An integration test compares the same files with the published package.
 */
class VendoredFilesTest {
  private static final String FOLDER = "io/hdrsidecar/sidecar/explore/vendor";
  private static final String LIST = "packages.json";

  @Test
  void vendoredFiles_areThoseListedWithTheirHashes() throws Exception {
    Map<String, String> listed = new TreeMap<>();
    for (Object each : list().getJsonArray("packages")) {
      JsonObject from = (JsonObject) each;
      assertThat(from.getString("version")).isNotEmpty();
      assertThat(from.getString("licence")).isIn("MIT", "Apache-2.0", "BSD-3-Clause", "ISC");
      for (Object file : from.getJsonArray("files")) {
        listed.put(((JsonObject) file).getString("name"), ((JsonObject) file).getString("sha256"));
      }
    }

    Map<String, String> found = new TreeMap<>();
    for (Map.Entry<String, byte[]> file : vendored().entrySet()) {
      if (!file.getKey().equals(LIST)) {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(file.getValue());
        found.put(file.getKey(), HexFormat.of().formatHex(digest));
      }
    }
    assertThat(found).isEqualTo(listed).containsKey("LICENSE");
  }

  private static Map<String, byte[]> vendored() throws IOException {
    return ResourceFolder.read(VendoredFilesTest.class.getClassLoader(), FOLDER, LIST);
  }

  private static JsonObject list() throws IOException {
    return new JsonObject(Buffer.buffer(Objects.requireNonNull(vendored().get(LIST))));
  }
}
