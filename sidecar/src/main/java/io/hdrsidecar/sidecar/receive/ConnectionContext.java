package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.internal.wire.FrameEncoder;
import io.hdrsidecar.internal.wire.IntervalFrame;
import io.hdrsidecar.sidecar.memory.HeapShare;
import io.hdrsidecar.sidecar.merge.IntervalLog;
import java.util.function.LongSupplier;

/**
 * The parts that the connections of one server share; all of it belongs to the merge context, which
 * makes sharing the encoder and the flyweight safe: no connection leaves them half used.
 *
 * @param sink where intervals go
 * @param rejects counts what is refused
 * @param room what connections and their unfinished frames may hold
 * @param clients what their common labels may take
 * @param idBudget how many series ids there may be in all
 * @param resources what is kept of where sidecars below run
 * @param path the sidecars that values pass from here on
 * @param nanoTime monotonic
 * @param holdAll reads nothing more from any client until the journal has room
 */
record ConnectionContext(
    ReceiveLimits limits,
    IntervalSink sink,
    RejectLog rejects,
    Instances instances,
    ClientHealthStore health,
    ReceiveCounters counters,
    IntervalReceiver receiver,
    IntervalLog log,
    DurableAnswers answers,
    FrameRoom room,
    HeapShare clients,
    IdBudget idBudget,
    IntervalFrame interval,
    FrameEncoder encoder,
    ResourceConfig resources,
    SidecarPath path,
    LongSupplier nanoTime,
    Runnable holdAll) {}
