package io.hdrsidecar.internal.crash;

import io.hdrsidecar.internal.spill.SpillFolder;

/**
 * Where crash files lie: a folder in memory, which a sidecar shares.
 *
 * @param folder the same rules as for spilled files hold for processes that leave one here
 * @param maxBytes longest file of a client
 */
public record CrashFolder(SpillFolder folder, int maxBytes) {}
