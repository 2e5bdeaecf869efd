package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.setting.Setting;
import java.time.Duration;

/** What the sidecar measures about itself. */
public record SelfConfig(
    @Setting(
            key = "self.hiccups",
            byDefault = "on",
            help =
                "Whether the sidecar measures its own pauses, as the control beside its clients'.")
        boolean hiccups,
    @Setting(
            key = "self.hiccups-resolution",
            byDefault = "10ms",
            range = "1ms to 1s",
            help =
                "Time between two looks for a pause; 1 s once no interval has come for 10 s. Shorter"
                    + " pauses may pass unseen.")
        Duration hiccupsResolution) {}
