"""Prints what Python's hdrhistogram reads from interval logs, one bucket a line, summed by tag:
tag, lowest and highest value of the bucket, count; separated by tabs."""
import sys
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogReader

sums = {}
for path in sys.argv[1:]:
    reader = HistogramLogReader(path, HdrHistogram(1, 3600 * 10**9, 3))
    while True:
        interval = reader.get_next_interval_histogram()
        if interval is None:
            break
        buckets = sums.setdefault(interval.get_tag(), {})
        for item in interval.get_recorded_iterator():
            value = item.value_iterated_to
            key = (interval.get_lowest_equivalent_value(value), interval.get_highest_equivalent_value(value))
            buckets[key] = buckets.get(key, 0) + item.count_at_value_iterated_to
    reader.close()
for tag in sorted(sums):
    for lowest, highest in sorted(sums[tag]):
        print(tag, lowest, highest, sums[tag][lowest, highest], sep="\t")
