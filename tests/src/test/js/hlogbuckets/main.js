// Prints what hdr-histogram-js reads from interval logs, one bucket a line, summed by tag:
// tag, lowest and highest value of the bucket, count; separated by tabs.
const fs = require('fs');
const hdr = require('hdr-histogram-js');

const BITS_OF_A_COUNTER = 64;
const sums = new Map();
for (const path of process.argv.slice(2)) {
  const reader = new hdr.HistogramLogReader(fs.readFileSync(path, 'latin1'), BITS_OF_A_COUNTER);
  for (let interval = reader.nextIntervalHistogram(); interval; interval = reader.nextIntervalHistogram()) {
    const buckets = sums.get(interval.tag) ?? new Map();
    sums.set(interval.tag, buckets);
    interval.recordedValuesIterator.reset();
    while (interval.recordedValuesIterator.hasNext()) {
      const { valueIteratedTo, countAtValueIteratedTo } = interval.recordedValuesIterator.next();
      const bucket =
        interval.lowestEquivalentValue(valueIteratedTo) + '\t' + interval.highestEquivalentValue(valueIteratedTo);
      buckets.set(bucket, (buckets.get(bucket) ?? 0) + countAtValueIteratedTo);
    }
  }
}
for (const [tag, buckets] of sums) {
  for (const [bucket, count] of buckets) {
    console.log(tag + '\t' + bucket + '\t' + count);
  }
}
