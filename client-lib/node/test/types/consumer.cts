// What a project in TypeScript with CommonJS writes. Compiled, not run.

import hdrSidecar = require('hdr-sidecar');
import { Client } from 'hdr-sidecar';

const client: Client = new hdrSidecar.Client();
client.recorder('calls').record(7);
void client.close().then(({ undeliveredValues }) => undeliveredValues + 1);
