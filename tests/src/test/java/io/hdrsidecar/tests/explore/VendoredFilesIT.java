package io.hdrsidecar.tests.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.NpmPackages;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The files of others that the explorer brings are what their authors have published. */
final class VendoredFilesIT {
  private static final Path VENDOR =
      Path.of("../sidecar/src/main/resources/io/hdrsidecar/sidecar/explore/vendor");

  @Test
  void vendoredFiles_equalThoseOfTheNpmPackage() throws Exception {
    JsonObject list =
        new JsonObject(Buffer.buffer(Files.readAllBytes(VENDOR.resolve("packages.json"))));
    for (Object each : list.getJsonArray("packages")) {
      JsonObject from = (JsonObject) each;
      Path published = NpmPackages.folderOf(from.getString("name"));
      JsonObject about =
          new JsonObject(Buffer.buffer(Files.readAllBytes(published.resolve("package.json"))));
      assertThat(about.getString("version")).isEqualTo(from.getString("version"));
      assertThat(about.getString("license")).isEqualTo(from.getString("licence"));
      for (Object file : from.getJsonArray("files")) {
        JsonObject pair = (JsonObject) file;
        assertThat(VENDOR.resolve(pair.getString("name")))
            .hasSameBinaryContentAs(published.resolve(pair.getString("published")));
      }
    }
  }
}
