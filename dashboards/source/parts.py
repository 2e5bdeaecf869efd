"""What all dashboards share: variables, colours, and panels that look alike because they are made alike."""

import string

from grafana_foundation_sdk.builders import barchart, common as c, dashboard as d, heatmap as h, prometheus
from grafana_foundation_sdk.builders import stat as s, statetimeline as st, table as t, timeseries as ts
from grafana_foundation_sdk.models import common, dashboard as m, heatmap
from grafana_foundation_sdk.models.prometheus import PromQueryFormat, QueryEditorMode

SOURCE = m.DataSourceRef(type_val="prometheus", uid="${datasource}")
LATENCIES = m.DataSourceRef(type_val="prometheus", uid="${latencies}")

GREEN, YELLOW, ORANGE, RED, PURPLE, BLUE, GREY = "green", "yellow", "orange", "red", "purple", "blue", "text"

# The deeper in the tail, the hotter; the maximum has a colour of its own. By the start of the legend.
TAIL = {
    r"^(0\.5\b|50 %)": "blue",
    r"^(0\.9\b|90 %)": "green",
    r"^(0\.99\b|99 %)": "yellow",
    r"^(0\.999\b|99\.9 %)": "orange",
    r"^(0\.9999\b|99\.99 %)": "red",
    r"^max": "purple",
}
KINDS = {r"^response": "red", r"^service": "blue", r"^wait": "yellow"}

# What every selector has: a cluster, a namespace, a job, and pods by whatever label tells them apart.
WHERE = 'cluster=~"$cluster", namespace=~"$namespace", job=~"$job", $pod_label=~"$pod"'
BEFORE_POD = 'cluster=~"$cluster", namespace=~"$namespace", job=~"$job"'

# --- Variables -------------------------------------------------------------------------------------------------------


def choices(name, label, query, description, *, many=False, all_value=None, regex=None, sort=None):
    """A variable whose values the data source is asked for, again whenever the time range changes."""
    variable = (
        d.QueryVariable(name)
        .label(label)
        .description(description)
        .datasource(SOURCE)
        .query({"query": query, "refId": "PrometheusVariableQueryEditor-VariableQuery"})
        .refresh(m.VariableRefresh.ON_TIME_RANGE_CHANGED)
        .sort(sort or m.VariableSort.ALPHABETICAL_ASC)
        .multi(many)
        .include_all(many)
    )
    if many:
        variable.all_value(all_value).current(m.VariableOption(selected=True, text=["All"], value=["$__all"]))
    if regex:
        variable.regex(regex)
    return variable


# A sidecar that is asked itself knows no job, so all of them is no list of those that there are. Where calls are added up, the
# sidecar of a fleet must not count them again: Grafana writes such a value as it is into job=~"$job", the end of the text included.
EVERY_JOB = ".*"
JOBS_OF_PODS = '.*", job!~"hdr-sidecar-fleet.*'


def common_variables(all_jobs=EVERY_JOB):
    """Where to look: data source, job, and pod by whatever label tells pods apart."""
    return [
        d.DatasourceVariable("datasource")
        .label("Data source")
        .description("A Prometheus that scrapes the sidecars, native histograms included.")
        .type("prometheus"),
        choices(
            "cluster",
            "Cluster",
            "label_values(hdr_sidecar_build_info, cluster)",
            "Clusters, where the data source knows several.",
            many=True,
            all_value=".*",
        ),
        choices(
            "namespace",
            "Namespace",
            'label_values(hdr_sidecar_build_info{cluster=~"$cluster"}, namespace)',
            "Namespaces with sidecars.",
            many=True,
            all_value=".*",
        ),
        choices(
            "job",
            "Job",
            'label_values(hdr_sidecar_build_info{cluster=~"$cluster", namespace=~"$namespace"}, job)',
            "Scrape jobs with sidecars.",
            many=True,
            all_value=all_jobs,
        ),
        # Descending, so that pod, which only Kubernetes gives, comes before instance, which is always there.
        choices(
            "pod_label",
            "Pods by",
            "label_names(hdr_sidecar_build_info)",
            "The label that tells pods apart: pod where the scrape sets it, as a PodMonitor does, else instance.",
            regex="/^(pod|instance)$/",
            sort=m.VariableSort.ALPHABETICAL_DESC,
        ),
        choices(
            "pod",
            "Pod",
            f"label_values(hdr_sidecar_build_info{{{BEFORE_POD}}}, $pod_label)",
            "Pods with a sidecar.",
            many=True,
            all_value=".*",
        ),
    ]


