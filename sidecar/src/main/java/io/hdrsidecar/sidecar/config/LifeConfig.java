package io.hdrsidecar.sidecar.config;

import java.time.Duration;

/**
 * How the process ends and changes.
 *
 * @param drain how long an orderly end may take for clients to finish, half of it, and for one more
 *     scrape; zero ends at once
 * @param reload whether the configuration can be read again while running
 * @param reloadInterval how often its files are looked at for changes; zero for never
 */
public record LifeConfig(Duration drain, boolean reload, Duration reloadInterval) {}
