package io.hdrsidecar.sidecar.upstream;

import io.hdrsidecar.internal.send.SendConfig;
import io.hdrsidecar.internal.wire.InstanceId;
import io.hdrsidecar.series.Labels;
import java.lang.System.Logger;
import java.util.List;
import java.util.function.Consumer;

/**
 * Settings of a sender.
 *
 * @param send as for every sender; its interval is the time between batches
 * @param resource where the sidecar runs
 * @param sidecar what this sidecar is called among those that values pass
 * @param onPath told of the sidecars above, whenever one answers
 * @param logger for changes of state
 */
record UpstreamSenderConfig(
    SendConfig send,
    Labels resource,
    InstanceId sidecar,
    Consumer<List<InstanceId>> onPath,
    Logger logger) {}
