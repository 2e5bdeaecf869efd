"""Pauses of the platform, beside the latency that they explain."""

import parts as p

WHERE = p.WHERE
APP = f'jvm_hiccup_window_seconds{{{WHERE}, window="$window"'
OWN = f'sidecar_hiccup_window_seconds{{{WHERE}, window="$window"'
LATENCY = '{__name__="${series}_window_seconds", ' + WHERE + ', kind="$kind", window="$window"'


def longest(selector):
    return f'max({selector}, quantile="1"}})'


def by_pod(selector):
    return f'max by ($pod_label) (max_over_time({selector}, quantile="1"}}[$__rate_interval]))'


def long_ones(metric):
    """Pauses over 10 ms a minute, each counted once. (Below, wake-ups are late by what the timer costs, pause or not.)"""
    rate = f"rate({metric}{{{WHERE}}}[$__rate_interval])"
    return f"60 * histogram_count({rate}) * (1 - histogram_fraction(0, 0.01, {rate}))"


PAUSE = p.steps(p.GREEN, (0.05, p.YELLOW), (0.2, p.RED))

NOW = [
    p.number("Longest pause of an application", "s",
             """The longest that any thread of the application's JVM stood still in the window: garbage collection, safepoints,
             or a machine that gave it no processor.""", 6, longest(APP), thresholds=PAUSE),
    p.number("Longest pause of a sidecar", "s",
             """The control, in another process on the same machine. Long here as well: it is the machine or its limits, not the
             application's JVM.""", 6, longest(OWN), thresholds=PAUSE),
    p.number("Slowest call", "s", "Maximum of the chosen series in the window. About as long as the longest pause: that is why.", 6,
             longest(LATENCY)),
    p.number("Pauses over 10 ms", "cpm",
             """How often a minute the application that pauses most stood still for more than 10 ms, from the raw hiccups.""", 6,
             f"max({long_ones('jvm_hiccup_raw_seconds')})", thresholds=p.steps(p.GREEN, (10, p.YELLOW), (60, p.RED)), decimals=0),
]

SIDE_BY_SIDE = [
    p.graph("Longest pause of the application", "s",
            "Longest pause in the window, pod by pod, of the application's JVM.", 24, [p.query(by_pod(APP), "{{$pod_label}}")]),
    p.graph("Longest pause of the sidecar beside it", "s",
            """Longest pause in the window of the sidecar on the same machine. A peak here and above is the machine's; a peak only
            above is the application's own, garbage collection first.""", 24, [p.query(by_pod(OWN), "{{$pod_label}}")]),
    p.graph("Slowest call, pod by pod", "s",
            """Maximum of the chosen series, pod by pod. A peak with none above comes from the service or from what it calls, not
            from the platform.""", 24, [p.query(by_pod(LATENCY), "{{$pod_label}}")]),
]

HOW_OFTEN = [
    p.graph("Hiccups of applications, worst pod", "s",
            """Percentiles on the worst pod, as jHiccup counts: a pause counts for every call that could have met it.""", 12,
            [p.query(f'max by (quantile) (max_over_time({APP}, quantile!="1"}}[$__rate_interval]))', "{{quantile}}"),
             p.query(f'max(max_over_time({APP}, quantile="1"}}[$__rate_interval]))', "max")], colours=p.TAIL, log=True),
    p.graph("Hiccups of sidecars, worst pod", "s", "The same of the sidecars, the control.", 12,
            [p.query(f'max by (quantile) (max_over_time({OWN}, quantile!="1"}}[$__rate_interval]))', "{{quantile}}"),
             p.query(f'max(max_over_time({OWN}, quantile="1"}}[$__rate_interval]))', "max")], colours=p.TAIL, log=True),
    p.heat_map("Every hiccup of the applications",
               "Hiccups a second in each bucket of the native histogram, all applications added together.", 12,
               f"sum(rate(jvm_hiccup_seconds{{{WHERE}}}[$__rate_interval]))", exemplar=False),
    p.graph("Pauses over 10 ms, pod by pod", "cpm",
            """How often a minute applications and sidecars stood still for more than 10 ms, from the raw hiccups: each pause counts
            once. The limit is rounded within one bucket of the native histogram.""", 12,
            [p.query(f"sum by ($pod_label) ({long_ones('jvm_hiccup_raw_seconds')})", "application {{$pod_label}}"),
             p.query(f"sum by ($pod_label) ({long_ones('sidecar_hiccup_raw_seconds')})", "sidecar {{$pod_label}}")],
            height=10),
]

DASHBOARD = p.board(
    "hdr-sidecar-hiccups",
    "Hiccups",
    """Is it us, or the platform? Pauses of the applications' JVMs (hiccups must be switched on in the client), pauses of the
    sidecars as a control, and the latency of a series on the same time axis.""",
    p.common_variables(p.JOBS_OF_PODS) + [p.latencies_variable()] + p.series_variables() + [p.label_filters("namespace=web")],
    {
        "Is it the platform": p.from_latencies(NOW),
        "Pauses beside latency": p.from_latencies(SIDE_BY_SIDE),
        "How often, how long": HOW_OFTEN[:2] + p.from_latencies(HOW_OFTEN[2:]),  # gauges over a range first, as in Latency
    },
)
