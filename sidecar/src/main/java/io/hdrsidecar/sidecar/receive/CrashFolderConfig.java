package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.sidecar.setting.Setting;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Where what clients record outlives them; need not exist yet. Its variable is the client library's
 * too: in a pod both mean one folder.
 */
public record CrashFolderConfig(
    @Setting(
            key = "crash.folder",
            form = "path; empty for none",
            help =
                "Where clients of this sidecar keep what they record, for when they are killed; in"
                    + " memory, and shared with no other sidecar.")
        Path folder,
    @Setting(
            key = "crash.scan-interval",
            byDefault = "500ms",
            range = "100ms to 1h",
            help = "How often the crash folder is looked into for files of dead clients.")
        Duration scanInterval) {}
