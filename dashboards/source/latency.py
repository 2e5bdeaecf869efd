"""How slow is it, how slow is the tail, and since when."""

from grafana_foundation_sdk.builders.dashboard import TextBoxVariable

import parts as p

ALL_KINDS = p.WHERE
ONE_KIND = f'{ALL_KINDS}, kind="$kind"'
WINDOW = f'{{__name__="${{series}}_window_seconds", {ONE_KIND}, window="$window"'
IN_COLOUR = """Green while an SLA about all of the series has it within the limit, red while it is over, blue without such a row."""
COUNTS = '{__name__="${series}_seconds", ' + ONE_KIND


def percentile(quantile):
    """Of the window, on the worst pod. Raw before corrected, where a series has both."""
    return raw_first(lambda corrected: f'max({WINDOW}, quantile="{quantile}", {corrected}}})')


def verdict(quantile):
    """Of the SLAs that are about all of the series: 1 when each has its row of this percentile met on every pod, 0 when not."""
    return f"""min(hdr_sla_met{{{p.WHERE}, quantile="{quantile}", window="$window"}}
            and on (cluster, namespace, job, instance, sla)
            hdr_sla_whole_series_info{{{p.WHERE}, series="$series", kind="$kind"}})"""


def tile(title, description, quantile):
    return p.number_by_verdict(title, "s", f"{description} {IN_COLOUR}", 4, percentile(quantile), verdict(quantile))


def raw_first(expr):
    """Values and their correction for coordinated omission are never added up: the raw ones, else what there is."""
    return f"{expr('corrected=%s' % quoted(''))} or {expr('corrected!=%s' % quoted(''))}"


def quoted(text):
    return f'"{text}"'


def counts(span, function="rate"):
    return lambda corrected: f"sum({function}({COUNTS}, {corrected}}}[{span}]))"


def native(quantile):
    """By corrected, so that raw and corrected stay apart."""
    return f"histogram_quantile({quantile}, sum by (corrected) (rate({COUNTS}}}[$__rate_interval])))"


def whole_range(quantile):
    return raw_first(lambda corrected: f"histogram_quantile({quantile}, {counts('$__range', 'increase')(corrected)})")


RATE_NOW = [
    p.number("Rate", "reqps", "Calls a second, all pods together, as counted by the histogram.", 4,
             raw_first(lambda corrected: f"histogram_count({counts('$__rate_interval')(corrected)})")),
]

# Percentile gauges are exact anyway. Their verdicts, and their worst over a range, are known to a Prometheus alone.
JUDGED = [
    tile("Half of all calls under, worst pod", "Median of the window, on the slowest pod.", "0.5"),
    tile("99 % under, worst pod", "99th percentile of the window, on the slowest pod.", "0.99"),
    tile("99.9 % under, worst pod", "99.9th percentile of the window, on the slowest pod.", "0.999"),
    tile("Never over", "The exact maximum of the window, over all pods.", "1"),
]

UNDER_LIMIT = [
    p.number("Calls under ${limit}s", "percentunit",
             """Share of all calls in the time shown that took less than the limit chosen above, from the native histogram.
             Any limit can be asked for afterwards; it is rounded within one bucket (9 % wide at schema 3).""",
             4, raw_first(lambda corrected: f"histogram_fraction(0, $limit, {counts('$__range', 'increase')(corrected)})"),
             decimals=3),
]

