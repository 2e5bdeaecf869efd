"""Are we within our SLA, since when, and how bad is it."""

import parts as p

WHERE = p.WHERE + ', sla=~"$sla"'
ROW = "sla, quantile, window"

# Each row of each rule on the worst pod: as a window gauge cannot be added up over pods.
LIMIT = f"min by ({ROW}) (hdr_sla_limit_seconds{{{WHERE}}})"
ACTUAL = f"max by ({ROW}) (hdr_sla_actual_seconds{{{WHERE}}})"
OF_LIMIT = f"hdr_sla_actual_seconds{{{WHERE}}} / hdr_sla_limit_seconds{{{WHERE}}}"

# 1 when every row is met, 0 when one is broken, and between them when none is but a rule is not judged.
MET = f"min(hdr_sla_met{{{WHERE}}} or (hdr_sla_judged{{{WHERE}}} == 0) + 0.5)"

# Of the rows that have an error budget, the share of calls that must be within the limit.
OBJECTIVE = f"max by (sla, quantile) (hdr_sla_objective{{{WHERE}}})"

YES_NO = p.texts(_1=("YES", p.GREEN), _0=("NO", p.RED))
STATE = p.texts(**{"1": ("YES", p.GREEN), "0.5": ("NOT JUDGED", p.ORANGE), "0": ("NO", p.RED)})
BURN = p.steps(p.GREEN, (1, p.YELLOW), (6, p.ORANGE), (14.4, p.RED))


def bad(span, function="rate"):
    """Share of calls over the limit of each row, all pods together: counts, and so exact and additive."""
    good = f"sum by (sla, quantile) ({function}(hdr_sla_good_total{{{WHERE}}}[{span}]))"
    events = f"sum by (sla, quantile) ({function}(hdr_sla_events_total{{{WHERE}}}[{span}]))"
    return f"(1 - {good} / {events})"


def burn(span, function="rate"):
    """How many times faster than allowed the budget of a row is used up; 1 uses it up exactly."""
    return f"{bad(span, function)} / (1 - {OBJECTIVE})"


# The part of 30 days that Prometheus remembers: what was before counts as a time without calls over the limit.
REMEMBERED = ("clamp_max((time() - (min(min_over_time(timestamp("
              f"hdr_sla_events_total{{{WHERE}}})[30d:5m])) or vector(time()))) / (30 * 86400), 1)")


def last_time(state):
    """The last moment in the range shown at which all rows were met (== 1) or that could not be said (< 1)."""
    return f"max_over_time(timestamp({MET} {state})[$__range:$__interval])"


VERDICT = [
    p.number("Within SLA", "none", """Whether every row of every rule is met now, on every pod. Not judged: none is known to be broken, but a rule has no
             verdict; /api/v1/sla says why.""", 4, MET, mappings=STATE,
             thresholds=p.steps(p.RED, (0.5, p.ORANGE), (1, p.GREEN)), no_value="NO DATA"),
    p.number("Since", "s",
             """How long that has been so: since the last moment in the time shown at which it was otherwise. If it has been so
             all the time, choose a longer time.""", 5,
             [p.query(f"time() - {last_time('< 1')} and on () ({MET} == 1)", "within", instant=True),
              p.query(f"time() - {last_time('== 1')} and on () ({MET} < 1)", "broken", instant=True)],
             no_value="all the time shown", thresholds=p.steps(p.GREY)),
    p.number("How bad: actual of limit, worst pod", "percentunit", "The worst row on the worst pod: its percentile now, as a share of its limit.",
             5, f"max({OF_LIMIT})", thresholds=p.steps(p.GREEN, (0.8, p.YELLOW), (1.0000001, p.RED)), decimals=0),
    p.number("Budget burn, 1 h", "none",
             """How many times faster than allowed the worst rule used up its error budget in the last hour. 1 is exactly all of
             it by the end of its period; 14.4 is 2 % of a month's in this hour.""", 4, f"max({burn('1h')})", thresholds=BURN,
             decimals=1, no_value="no objective"),
    p.number("Budget left of 30 d", "percentunit",
             """Of the calls that may be over the limit in 30 days at this traffic, the share still left, for the worst rule, whatever
             time is shown. Negative: overspent. Time that Prometheus does not remember counts as one without such calls.""",
             3, f"1 - max({burn('30d', 'increase')}) * {REMEMBERED}",
             thresholds=p.steps(p.RED, (0, p.ORANGE), (0.5, p.GREEN)), decimals=0, no_value="no objective"),
    p.number("Rules not judged", "none",
             """Rules whose selector matches nothing, or series that must not be added up, or that are not evaluated. They are not
             met and not broken: nobody is looking. Ask /api/v1/sla why.""", 3, f"sum(min by (sla) (hdr_sla_judged{{{WHERE}}}) == bool 0)",
             thresholds=p.steps(p.GREEN, (1, p.ORANGE))),
]

