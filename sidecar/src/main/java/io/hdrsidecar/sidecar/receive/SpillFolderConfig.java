package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.setting.Setting;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where clients leave what they could not deliver before they ended; need not exist yet. Its
 * variable is the client library's too: in a pod both mean one folder.
 */
public record SpillFolderConfig(
    @Setting(
            key = "spill.folder",
            form = "path; empty for none",
            help =
                "Where clients of this sidecar leave what they could not deliver; shared with no"
                    + " other sidecar.")
        Path folder,
    @Setting(
            key = "spill.scan-interval",
            byDefault = "5s",
            range = "100ms to 1h",
            help = "How often the spill folder is looked into.")
        Duration scanInterval) {}