TAIL = [
    p.graph("Percentiles, worst pod", "s",
            """Percentile gauges of the sliding window, the worst of all pods and of all times between two points: percentiles
            are never averaged. Exact to 0.1 %. 1 is the maximum.""", 12,
            [p.query(f'max by (quantile, corrected) (max_over_time({WINDOW}, quantile!="1"}}[$__rate_interval]))',
                     "{{quantile}} {{corrected}}"),
             p.query(f'max by (corrected) (max_over_time({WINDOW}, quantile="1"}}[$__rate_interval]))', "max {{corrected}}")],
            colours=p.TAIL, log=True, height=10),
    p.graph("Maximum by pod", "s",
            """The slowest single call in the window, pod by pod. If one pod stands out, it is that pod; if all move together,
            look at what they share.""", 12,
            [p.query(f'max by ($pod_label, corrected) (max_over_time({WINDOW}, quantile="1"}}[$__rate_interval]))',
                     "{{$pod_label}} {{corrected}}")], height=10),
    p.heat_map("Every call", """Calls a second in each bucket of the native histogram, all pods added together. Two bands are two
            kinds of call; a vertical streak is a stall that everybody waited for. A dot is an exemplar: the slowest call of an
            interval, with its trace.""", 12, raw_first(counts("$__rate_interval"))),
    p.graph("Percentiles, all pods together", "s",
            """From the native histograms of all pods, added bucket by bucket: what a caller of any pod meets. Within one
            bucket, which is 9 % wide at schema 3; the maximum is not in a histogram.""", 12,
            [p.query(native(q), label + " {{corrected}}", exemplar=q == "0.999")
             for q, label in (("0.5", "50 %"), ("0.9", "90 %"), ("0.99", "99 %"), ("0.999", "99.9 %"))],
            colours=p.TAIL, log=True, height=10),
]

SHAPE = [
    p.bars_of("Percentile distribution of the time shown", "s",
              """How long a call took, and how many took longer. From one bar to the next the calls that are slower still are
              about half as many, as in an HdrHistogram plot. All pods together, from the native histogram.""", 12,
              [p.query(whole_range(q), label, instant=True)
               for q, label in (("0.5", "50 %"), ("0.75", "75 %"), ("0.875", "87.5 %"), ("0.9375", "93.75 %"),
                                ("0.97", "97 %"), ("0.985", "98.5 %"), ("0.99", "99 %"), ("0.995", "99.5 %"),
                                ("0.9975", "99.75 %"), ("0.999", "99.9 %"), ("0.9995", "99.95 %"), ("0.9999", "99.99 %"))]),
    p.graph("Response against service time, worst pod", "s",
            """99th percentile by kind, on the slowest pod. Response time counts from when the call was due; service time from
            when it was begun. Where they part, calls waited, and the service's own figures hide it.""", 12,
            [p.query('max by (kind, corrected) (max_over_time({__name__="${series}_window_seconds", ' + ALL_KINDS
                     + ', window="$window", quantile="0.99"}[$__rate_interval]))', "{{kind}} {{corrected}}")],
            colours=p.KINDS, log=True, height=10),
]

RATE = [
    p.graph("Rate by pod", "reqps", "Calls a second, pod by pod: a pod that gets none is not fast.", 12,
            [p.query(raw_first(lambda corrected: f"sum by ($pod_label) (histogram_count(rate({COUNTS}, {corrected}}}[$__rate_interval])))"),
                     "{{$pod_label}}")], stack=True),
    p.graph("Share of calls over ${limit}s", "percentunit",
            "Share of calls that took longer than the limit chosen above, from the native histograms of all pods.", 12,
            [p.query("1 - histogram_fraction(0, $limit, sum by (corrected) (rate(" + COUNTS + "}[$__rate_interval])))",
                     "over ${limit}s {{corrected}}")]),
]

DASHBOARD = p.board(
    "hdr-sidecar-latency",
    "Latency",
    """One series of latencies, from the first second to the last nine. Gauges show the worst pod; histograms add all pods.
    Needs Prometheus with native histograms for the panels that say so.""",
    p.common_variables(p.JOBS_OF_PODS) + [p.latencies_variable()] + p.series_variables() + [
        TextBoxVariable("limit").label("Limit, s").description("A latency in seconds, to count the calls over it.").default_value("0.1"),
        p.label_filters("route=/pay"),
    ],
    {
        "How slow is it now": p.from_latencies(RATE_NOW) + JUDGED + p.from_latencies(UNDER_LIMIT),
        "The tail over time": TAIL[:1] + p.from_latencies(TAIL[1:]),
        "The shape of it": p.from_latencies(SHAPE[:1]) + SHAPE[1:],
        "How many": p.from_latencies(RATE),
    },
)
