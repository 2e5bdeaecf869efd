"""The fleet on Kafka: is it whole, does it keep up, and what are the percentiles of all pods."""

import parts as p

WHERE = p.WHERE
BY = "$pod_label"
WAITING = ', use="upstream"'
HEAP = ', area="heap"'
# Gateways and nodes are somewhere else than the pods that they tell about, whose namespace a series has.
PODS = 'cluster=~"$cluster", namespace=~"$of_namespace", job=~"$job", $pod_label=~"$pod"'
GROUP = "namespace, deployment, zone"
OF_GROUP = "{{namespace}} {{deployment}} {{zone}}"
SERIES = f'{PODS}, deployment=~"$deployment", kind="$kind"'
WINDOW = f'{{__name__="${{series}}_window_seconds", {SERIES}, window="$window"'
COUNTS = '{__name__="${series}_seconds", ' + SERIES
COMMITTED = "Nodes show what is committed, so it is some seconds old."


def gateway(name, more=""):
    return f"hdr_sidecar_gateway_{name}{{{WHERE}{more}}}"


def node(name, more=""):
    return f"hdr_sidecar_fleet_{name}{{{WHERE}{more}}}"


def own(name, more=""):
    return f"hdr_sidecar_{name}{{{WHERE}{more}}}"


def rate(counter, by=""):
    return f"sum {f'by ({by}) ' if by else ''}(rate({counter}[$__rate_interval]))"


def grown(counter):
    return f"sum(increase({counter}[$__range]))"


def found(counter):
    """How far one has grown that may be above 0 at its first scrape, as a node finds it in its first seconds."""
    return f"sum((increase({counter}[$__range]) and {counter} offset $__range) or max_over_time({counter}[$__range]))"


def some(expr):
    """Without what is 0, which would only fill the legend."""
    return f"{expr} > 0"


def raw_first(expr):
    """Values and their correction for coordinated omission are never added up: the raw ones, else what there is."""
    raw, corrected = 'corrected=""', 'corrected!=""'
    return f"{expr(raw)} or {expr(corrected)}"


def behind(by):
    """As the alert has it; no rate at all counts as one a second, so that what stands still is seen."""
    read = f"{rate(node('intervals_total'), by)} + {rate(node('duplicate_intervals_total'), by)}"
    return f"sum {f'by ({by}) ' if by else ''}({node('lag_records')}) / clamp_min({read}, 1)"


def cores(by):
    """Of gateways and nodes alone."""
    ours = f"({gateway('producing')} or {node('partitions')})"
    return f"sum by ({by}) (rate(process_cpu_seconds_total{{{WHERE}}}[$__rate_interval]) and on (job, instance) {ours})"


ANY_IS_BAD = p.steps(p.GREEN, (1e-9, p.RED))
ANY_IS_ODD = p.steps(p.GREEN, (1e-9, p.ORANGE))

NOW = [
    p.number("Gateways", "none", "Gateways that answered the last scrape.", 4, f"count({gateway('producing')})",
             thresholds=p.steps(p.RED, (1, p.BLUE))),
    p.number("Gateways that Kafka refuses", "none",
             """They end the connections of their sidecars, which go to another gateway or keep what they have. Their logs say
             why.""", 4, f"sum({gateway('producing')} == bool 0)", thresholds=ANY_IS_BAD),
    p.number("Longest wait for Kafka", "s",
             """For how long the oldest interval of any gateway has not been acknowledged by the brokers. Sidecars are told of it
             only then.""", 4, f"max({gateway('lag_seconds')})", thresholds=p.steps(p.GREEN, (10, p.ORANGE), (30, p.RED))),
    p.number("Nodes", "none", "Nodes that answered the last scrape.", 4, f"count({node('partitions')})",
             thresholds=p.steps(p.RED, (1, p.BLUE))),
    p.number("Partitions without a node", "none",
             """Partitions of the topic that no node merges. They move, or are restored; until then nothing of theirs is shown.""",
             4, f"sum(max by (cluster, namespace, job) ({node('topic_partitions')})) - sum({node('partitions')})",
             thresholds=p.steps(p.GREEN, (1e-9, p.RED))),
    p.number("Behind", "s", "How long nodes take for the records that wait on the topics, at their present rate.", 4, behind(""),
             thresholds=p.steps(p.GREEN, (15, p.ORANGE), (60, p.RED)), decimals=1),
    p.number("Stores restored now", "none",
             "Stores that are read again from the brokers. Their partitions are neither merged nor shown meanwhile.", 4,
             f"sum({node('restoring_stores')})", thresholds=ANY_IS_ODD),
    p.number("Skipped", "short", "Records in the time shown that no node could merge. What was in them is in no total.", 4,
             grown(node("skipped_records_total")), thresholds=ANY_IS_BAD),
    p.number("Refused", "short", "Frames, series and intervals that gateways refused in the time shown.", 3,
             grown(own("rejected_total")), thresholds=ANY_IS_ODD),
    p.number("Late", "percentunit",
             "Share of the intervals in the time shown that came later than node.late-after. They are in all totals.", 3,
             f"{grown(node('late_intervals_total'))} / {grown(node('intervals_total'))}",
             thresholds=p.steps(p.GREEN, (0.01, p.ORANGE)), decimals=2),
    p.number("Sent twice", "percentunit",
             "Share of the intervals on the topic in the time shown that had been merged before. They count once.", 3,
             f"""{grown(node('duplicate_intervals_total'))}
             / ({grown(node('duplicate_intervals_total'))} + {grown(node('intervals_total'))})""", decimals=2),
    p.number("Missing", "short",
             """Records in the time shown that the topic had deleted before a node read them. What was in them is in no total.""", 3,
             found(node("missing_records_total")), thresholds=ANY_IS_BAD),
    p.number("Series hidden", "none", "Series that nodes have no room to show. They are whole in the stores.", 4,
             f"sum({node('hidden_series')})", thresholds=ANY_IS_ODD),
]