TABLES = [
    p.rows_of("Verdict", "s", "Every row of every rule: its limit, the percentile now on the worst pod, and whether it is met.", 14,
              [p.query(LIMIT, table=True), p.query(ACTUAL, table=True),
               p.query(f"max by ({ROW}) ({OF_LIMIT})", table=True),
               p.query(f"min by ({ROW}) (hdr_sla_met{{{WHERE}}})", table=True)],
              columns={"sla": "SLA", "quantile": "Quantile", "window": "Window", "Value #A": "Limit", "Value #B": "Actual, worst pod",
                       "Value #C": "Of limit", "Value #D": "Met"},
              sort_by="Of limit", height=11,
              overrides=[("Of limit", {"unit": "percentunit", "decimals": 0, "max": 1, "min": 0,
                                       "custom.cellOptions": {"type": "gauge", "mode": "basic", "valueDisplayMode": "text"},
                                       "thresholds": p.steps(p.GREEN, (0.8, p.YELLOW), (1.0000001, p.RED)).build().to_json()}),
                         ("Met", {"unit": "none", "mappings": [YES_NO.to_json()],
                                  "custom.cellOptions": {"type": "color-background", "mode": "basic"}})]),
    p.rows_of("Worst rows, pod by pod", "s", "The ten rows furthest over, or nearest to, their limit.", 10,
              [p.query(f"topk(10, max by ({ROW}, $pod_label) ({OF_LIMIT}))", table=True)],
              columns={"sla": "SLA", "quantile": "Quantile", "window": "Window", "pod": "Pod", "instance": "Instance",
                       "Value": "Of limit"},
              sort_by="Of limit", height=11,
              overrides=[("Of limit", {"unit": "percentunit", "decimals": 0,
                                       "thresholds": p.steps(p.GREEN, (0.8, p.YELLOW), (1.0000001, p.RED)).build().to_json(),
                                       "custom.cellOptions": {"type": "color-background", "mode": "basic"}})]),
]

OVER_TIME = [
    p.states("Met or broken",
             "Each row over time: green where it was met on every pod, red where it was broken, empty where nothing was recorded.",
             24, [p.query(f"min by ({ROW}) (min_over_time(hdr_sla_met{{{WHERE}}}[$__rate_interval]))",
                      "{{sla}} {{quantile}} in {{window}}")],
             p.texts(_1=("met", p.GREEN), _0=("broken", p.RED)), height=10),
]

PER_RULE = [
    p.graph("${sla}: limits against actuals, worst pod", "s",
            """Solid: the percentile on the worst pod. Dashed, in the same colour: its limit. Broken is where a solid line is above
            the dashed one of its colour.""", 24,
            [p.query('max by (quantile, window) (max_over_time(hdr_sla_actual_seconds{' + WHERE + '}[$__rate_interval]))',
                     "{{quantile}} in {{window}}"),
             p.query('min by (quantile) (hdr_sla_limit_seconds{' + WHERE + '})', "limit of {{quantile}}")],
            colours={r"^0\.5\b": "blue", r"^0\.9\b": "green", r"^0\.99\b": "yellow", r"^0\.999\b": "orange",
                     r"^0\.9999\b": "red", r"^1\b": "purple"},
            dashed={r"^limit of 0\.5\b": "blue", r"^limit of 0\.9\b": "green", r"^limit of 0\.99\b": "yellow",
                    r"^limit of 0\.999\b": "orange", r"^limit of 0\.9999\b": "red", r"^limit of 1\b": "purple"},
            log=True, height=10),
]
PER_RULE[0].repeat("sla").repeat_direction("h").max_per_row(2)

BUDGET = [
    p.graph("Budget burn", "none",
            """How many times faster than allowed each rule uses up its error budget, over four spans. A page is due when both an
            hour and 5 minutes are over 14.4, or 6 hours and 30 minutes over 6; the short span says that it still goes on.""", 12,
            [p.query(burn(span), "{{sla}} {{quantile}}, " + span) for span in ("5m", "1h", "6h", "3d")],
            thresholds=p.steps(p.GREEN, (1, p.YELLOW), (6, p.ORANGE), (14.4, p.RED))),
    p.graph("Calls over the limit", "percentunit",
            "Share of calls over the limit of each row, all pods together, from exact counts.", 12,
            [p.query(bad("$__rate_interval"), "{{sla}} {{quantile}}")]),
]

SUSPECTS = [
    p.rows_of("Slowest series now", "s",
              """The ten series with the slowest single call in any window, application's own. Choose one to see its latency, from where all
              its percentiles and pauses are a click away.""", 24,
              [p.query("""topk(10, max without (__name__, quantile, window, job, container, endpoint, namespace) (label_replace(
                       {__name__=~".+_window_seconds", __name__!~"(jvm|sidecar)_hiccup.*", """ + p.WHERE + """, quantile="1"},
                       "series", "$1", "__name__", "(.+)_window_seconds")))""", table=True)],
              columns={"series": "Series", "kind": "Kind", "corrected": "Corrected", "pod": "Pod", "instance": "Instance",
                       "Value": "Slowest call"},
              sort_by="Slowest call",
              overrides=[("Series", {"links": [{
                  "title": "Latency of this series", "targetBlank": False,
                  "url": "/d/hdr-sidecar-latency?${__url_time_range}&${datasource:queryparam}&${cluster:queryparam}&${namespace:queryparam}"
                         "&${job:queryparam}"
                         "&${pod_label:queryparam}&var-series=${__data.fields.Series}&var-kind=${__data.fields.Kind}"}]})]),
]

DASHBOARD = p.board(
    "hdr-sidecar-sla",
    "SLA",
    """Are we within our SLA, since when, and how bad is it. Rules are the sidecars' (their SLA file); limits and actuals come from
    the windows on the worst pod, shares of calls from exact counts of all pods.""",
    p.common_variables() + [
        p.choices("sla", "SLA", f"label_values(hdr_sla_matched_series{{{p.WHERE}}}, sla)",
                  "Rules of the sidecars.", many=True, all_value=".+"),
        p.label_filters("node=worker-1"),
    ],
    {"Are we within our SLA": VERDICT, "Which rows, which pods": TABLES, "Since when": OVER_TIME, "How far over": PER_RULE,
     "Error budget": BUDGET, "Where to look next": SUSPECTS},
)
