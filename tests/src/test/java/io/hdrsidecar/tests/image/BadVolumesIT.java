package io.hdrsidecar.tests.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.tests.support.Eventually;
import io.hdrsidecar.tests.support.RequiresDocker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code kubectl logs} shows of a pod whose manifest is wrong: what, where, and the fix. */
@RequiresDocker
final class BadVolumesIT {
  private static final String JOURNAL =
      "HDR_SIDECAR_JOURNAL_DIRECTORY=/var/lib/hdr-sidecar/journal";

  private Pod pod;

  @BeforeEach
  void makePod() throws Exception {
    pod = new Pod();
  }

  @AfterEach
  void removePod() throws Exception {
    pod.remove();
  }

  @Test
  void socketFolder_ofAnotherGroup_isNamedWithUserAndFix() throws Exception {
    pod.inVolume("run", "chown 0:0 /volume && chmod 755 /volume");

    assertThat(pod.failedSidecar())
        .contains("ingest.unix-socket", "cannot be written to", "/run/hdr-sidecar")
        .contains("fsGroup");
  }

  @Test
  void socketFolder_thatIsNoVolume_isNamedWithFix() throws Exception {
    assertThat(pod.failedSidecar("HDR_SIDECAR_INGEST_UNIX_SOCKET=/run/elsewhere/hdr-sidecar.sock"))
        .contains("ingest.unix-socket", "no such folder", "/run/elsewhere")
        .contains("mount");
  }

  /** It serves from memory meanwhile, which is what journal.degrade says, and tries again. */
  @Test
  void journalFolder_ofAnotherGroup_isNamedWithFixUntilItIsMended() throws Exception {
    pod.inVolume("journal", "chown 0:0 /volume && chmod 755 /volume");
    pod.startSidecar(JOURNAL);
    pod.awaitReady();

    Eventually.holds(
        () ->
            assertThat(pod.get("/-/ready"))
                .contains("journal.directory", "/var/lib/hdr-sidecar", "cannot be written to")
                .contains("fsGroup"));
    pod.inVolume("journal", "chown 0:65532 /volume && chmod 2775 /volume");
    Eventually.holds(() -> assertThat(pod.get("/-/ready")).doesNotContain("journal"));
  }

  @Test
  void journalFolder_thatIsNoVolume_isNamedWithFix() throws Exception {
    pod.startSidecar("HDR_SIDECAR_JOURNAL_DIRECTORY=/opt/journal");
    pod.awaitReady();

    Eventually.holds(
        () ->
            assertThat(pod.get("/-/ready"))
                .contains("journal.directory", "/opt/journal", "Read-only file system")
                .contains("mount a writable volume"));
  }

  @Test
  void limits_outOfRange_areNamedAllAtOnce() throws Exception {
    assertThat(
            pod.failedSidecar(
                "HDR_SIDECAR_SERIES_MAX=0",
                "HDR_SIDECAR_HISTORY_MAX_MEMORY=1KiB",
                "HDR_SIDECAR_DRAIN=1h"))
        .contains("HDR_SIDECAR_SERIES_MAX", "HDR_SIDECAR_HISTORY_MAX_MEMORY", "HDR_SIDECAR_DRAIN");
  }
}
