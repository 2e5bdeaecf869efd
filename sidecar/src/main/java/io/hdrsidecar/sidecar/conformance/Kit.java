package io.hdrsidecar.sidecar.conformance;

import io.hdrsidecar.internal.wire.InstanceId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What all cases of a run share. Any thread. */
final class Kit {
  private final List<String> command;
  private final long seed;
  private final Duration limit;
  private final Path folder;
  private final Set<InstanceId> instances = ConcurrentHashMap.newKeySet();
  private final Map<String, KitCertificate> certificates = new HashMap<>();

  /**
   * A run.
   *
   * @param command that starts the client's program
   * @param seed from which all that is random follows
   * @param limit what the client may take in a case
   * @param folder for files
   */
  Kit(List<String> command, long seed, Duration limit, Path folder) {
    this.command = command;
    this.seed = seed;
    this.limit = limit;
    this.folder = folder;
  }

  List<String> command() {
    return command;
  }

  long seed() {
    return seed;
  }

  Duration limit() {
    return limit;
  }

  Path folder() {
    return folder;
  }

  /** Whether no process before had this id. */
  boolean isNew(InstanceId instance) {
    return instances.add(instance);
  }

  /** The certificate of this name, of an authority of its own; made when it is first needed. */
  synchronized KitCertificate certificate(String alternativeName) throws IOException {
    KitCertificate known = certificates.get(alternativeName);
    if (known == null) {
      known = KitCertificate.make(folder, alternativeName);
      certificates.put(alternativeName, known);
    }
    return known;
  }
}
