// The same objects as for `require`, so that there is one list of clients in a process.
import hdrSidecar from './index.js';

export const { Client, Schedule, ScheduledRecorder, fastifyLatency, latencyMiddleware } = hdrSidecar;
