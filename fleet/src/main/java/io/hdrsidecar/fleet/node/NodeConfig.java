package io.hdrsidecar.fleet.node;

import io.hdrsidecar.fleet.kafka.KafkaConfig;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SizeOrShare;
import java.nio.file.Path;
import java.time.Duration;

/**
 * What is configured of merging.
 *
 * @param kafka where the brokers are
 */
public record NodeConfig(
    KafkaConfig kafka,
    @Setting(
            key = "node.state-directory",
            byDefault = "hdr-fleet-state",
            form = "folder",
            help =
                "Where the stores are. The brokers can restore what is lost there, which takes time.")
        Path stateDirectory,
    @Setting(
            key = "node.threads",
            byDefault = "1",
            range = "1 to 64",
            help = "Threads that merge; a partition belongs to one of them.")
        int threads,
    @Setting(
            key = "node.standby-replicas",
            byDefault = "1",
            range = "0 to 4",
            help = "How many other nodes keep a copy of a partition's stores, to take over soon.")
        int standbyReplicas,
    @Setting(
            key = "node.commit-interval",
            byDefault = "10s",
            range = "100ms to 30s",
            help = "How often what was merged is committed, and then shown.")
        Duration commitInterval,
    @Setting(
            key = "node.step-retention",
            byDefault = "6h",
            range = "0s to 365d",
            help = "How long the past is kept, in steps; 0s for not at all.")
        Duration stepRetention,
    @Setting(
            key = "node.short-steps",
            byDefault = "30m",
            range = "1m to 7d",
            help = "After which time steps of 10 s are added up to steps of 1 min.")
        Duration shortSteps,
    @Setting(
            key = "node.late-after",
            byDefault = "1m",
            range = "1s to 365d",
            help = "How long after its end an interval may come before it counts as late.")
        Duration lateAfter,
    @Setting(
            key = "node.instance-memory",
            byDefault = "24h",
            range = "13h to 365d",
            help = "How long the numbers of a sidecar that sends nothing are remembered.")
        Duration instanceMemory,
    @Setting(
            key = "node.pending-memory",
            byDefault = "10%",
            form = "size, 1MiB to 1024GiB, or 1% to 90% of the heap (-Xmx) beyond 12 MiB",
            help = "Memory of what is merged and not committed; with more, a commit comes early.",
            parser = SizeOrShare.class)
        long pendingBytes,
    @Setting(
            key = "node.store-memory",
            byDefault = "64MiB",
            range = "8MiB to 64GiB",
            help = "Memory of all stores together, beside the heap.")
        long storeBytes) {}
