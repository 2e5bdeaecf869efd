"""All values of one series, from a sidecar itself: the curve of its percentiles, now and earlier."""

from grafana_foundation_sdk.builders.dashboard import CustomVariable, DatasourceVariable, TextBoxVariable

import parts as p

SERIES = '{__name__="${series}_seconds", kind="$kind", corrected="$corrected"}'
LISTED = '{__name__="${series}_window_seconds"'
CURVE = [
    ("0.5", "50 %"), ("0.75", "75 %"), ("0.9", "90 %"), ("0.95", "95 %"), ("0.975", "97.5 %"), ("0.99", "99 %"),
    ("0.995", "99.5 %"), ("0.999", "99.9 %"), ("0.9995", "99.95 %"), ("0.9999", "99.99 %"), ("0.99999", "99.999 %"), ("1", "max"),
]  # fmt: skip
LINES = [("0.5", "50 %"), ("0.99", "99 %"), ("0.999", "99.9 %"), ("1", "max")]
EXACT = "Exact to 0.1 %, the slowest call included."


def shown(earlier=""):
    return f"sum(increase({SERIES}[$__range]{earlier}))"


def step(earlier=""):
    return f"sum(rate({SERIES}[$__rate_interval]{earlier}))"


def tile(title, unit, description, expr, **more):
    return p.number(title, unit, description, 3, expr, **more)


def quantile(q, of):
    return f"histogram_quantile({q}, {of})"


FIGURES = [
    tile("Calls", "short", "How many there were in the time shown: counted, not extrapolated.", f"histogram_count({shown()})"),
    tile("Mean", "s", "Sum of all calls by their number, both exact.", f"histogram_avg({shown()})"),
    tile("Half of them under", "s", f"Median of the time shown. {EXACT}", quantile("0.5", shown())),
    tile("99 % under", "s", f"99th percentile of the time shown. {EXACT}", quantile("0.99", shown())),
    tile("99.9 % under", "s", f"99.9th percentile of the time shown. {EXACT}", quantile("0.999", shown())),
    tile("99.99 % under", "s", f"99.99th percentile of the time shown. {EXACT}", quantile("0.9999", shown())),
    tile("Slowest", "s", "The slowest call of the time shown.", quantile("1", shown())),
    tile("Calls under ${limit}s", "percentunit", "Share of the calls in the time shown that took less than the limit chosen above.",
         f"histogram_fraction(0, $limit, {shown()})", decimals=3),
]

EVERY_CALL = [
    p.heat_map("Every call", """Calls a second in each bucket, which are those that the sidecar counts in: 0.1 % wide. Two bands
               are two kinds of call; a vertical streak is a stall that everybody waited for. A dot is an exemplar with its trace.""",
               24, step()),
]

SHAPE = [
    p.bars_of("Percentiles of the time shown", "s", f"""How long a call took: from one bar to the next fewer calls are slower still,
              as in an HdrHistogram plot. {EXACT}""", 12, [p.query(quantile(q, shown()), name, instant=True) for q, name in CURVE]),
    p.bars_of("Percentiles of the time ${earlier} earlier", "s", """The same of the time as long as that shown and so much earlier:
              before a deploy, a day ago. Nothing where the sidecar's past does not reach back so far.""", 12,
              [p.query(quantile(q, shown(" offset $earlier")), name, instant=True) for q, name in CURVE]),
]

COMPARED = [
    p.graph("Percentiles, and those ${earlier} earlier", "s", f"""All calls of each step, as they are now and, dashed, as they were so
            much earlier. {EXACT}""", 24,
            [p.query(quantile(q, step()), name) for q, name in LINES]
            + [p.query(quantile(q, step(" offset $earlier")), f"earlier {name}") for q, name in LINES],
            colours=p.TAIL, log=True, height=10,
            dashed={rf"^earlier {name.split()[0]}": p.TAIL[key] for (_, name), key in zip(
                LINES, (r"^(0\.5\b|50 %)", r"^(0\.99\b|99 %)", r"^(0\.999\b|99\.9 %)", r"^max"), strict=True)}),
    p.graph("Calls, and those ${earlier} earlier", "reqps", "Calls a second: counted, not extrapolated.", 12,
            [p.query(f"histogram_count({step()})", "now"), p.query(f"histogram_count({step(' offset $earlier')})", "earlier")],
            dashed={"^earlier": p.GREY}),
    p.graph("Share of calls over ${limit}s", "percentunit", "Share of the calls of each step that took longer than the limit above.",
            12, [p.query(f"1 - histogram_fraction(0, $limit, {step()})", "now"),
                 p.query(f"1 - histogram_fraction(0, $limit, {step(' offset $earlier')})", "earlier")], dashed={"^earlier": p.GREY}),
]

DASHBOARD = p.board(
    "hdr-sidecar-distribution",
    "Distribution",
    """Every value of one series, exact to 0.1 %, and the same some time earlier. Asks a sidecar itself, as a data source with the
    address http://...:9925/prometheus; a Prometheus that scrapes sidecars knows less.""",
    [
        DatasourceVariable("datasource").label("Data source").description("A sidecar itself, as a data source.").type("prometheus"),
        p.choices("series", "Series", 'label_values({__name__=~".+_window_seconds"}, __name__)',
                  "Every series of durations, by the name the application gave it.", regex="/^(.+)_window_seconds$/"),
        p.choices("kind", "Kind", f"label_values({LISTED}}}, kind)",
                  "Response time is what callers see, service time what the server says. None: the series has no kinds."),
        p.choices("corrected", "Corrected", f'label_values({LISTED}, kind="$kind"}}, corrected)',
                  "Whether for coordinated omission. None: the values as they were recorded."),
        CustomVariable("earlier").label("Compare with").description("How much earlier the other time is.").values("1h,5m,1d,7d"),
        TextBoxVariable("limit").label("Limit, s").description("A latency in seconds, to count the calls over it.").default_value("0.1"),
        p.label_filters("route=/pay"),
    ],
    {"All calls of the time shown": FIGURES, "One by one": EVERY_CALL, "The curve": SHAPE, "Now and earlier": COMPARED},
    marks=False,
)