FLEET = [
    p.graph("Percentiles, worst series", "s",
            f"""Percentile gauges of the sliding window, each over all pods of a group: the worst of the chosen groups. Exact to
            0.1 %. 1 is the maximum. {COMMITTED}""", 12,
            [p.query(f'max by (quantile, corrected) (max_over_time({WINDOW}, quantile!="1"}}[$__rate_interval]))',
                     "{{quantile}} {{corrected}}"),
             p.query(f'max by (corrected) (max_over_time({WINDOW}, quantile="1"}}[$__rate_interval]))', "max {{corrected}}")],
            colours=p.TAIL, log=True, height=10),
    p.graph("99.9 % by group, worst series", "s",
            """99.9th percentile of the window over all pods of a namespace, deployment or zone, as far as gateways keep them
            apart. Exact to 0.1 %; of several series of a group, such as routes, the slowest.""", 12,
            [p.query(f'max by ({GROUP}, corrected) (max_over_time({WINDOW}, quantile="0.999"}}[$__rate_interval]))',
                     OF_GROUP + " {{corrected}}")], log=True, height=10, most_first=True),
    p.heat_map("Every value of the fleet", """Values a second in each bucket of the native histogram, all pods added together. Two
            bands are two kinds of call; a vertical streak is a stall of many pods at once.""", 12,
            raw_first(lambda corrected: f"sum(rate({COUNTS}, {corrected}}}[$__rate_interval]))"), exemplar=False),
    p.graph("99 % by group, all series together", "s",
            """From native histograms, added bucket by bucket over all series of a group. Within one bucket, which is 9 % wide at
            schema 3.""", 12,
            [p.query(f"histogram_quantile(0.99, sum by ({GROUP}, corrected) (rate({COUNTS}}}[$__rate_interval])))",
                     OF_GROUP + " {{corrected}}")], log=True, height=10, most_first=True),
    p.graph("Calls by group", "reqps", "Calls a second of all pods of a group, as counted by the histograms.", 24,
            [p.query(raw_first(lambda corrected: f"sum by ({GROUP}) (histogram_count(rate({COUNTS}, {corrected}}}[$__rate_interval])))"),
                     OF_GROUP)], stack=True),
]

FLOW = [
    p.graph("From sidecars to Kafka", "short",
            """Intervals a second that gateways received, and that Kafka has. They part when Kafka is slow; sidecars then keep
            what they have.""", 12,
            [p.query(rate(gateway("intervals_total")), "received"),
             p.query(rate(gateway("acknowledged_intervals_total")), "acknowledged")]),
    p.graph("From Kafka to counts", "short",
            """Intervals a second that nodes merged, that had been merged before, and that came late. Without a backlog, merged
            and merged before are together what Kafka was given.""", 12,
            [p.query(rate(node("intervals_total")), "merged"),
             p.query(rate(node("duplicate_intervals_total")), "merged before"),
             p.query(rate(node("late_intervals_total")), "late")]),
    p.graph("Intervals by gateway", "short", "Intervals a second that each gateway received. Sidecars stay where they connected.", 8,
            [p.query(rate(gateway("intervals_total"), BY), "{{$pod_label}}")], stack=True),
    p.graph("Intervals by node", "short", "Intervals a second that each node merged.", 8,
            [p.query(rate(node("intervals_total"), BY), "{{$pod_label}}")], stack=True),
    p.graph("Values by node", "short", "Values a second in these intervals: recorded calls of the fleet.", 8,
            [p.query(rate(node("values_total"), BY), "{{$pod_label}}")], stack=True),
]

