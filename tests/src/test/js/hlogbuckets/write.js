// Records values with hdr-histogram-js and writes an interval log. First argument: a file of lines
// "second tag value", separated by spaces, in the order of seconds and tags; second argument: the
// log; third argument, if given: the histograms are those of WebAssembly.
const fs = require('fs');
const hdr = require('hdr-histogram-js');

const [, , values, log, webAssembly] = process.argv;

function write() {
  let text = '';
  const writer = new hdr.HistogramLogWriter((part) => (text += part));
  writer.outputLogFormatVersion();
  writer.outputStartTime(1700000000000);
  writer.outputLegend();
  let interval;
  let last = '';
  for (const line of fs.readFileSync(values, 'ascii').trim().split('\n')) {
    const [second, tag, value] = line.split(' ');
    if (second + ' ' + tag !== last) {
      if (interval) writer.outputIntervalHistogram(interval);
      interval = hdr.build({
        lowestDiscernibleValue: 1,
        highestTrackableValue: 3600e9,
        numberOfSignificantValueDigits: 3,
        bitBucketSize: 64,
        useWebAssembly: webAssembly !== undefined,
      });
      interval.tag = tag;
      interval.startTimeStampMsec = Number(second) * 1000;
      interval.endTimeStampMsec = (Number(second) + 1) * 1000;
      last = second + ' ' + tag;
    }
    interval.recordValue(Number(value));
  }
  writer.outputIntervalHistogram(interval);
  fs.writeFileSync(log, text);
}

if (webAssembly === undefined) {
  write();
} else {
  hdr.initWebAssembly().then(write);
}
