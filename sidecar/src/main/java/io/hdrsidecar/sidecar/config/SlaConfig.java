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
            help = "Whether sla.file must be there; off: there are no rules while it is not.",
            reloadable = true)
        boolean required) {
  static final String FILE = "sla.file";
  static final String REQUIRED = "sla.required";
}