def latencies_variable():
    """Which answers the panels about a series: the data source of all the others, or a sidecar itself."""
    return (
        d.DatasourceVariable("latencies")
        .label("Latencies from")
        .description(
            """The same Prometheus, or a sidecar as a data source of its own, whose histograms are exact to 0.1 % instead of
            one bucket.""".replace("\n            ", " ")
        )
        .type("prometheus")
    )


def series_variables():
    """Which latencies: any family of durations, one kind of time of it, one window."""
    return [
        choices(
            "series",
            "Series",
            'label_values({__name__=~".+_window_seconds", ' + WHERE + "}, __name__)",
            "Every series of durations, by the name the application gave it.",
            regex="/^(.+)_window_seconds$/",
        ),
        choices(
            "kind",
            "Kind",
            'label_values({__name__="${series}_window_seconds", ' + WHERE + "}, kind)",
            "Response time is what callers see, service time what the server says, wait the difference. None: the series has no kinds.",
        ),
        window_variable('{__name__="${series}_window_seconds", ' + WHERE + "}"),
    ]


def window_variable(selector):
    return choices(
        "window", "Window", f"label_values({selector}, window)", "Sliding window of the percentile gauges."
    ).current(m.VariableOption(selected=True, text="1m", value="1m"))  # where there is one of that name


def label_filters(example):
    """Further labels, added to every query; as many as wanted."""
    return (
        d.AdHocVariable("labels")
        .label("Labels")
        .description(f"Further labels, such as {example}. They narrow every panel.")
        .datasource(SOURCE)
    )


# --- Panels ----------------------------------------------------------------------------------------------------------


def steps(*pairs):
    """Thresholds: a colour, then pairs of a value and the colour from there on."""
    base, *rest = pairs
    return (
        d.ThresholdsConfig()
        .mode(m.ThresholdsMode.ABSOLUTE)
        .steps([m.Threshold(value=None, color=base)] + [m.Threshold(value=v, color=color) for v, color in rest])
    )


def texts(**by_value):
    """Words and colours in place of values: _1=("yes", GREEN)."""
    return m.ValueMap(
        options={k.lstrip("_"): m.ValueMappingResult(text=w, color=color, index=i)
                 for i, (k, (w, color)) in enumerate(by_value.items())}
    )


def query(expr, legend="", *, instant=False, table=False, cells=False, exemplar=False):
    target = prometheus.Dataquery().expr(" ".join(expr.split())).editor_mode(QueryEditorMode.CODE)
    target.datasource(SOURCE)
    target.legend_format(legend or "__auto")
    (target.instant() if instant or table else target.range())
    target.format(PromQueryFormat.TABLE if table else PromQueryFormat.HEATMAP if cells else PromQueryFormat.TIME_SERIES)
    if exemplar:
        target.exemplar(True)
    return target


def number_by_verdict(title, unit, description, width, value, verdict):
    """The same in the colour of a verdict: 1 is green, 0 red, and none blue. Of its queries one answers."""
    colours = [(f"({value}) and on () ({verdict} == 1)", GREEN), (f"({value}) and on () ({verdict} == 0)", RED),
               (f"({value}) unless on () {verdict}", BLUE)]
    panel = number(title, unit, description, width, [expr for expr, _ in colours])
    for letter, (_, colour) in zip(string.ascii_uppercase, colours, strict=False):
        panel.override_by_query(letter, [fixed(colour)])
    return panel


def filled(panel, title, unit, description, width, height, queries):
    panel.title(title).description(" ".join(description.split())).unit(unit).datasource(SOURCE)
    panel.span(width).height(height)
    for letter, each in zip(string.ascii_uppercase, queries, strict=False):
        panel.with_target(each.ref_id(letter))
    return panel


def from_latencies(panels):
    """These panels ask whatever the variable of that name says, for every query of theirs."""
    for panel in panels:
        panel.datasource(LATENCIES)
        for target in panel._internal.targets:
            target.datasource = LATENCIES
    return panels


