"""Can what the other dashboards show be believed."""

import parts as p

WHERE = p.WHERE
BY = "$pod_label"
NOT_WRITING = ', state!="writing"'
HEAP = ', area="heap"'
DAMAGED = ', result="damaged"'


def own(name, more=""):
    return f"hdr_sidecar_{name}{{{WHERE}{more}}}"


def rate(name, by=BY, more=""):
    return f"sum by ({by}) (rate({own(name, more)}[$__rate_interval]))"


def some(expr):
    """Without what is 0, which would only fill the legend."""
    return f"{expr} > 0"


ANY_IS_BAD = p.steps(p.GREEN, (1e-9, p.RED))

NOW = [
    p.number("Sidecars up", "none", "Sidecars that answered the last scrape.", 3, f"count({own('build_info')})"),
    p.number("Clients connected", "none", "Client instances with a connection now.", 3,
             f"sum({own('client_connected')})", thresholds=p.steps(p.RED, (1, p.BLUE))),
    p.number("Clients silent", "none",
             "Client instances known by a sidecar and not connected: ended without a goodbye, or cut off.", 3,
             f"sum({own('client_connected')} == bool 0)", thresholds=p.steps(p.GREEN, (1, p.ORANGE))),
    p.number("Values lost", "short",
             "Values that sidecars could not count, and that clients could not deliver, in the time shown. Should be 0.", 3,
             f"""(sum(increase({own('lost_values_total')}[$__range])) or vector(0))
             + (sum(increase({own('client_lost_values_total')}[$__range])) or vector(0))""", thresholds=ANY_IS_BAD),
    p.number("Refused", "short", "Frames, series and intervals refused in the time shown, for whatever reason.", 3,
             f"sum(increase({own('rejected_total')}[$__range]))", thresholds=p.steps(p.GREEN, (1e-9, p.ORANGE))),
    p.number("Series of the limit", "percentunit",
             "Of the fullest sidecar. At the limit new label sets share one series: counts stay, detail goes.", 3,
             f"max({own('series')} / {own('series_limit')})", thresholds=p.steps(p.GREEN, (0.8, p.ORANGE), (1, p.RED)), decimals=1),
    p.number("Journals degraded", "none", "Sidecars whose journal cannot be written. None have one: no data.", 3,
             f"sum({own('journal_state', NOT_WRITING)})", thresholds=ANY_IS_BAD,
             no_value="no journal"),
    p.number("Slowest scrape", "s", "Longest that a sidecar took for its page of late.", 3,
             f"max({own('scrape_duration_seconds_max')})", thresholds=p.steps(p.GREEN, (1, p.ORANGE), (5, p.RED))),
]

FLOW = [
    p.graph("Values merged", "short", "Values counted a second, sidecar by sidecar.", 12,
            [p.query(rate("merged_values_total"), "{{$pod_label}}")], stack=True),
    p.graph("Intervals merged", "short", "Interval histograms merged a second.", 12,
            [p.query(rate("merged_intervals_total"), "{{$pod_label}}")], stack=True),
    p.graph("Received", "Bps", "Bytes a second from clients.", 12,
            [p.query(rate("received_bytes_total"), "{{$pod_label}}")], stack=True),
    p.graph("Received again", "short",
            """Intervals a second that clients sent again and sidecars had merged already. Some after a reconnect are right: that
            is how nothing is lost or doubled.""", 12,
            [p.query(rate("duplicate_intervals_total"), "duplicates {{$pod_label}}"),
             p.query(rate("client_resent_intervals_total"), "sent again {{$pod_label}}")]),
]

TROUBLE = [
    p.graph("Lost in the sidecar, by reason", "short", "Values a second that a sidecar received and could not count.", 12,
            [p.query(some(rate("lost_values_total", "reason")), "{{reason}}")], most_first=True, no_value="nothing lost"),
    p.graph("Refused, by reason", "short", "Frames, series and intervals a second that were refused.", 12,
            [p.query(some(rate("rejected_total", "reason")), "{{reason}}")], most_first=True, no_value="nothing refused"),
]

