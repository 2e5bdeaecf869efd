"""Records values with Python's hdrhistogram and writes an interval log. First argument: a file of
lines "second tag value", separated by spaces, in the order of seconds and tags; second argument: the
log. Its writer has no tags, so lines differ by their times alone."""
import itertools
import sys
from hdrh.histogram import HdrHistogram
from hdrh.log import HistogramLogWriter

with open(sys.argv[1], encoding="ascii") as values, open(sys.argv[2], "w", encoding="ascii") as log:
    writer = HistogramLogWriter(log)
    writer.output_log_format_version()
    writer.output_legend()
    lines = (line.split() for line in values)
    for (second, _), group in itertools.groupby(lines, key=lambda fields: (fields[0], fields[1])):
        interval = HdrHistogram(1, 3600 * 10**9, 3)
        for fields in group:
            interval.record_value(int(fields[2]))
        writer.output_interval_histogram(interval, int(second), int(second) + 1)