def number(title, unit, description, width, queries, *, thresholds=None, mappings=None, no_value="no data", decimals=None,
           height=4):
    """One number, large, its background in the colour of its threshold."""
    queries = [queries] if isinstance(queries, str) else queries
    panel = (
        s.Panel()
        .color_mode(common.BigValueColorMode.BACKGROUND)
        .graph_mode(common.BigValueGraphMode.NONE)
        .reduce_options(c.ReduceDataOptions().calcs(["lastNotNull"]))
        .color_scheme(d.FieldColor().mode(m.FieldColorModeId.THRESHOLDS))
        .thresholds(thresholds or steps(BLUE))
        .no_value(no_value)
    )
    if mappings:
        panel.mappings([mappings])
    if decimals is not None:
        panel.decimals(decimals)
    if any(not isinstance(each, str) for each in queries):
        panel.text_mode(common.BigValueTextMode.VALUE_AND_NAME)
    queries = [query(each, instant=True) if isinstance(each, str) else each for each in queries]
    return filled(panel, title, unit, description, width, height, queries)


def graph(title, unit, description, width, queries, *, colours=None, thresholds=None, dashed=None, log=False,
          stack=False, height=8, calcs=("max", "lastNotNull"), most_first=False, no_value=None):
    """Lines over time. No line is drawn where there is no data: an empty window is not 0."""
    legend = (
        c.VizLegendOptions()
        .show_legend(True)
        .display_mode(common.LegendDisplayMode.TABLE)
        .placement(common.LegendPlacement.BOTTOM)
        .calcs(list(calcs))
    )
    if most_first:
        legend.sort_by("Max").sort_desc(True)
    panel = (
        ts.Panel()
        .tooltip(c.VizTooltipOptions().mode(common.TooltipDisplayMode.MULTI).sort(common.SortOrder.DESCENDING))
        .legend(legend)
        .line_width(1)
        .fill_opacity(0)
        .span_nulls(False)
        .min(0)
        .color_scheme(d.FieldColor().mode(m.FieldColorModeId.PALETTE_CLASSIC))
    )
    if log:
        panel._internal.field_config.defaults.min_val = None  # 0 is nowhere on a logarithmic axis
        panel.scale_distribution(c.ScaleDistributionConfig().type(common.ScaleDistribution.LOG).log(10))
    if stack:
        panel.stacking(c.StackingConfig().mode(common.StackingMode.NORMAL).group("A")).fill_opacity(30)
    if thresholds:
        panel.thresholds(thresholds)
        panel.thresholds_style(c.GraphThresholdsStyleConfig().mode(common.GraphThresholdsStyleMode.DASHED))
    if no_value:
        panel.no_value(no_value)
    for pattern, colour in (colours or {}).items():
        panel.override_by_regexp(pattern, [fixed(colour)])
    for pattern, colour in (dashed or {}).items():
        line = {"fill": "dash", "dash": [10, 8]}
        panel.override_by_regexp(pattern, [fixed(colour), m.DynamicConfigValue("custom.lineStyle", line)])
    return filled(panel, title, unit, description, width, height, queries)


def fixed(colour):
    return m.DynamicConfigValue("color", {"mode": "fixed", "fixedColor": colour})


def heat_map(title, description, width, expr, *, height=10, exemplar=True):
    """Every bucket of a native histogram, over time."""
    panel = (
        h.Panel()
        .calculate(False)
        .color(
            h.HeatmapColorOptions().mode(heatmap.HeatmapColorMode.SCHEME).scheme("Oranges")
            .scale(heatmap.HeatmapColorScale.EXPONENTIAL).exponent(0.3).steps(64)
        )
        .y_axis(h.YAxisConfig().unit("s"))
        .cell_values(h.CellValues().unit("reqps"))
        .filter_values(h.FilterValueRange().le(1e-9))
        .mode(common.TooltipDisplayMode.SINGLE)
        .show_y_histogram()
        .show_legend()
    )
    return filled(panel, title, "s", description, width, height, [query(expr, cells=True, exemplar=exemplar)])


