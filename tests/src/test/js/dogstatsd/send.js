// Sends values with hot-shots over UDP. Arguments: host, port, and a file of lines "kind value": kind d is a
// distribution, ms a time in milliseconds. Its Unix datagrams need an addon in C, which is not built here.
const fs = require('fs');
const { StatsD } = require('hot-shots');

const client = new StatsD({
  host: process.argv[2],
  port: Number(process.argv[3]),
  globalTags: { env: 'test' },
  maxBufferSize: 1400,
  errorHandler: (error) => {
    console.error(error);
    process.exitCode = 1;
  },
});
for (const line of fs.readFileSync(process.argv[4], 'ascii').trim().split('\n')) {
  const [kind, value] = line.split(' ');
  if (kind === 'd') {
    client.distribution('client.size', Number(value));
  } else {
    client.timing('client.time', Number(value));
  }
}
client.close();