WAITS = [
    p.graph("Waiting at gateways", "short", "Intervals that a gateway has and Kafka has not. They are acknowledged to nobody yet.", 12,
            [p.query(f"max by ({BY}) ({gateway('waiting_intervals')})", "{{$pod_label}}")]),
    p.graph("Oldest at gateways", "s", "For how long the oldest of them has waited. At 10 s a gateway is no longer ready.", 12,
            [p.query(f"max by ({BY}) (max_over_time({gateway('lag_seconds')}[$__rate_interval]))", "{{$pod_label}}")]),
    p.graph("Waiting on the topics", "short", "Records of a node's partitions that it has not merged yet.", 8,
            [p.query(f"max by ({BY}) ({node('lag_records')})", "{{$pod_label}}")]),
    p.graph("Left to restore", "short",
            """Records that a node's stores lack still. /-/ready is 503 until they are there. A standby on another node would have
            most of them.""", 8,
            [p.query(f"max by ({BY}) ({node('restoring_records')})", "{{$pod_label}}"),
             p.query(f"max by ({BY}) ({node('standby_lag_records')})", "standbys {{$pod_label}}")]),
    p.graph("Merged and not committed", "bytes",
            "Memory of what a node merged since its last commit, which is when it is shown. Near node.pending-memory it commits early.",
            8, [p.query(f"max by ({BY}) ({node('pending_bytes')})", "{{$pod_label}}")]),
]

TROUBLE = [
    p.graph("Refused at gateways, by reason", "short", "Frames, series and intervals a second that were refused.", 8,
            [p.query(some(rate(own("rejected_total"), "reason")), "{{reason}}")], most_first=True, no_value="nothing refused"),
    p.graph("Skipped on the topics, by reason", "short", "Records a second that could not be merged. The log names topic and offset.", 8,
            [p.query(some(rate(node("skipped_records_total"), "reason")), "{{reason}}")], most_first=True, no_value="nothing skipped"),
    p.graph("Failures to produce", "short",
            """A second: records that Kafka refused for good, ways back to producing that failed, and descriptions of series that
            it did not take.""", 8,
            [p.query(some(rate(gateway("produce_failures_total"), BY)), "refused {{$pod_label}}"),
             p.query(some(rate(gateway("open_failures_total"), BY)), "no way back {{$pod_label}}"),
             p.query(some(rate(gateway("description_failures_total"), BY)), "descriptions {{$pod_label}}")], no_value="no failures"),
    p.graph("Nodes that fail each other, by reason", "short",
            """Times a second that a node had no use of what it asked others for, and so refused a question with 503, or asked
            again. While partitions move there are some (partitions, unreachable). The answer to
            such a question names the node.""", 12,
            [p.query(some(rate(node("peer_failures_total"), f"{BY}, reason")), "{{reason}} {{$pod_label}}")], most_first=True,
            no_value="all nodes answer each other"),
    p.graph("Answers between nodes", "short",
            "Answers a second that each node got from others: one for each other node and question.", 12,
            [p.query(rate(node("peer_answers_total"), BY), "{{$pod_label}}")]),
]