CLIENTS = [
    p.graph("Waiting in clients", "short",
            "Intervals that clients hold: not yet sent, and sent but not acknowledged. Rising: the sidecar is away or slow.", 12,
            [p.query(f"sum by ({BY}) ({own('client_pending_intervals')})", "to be sent {{$pod_label}}"),
             p.query(f"sum by ({BY}) ({own('client_in_flight_intervals')})", "not acknowledged {{$pod_label}}")]),
    p.graph("Trouble in clients", "short",
            """A second: values clients could not deliver, intervals joined for want of a connection (time resolution is lost,
            counts are not), reconnects.""", 12,
            [p.query(some(rate("client_lost_values_total")), "values lost {{$pod_label}}"),
             p.query(some(rate("client_joined_intervals_total")), "intervals joined {{$pod_label}}"),
             p.query(some(rate("client_reconnects_total")), "reconnects {{$pod_label}}")], no_value="no trouble"),
    p.graph("Picked up from the spill folder", "short",
            """Intervals a second that clients could not deliver before they ended and a sidecar found in their files, by what
            came of them; of sidecars with a spill folder.""", 24,
            [p.query(some(rate("spill_intervals_total", f"{BY}, result")), "{{result}} {{$pod_label}}")], no_value="nothing to pick up"),
    p.graph("Picked up from the crash folder", "short",
            """Intervals a second that clients had not delivered when they were killed and a sidecar found in their files, by what
            came of them; and damaged files, which were kept aside and not counted.""", 12,
            [p.query(some(rate("crash_intervals_total", f"{BY}, result")), "{{result}} {{$pod_label}}"),
             p.query(some(f"sum by ({BY}) (increase({own('crash_files_total', DAMAGED)}[$__rate_interval]))"),
                     "damaged files {{$pod_label}}")], no_value="nobody was killed"),
    p.graph("Not safe from a kill", "short",
            """Values a second for which a crash file had no room. They are counted and delivered as ever; a kill of the process
            would take those that are not delivered yet.""", 12,
            [p.query(some(rate("client_unprotected_values_total")), "{{$pod_label}}")], no_value="all is in files, or without"),
    p.rows_of("Clients", "none", "Every client known, with what it said of itself.", 24,
              [p.query(f"{own('client_info')} * on ($pod_label, client) group_left () {own('client_connected')}", table=True),
               p.query(f"max by ($pod_label, client) ({own('client_series')})", table=True),
               p.query(f"max by ($pod_label, client) ({own('client_acknowledged_values_total')})", table=True)],
              columns={"instance": "Instance", "pod": "Pod", "app": "app", "client": "Client", "Value #A": "Connected",
                       "Value #B": "Series", "Value #C": "Values delivered"},
              sort_by="Connected", descending=False, height=6,
              overrides=[("Connected", {"mappings": [p.texts(_1=("yes", p.GREEN), _0=("no", p.ORANGE)).to_json()],
                                        "custom.cellOptions": {"type": "color-text"}}),
                         ("Values delivered", {"unit": "short"})]),
]

COST = [
    p.graph("Series", "none", "Series held, against the limit (dashed).", 8,
            [p.query(f"max by ({BY}) ({own('series')})", "{{$pod_label}}"),
             p.query(f"min({own('series_limit')})", "limit")], dashed={"^limit": p.RED}, log=True),
    p.graph("Memory of series", "bytes",
            """What all series hold, windows included, against the limit (dashed). Near it the sidecar gives up windows first, then
            labels, and counts last.""", 8,
            [p.query(f"max by ({BY}) ({own('memory_held_bytes')})", "{{$pod_label}}"),
             p.query(f"min({own('memory_limit_bytes')})", "limit")], dashed={"^limit": p.RED}),
    p.graph("Given up for want of memory", "none",
            "1 while a sidecar gives this up: windows, with their gauges and verdicts; labels; counts, which are lost.", 8,
            [p.query(some(f"max by ({BY}, stage) ({own('memory_pressure')})"), "{{stage}} {{$pod_label}}")], no_value="nothing given up"),
    p.graph("Heap used", "bytes", "The JVM's heap in use.", 8,
            [p.query(f"sum by ({BY}) ({own('jvm_memory_used_bytes', HEAP)})", "{{$pod_label}}")]),
    p.graph("Processor", "percentunit", "Cores in use; 100 % is one core.", 8,
            [p.query(f"sum by ({BY}) (rate(process_cpu_seconds_total{{{WHERE}}}[$__rate_interval])"
                     f" and on (instance) {own('build_info')})", "{{$pod_label}}")]),
    p.graph("Scrape", "s", "Longest that the sidecar took for a scrape of late.", 8,
            [p.query(f"max by ({BY}) ({own('scrape_duration_seconds_max')})", "{{$pod_label}}")]),
    p.graph("Page", "bytes", "Size of the largest page scraped of late.", 8,
            [p.query(f"max by ({BY}) ({own('scrape_size_bytes_max')})", "{{$pod_label}}")]),
]

JOURNAL = [
    p.graph("Waiting for the journal", "short", "Records merged and not yet flushed, of sidecars with a journal.", 8,
            [p.query(f"max by ({BY}) ({own('journal_lag_records')})", "{{$pod_label}}")]),
    p.graph("Journal on disk", "bytes", "Size of the journal's files.", 8,
            [p.query(f"max by ({BY}) ({own('journal_file_bytes')})", "{{$pod_label}}")]),
    p.graph("Failures to write", "short", "Failed attempts a second to write the journal.", 8,
            [p.query(rate("journal_failures_total"), "{{$pod_label}}")]),
]

DASHBOARD = p.board(
    "hdr-sidecar-health",
    "Sidecar health",
    "What sidecars and clients say of themselves: whether anything was lost, is waiting, or is near a limit.",
    p.common_variables() + [p.label_filters("node=worker-1")],
    {"Can the numbers be believed": NOW, "From clients to counts": FLOW, "Lost and refused": TROUBLE, "Clients": CLIENTS,
     "What it costs": COST, "Journal": JOURNAL},
)
