package io.hdrsidecar.internal.send;

import io.hdrsidecar.internal.spill.SpillFolder;

/**
 * What happens to intervals that cannot be delivered before the end.
 *
 * @param folder where they are written
 * @param picksUp whether what earlier clients have left there is sent
 */
public record SpillConfig(SpillFolder folder, boolean picksUp) {}