def bars_of(title, unit, description, width, queries, *, height=10):
    """One bar for each query, in their order; the last in the range shown."""
    panel = (
        barchart.Panel()
        .orientation(common.VizOrientation.VERTICAL)
        .legend(c.VizLegendOptions().show_legend(False).display_mode(common.LegendDisplayMode.LIST)
                .placement(common.LegendPlacement.BOTTOM).calcs([]))
        .show_value(common.VisibilityMode.AUTO)
        .color_scheme(d.FieldColor().mode(m.FieldColorModeId.FIXED).fixed_color(BLUE))
        .x_field("Field")
        .min(0)
        .with_transformation(m.DataTransformerConfig(id_val="reduce", options={"reducers": ["lastNotNull"]}))
    )
    return filled(panel, title, unit, description, width, height, queries)


def rows_of(title, unit, description, width, queries, *, columns, sort_by, height=9, overrides=(), descending=True):
    """A table, one row for each set of labels. columns: field -> heading, in the order shown; all others are left out."""
    panel = (
        t.Panel()
        .sort_by([c.TableSortByFieldState().display_name(sort_by).desc(descending)])
        .with_transformation(m.DataTransformerConfig(id_val="merge", options={}))
        .with_transformation(
            m.DataTransformerConfig(
                id_val="filterFieldsByName", options={"include": {"names": list(columns)}}
            )
        )
        .with_transformation(
            m.DataTransformerConfig(
                id_val="organize",
                options={
                    "indexByName": {name: i for i, name in enumerate(columns)},
                    "renameByName": columns,
                    "excludeByName": {},
                },
            )
        )
        .no_value("–")
    )
    for heading, properties in overrides:
        panel.override_by_name(heading, [m.DynamicConfigValue(k, v) for k, v in properties.items()])
    return filled(panel, title, unit, description, width, height, queries)


def states(title, description, width, queries, mappings, *, height=8):
    """One strip a row of labels, in the colour of its state."""
    panel = (
        st.Panel()
        .merge_values(True)
        .show_value(common.VisibilityMode.NEVER)
        .row_height(0.8)
        .fill_opacity(80)
        .line_width(0)
        .mappings([mappings])
        .color_scheme(d.FieldColor().mode(m.FieldColorModeId.THRESHOLDS))
        .thresholds(steps(GREY))
        .legend(c.VizLegendOptions().show_legend(True).display_mode(common.LegendDisplayMode.LIST)
                .placement(common.LegendPlacement.BOTTOM).calcs([]))
    )
    return filled(panel, title, "none", description, width, height, queries)


# --- Dashboards ------------------------------------------------------------------------------------------------------


def board(uid, title, description, variables, rows, *, marks=True, alerts=f'alertname=~"Hdr.+", {BEFORE_POD}'):
    """A dashboard; rows: heading -> panels; marks: of those alerts and of restarts, which a Prometheus knows."""
    built = (
        d.Dashboard(title)
        .uid(uid)
        .description(" ".join(description.split()))
        .tags(["hdr-sidecar"])
        .timezone("browser")
        .time("now-1h", "now")
        .refresh("30s")
        .readonly()  # what is provisioned cannot be saved over; copies can be edited
        .tooltip(m.DashboardCursorSync.CROSSHAIR)
        .variables(variables)
        .link(
            d.DashboardLink("hdr-sidecar").type(m.DashboardLinkType.DASHBOARDS).tags(["hdr-sidecar"]).include_vars(marks)
            .keep_time(True)
        )
    )
    if marks:
        built.annotation(
            note("Alerts", f'ALERTS{{alertstate="firing", {alerts}}}', RED,
                 "{{alertname}}", "{{sla}} {{quantile}}")
        ).annotation(
            note("Restarts", f"changes(process_start_time_seconds{{{WHERE}}}[1m]) > 0", BLUE,
                 "restarted", "{{instance}}")
        )
    for heading, panels in rows.items():
        built.with_row(d.Row(heading))
        for panel in panels:
            built.with_panel(panel)
    model = built.build()
    for number_of, panel in enumerate(model.panels, start=1):
        panel.id_val = number_of
    return model


def note(name, expr, colour, title, text):
    """Marks on the time axis. How they read is the data source's own affair, which Grafana's schema leaves open."""
    model = (
        d.AnnotationQuery().name(name).datasource(SOURCE).enable(True).hide(False).icon_color(colour).expr(expr).build()
    )
    written = model.to_json
    model.to_json = lambda: {**written(), "titleFormat": title, "textFormat": text}
    return Built(model)


class Built:
    """What is built already, for where a builder is asked for."""

    def __init__(self, value):
        self.value = value

    def build(self):
        return self.value
