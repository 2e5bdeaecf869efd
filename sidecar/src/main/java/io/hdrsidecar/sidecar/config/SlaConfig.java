package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.setting.Setting;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Where the rules of service level agreements stand. */
record SlaConfig(
    @Setting(
            key = SlaConfig.FILE,
            form = "YAML file; empty for none",
            help = "Rules of service level agreements; read again on reload.",
            reloadable = true)
        @Nullable Path file,
    @Setting(
            key = SlaConfig.REQUIRED,
            byDefault = "on",
            help = "Whether the start needs sla.file and its rules; off: it goes on without them.",
            reloadable = true)
        boolean required) {
  static final String FILE = "sla.file";
  static final String REQUIRED = "sla.required";
}