NODES = [
    p.graph("Partitions by node", "none", "A step down is a node that went or was ended; the others take its partitions over.", 8,
            [p.query(f"max by ({BY}) ({node('partitions')})", "{{$pod_label}}")], stack=True),
    p.graph("Processor", "percentunit", "Cores in use by gateways and nodes; 100 % is one core.", 8,
            [p.query(cores(BY), "{{$pod_label}}")]),
    p.graph("Heap in use", "bytes", "The JVM's heap. Nodes have the memory of their stores beside it.", 8,
            [p.query(f"sum by ({BY}) ({own('jvm_memory_used_bytes', HEAP)})", "{{$pod_label}}")]),
    p.graph("Commits", "short", "Commits a second of partitions that had something to write. None: nothing new is shown.", 8,
            [p.query(rate(node("commits_total"), BY), "{{$pod_label}}")]),
    p.graph("Series shown", "none", "Series of a node's partitions, and those it has no room to show.", 8,
            [p.query(f"max by ({BY}) ({own('series')})", "{{$pod_label}}"),
             p.query(some(f"max by ({BY}) ({node('hidden_series')})"), "hidden {{$pod_label}}")]),
    p.graph("Sidecars by gateway", "none", "Sidecars with a connection to each gateway.", 8,
            [p.query(f"sum by ({BY}) ({own('client_connected')} and on (job, instance) {gateway('producing')})", "{{$pod_label}}")],
            stack=True),
    p.graph("Connections in use", "percentunit",
            """Share in use of the connections that a gateway has room for. A full one refuses sidecars, which then try another.""", 12,
            [p.query(f"""max by ({BY}) ({own('connections')} / {own('connections_limit')}
             and on (job, instance) {gateway('producing')})""", "{{$pod_label}}")]),
    p.graph("Memory of what waits for Kafka", "percentunit",
            "Share in use of the gateway's memory for it. At three quarters it reads nothing more from anybody.", 12,
            [p.query(f"""max by ({BY}) ({own('heap_share_held_bytes', WAITING)}
             / {own('heap_share_bytes', WAITING)} and on (job, instance) {gateway('producing')})""", "{{$pod_label}}")]),
    p.rows_of("Each node", "none", "What each node has, and how far it is.", 24,
              [p.query(f"max by (instance, pod) ({node('partitions')})", table=True),
               p.query(f"max by (instance, pod) ({node('lag_records')})", table=True),
               p.query(f"max by (instance, pod) ({node('restoring_stores')})", table=True),
               p.query(f"max by (instance, pod) ({own('series')} and on (job, instance) {node('partitions')})", table=True)],
              columns={"instance": "Instance", "pod": "Pod", "Value #A": "Partitions", "Value #B": "Records waiting",
                       "Value #C": "Stores restored now", "Value #D": "Series"},
              sort_by="Instance", descending=False, height=8),
]


def variables():
    """Gateways and nodes, then the pods of which they tell."""
    parts = '{__name__=~"hdr_sidecar_gateway_producing|hdr_sidecar_fleet_partitions", '
    shown = '{__name__="${series}_window_seconds", cluster=~"$cluster", job=~"$job", $pod_label=~"$pod"'
    source, _, _, _, pods_by, _ = p.common_variables()
    many = {"many": True, "all_value": ".*"}
    return [
        source,
        p.choices("cluster", "Cluster", "label_values(hdr_sidecar_fleet_partitions, cluster)",
                  "Clusters, where the data source knows several.", **many),
        p.choices("namespace", "Fleet's namespace", 'label_values(hdr_sidecar_fleet_partitions{cluster=~"$cluster"}, namespace)',
                  "Where gateways and nodes run.", **many),
        # All means these: sidecars that are scraped as well, whose series nodes have, would count twice.
        p.choices("job", "Job", f'label_values({parts}cluster=~"$cluster", namespace=~"$namespace"}}, job)',
                  "Scrape jobs of gateways and nodes.", many=True),
        pods_by,
        p.choices("pod", "Gateway or node", f"label_values({parts}{p.BEFORE_POD}}}, $pod_label)", "Gateways and nodes.", **many),
        p.choices("series", "Series",
                  'label_values({__name__=~".+_window_seconds", cluster=~"$cluster", job=~"$job", $pod_label=~"$pod"}, __name__)',
                  "Every series of durations, by the name the application gave it.", regex="/^(.+)_window_seconds$/"),
        p.choices("kind", "Kind", f"label_values({shown}}}, kind)",
                  "Response time is what callers see, service time what the server says. None: the series has no kinds."),
        p.window_variable(f"{shown}}}"),
        p.choices("of_namespace", "Namespace", f"label_values({shown}}}, namespace)",
                  "Namespaces of the pods that sidecars told about.", **many),
        p.choices("deployment", "Deployment", f'label_values({shown}, namespace=~"$of_namespace"}}, deployment)',
                  "Deployments, where gateways keep them apart (ingest.resource-labels).", **many),
    ]


DASHBOARD = p.board(
    "hdr-sidecar-fleet",
    "Fleet",
    """Gateways and nodes on Kafka: whether they are whole and keep up, and the percentiles of all pods together.""",
    variables(),
    {"Is it whole, and does it keep up": NOW, "All pods together": FLEET, "From sidecars to counts": FLOW, "What waits": WAITS,
     "Refused and skipped": TROUBLE, "Gateways and nodes": NODES},
    alerts='alertname=~"HdrFleet.+", cluster=~"$cluster", namespace=~"$namespace"',
)
