'use strict';

const { Client } = require('./lib/client');
const { fastifyLatency, latencyMiddleware } = require('./lib/http');
const { Schedule, ScheduledRecorder } = require('./lib/schedule');

module.exports = { Client, Schedule, ScheduledRecorder, fastifyLatency, latencyMiddleware };
