// What is declared by hand is what is there. Compiled, not run.

import type * as declared from 'hdr-sidecar';
import client = require('../../lib/client');
import http = require('../../lib/http');
import schedule = require('../../lib/schedule');

export const Client: typeof declared.Client = client.Client;
export const ScheduledRecorder: typeof declared.ScheduledRecorder = schedule.ScheduledRecorder;
export const fixedRate: typeof declared.Schedule.fixedRate = schedule.Schedule.fixedRate;
export const poisson: typeof declared.Schedule.poisson = schedule.Schedule.poisson;
export const latencyMiddleware: typeof declared.latencyMiddleware = http.latencyMiddleware;
export const fastifyLatency: typeof declared.fastifyLatency = http.fastifyLatency;
