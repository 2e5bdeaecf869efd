package io.hdrsidecar.sidecar.config;

import io.hdrsidecar.sidecar.api.HttpConfig;
import io.hdrsidecar.sidecar.expose.ExposeConfig;
import io.hdrsidecar.sidecar.journal.JournalConfig;
import io.hdrsidecar.sidecar.limits.MergeConfig;
import io.hdrsidecar.sidecar.logs.LogConfig;
import io.hdrsidecar.sidecar.receive.CrashFolderConfig;
import io.hdrsidecar.sidecar.receive.ReceiveConfig;
import io.hdrsidecar.sidecar.receive.SpillFolderConfig;
import io.hdrsidecar.sidecar.sla.SlaRule;
import io.hdrsidecar.sidecar.upstream.UpstreamConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * All that is configurable, by stage. Built by {@link ConfigLoader}.
 *
 * @param receive where clients connect, and what they may cost
 * @param merge limits and windows of the series
 * @param expose how series are shown to Prometheus
 * @param http where HTTP is served
 * @param journal where merged intervals are kept; null for nowhere
 * @param spill where clients leave what they could not deliver; null for nowhere
 * @param crash where what they record outlives them; null for nowhere
 * @param upstream to which sidecar what was merged is handed on; null for none
 * @param statsd where values come by StatsD, if anywhere
 * @param otlp where histograms come by OTLP, if anywhere
 * @param export where series are pushed to; null for nowhere
 * @param history what is kept of the past
 * @param slas rules of service level agreements
 * @param slaProblems why there are none of them although there is a file, one line each
 * @param life how the process starts, ends and changes
 * @param self what the sidecar measures about itself
 * @param log how the process logs
 * @param texts every setting as it is in force, by key
 * @param warnings what looks like a mistake and is none for sure, one line each
 */
public record SidecarConfig(
    ReceiveConfig receive,
    MergeConfig merge,
    ExposeConfig expose,
    HttpConfig http,
    @Nullable JournalConfig journal,
    @Nullable SpillFolderConfig spill,
    @Nullable CrashFolderConfig crash,
    @Nullable UpstreamConfig upstream,
    StatsdConfig statsd,
    OtlpConfig otlp,
    @Nullable ExportConfig export,
    HistoryConfig history,
    List<SlaRule> slas,
    List<String> slaProblems,
    LifeConfig life,
    SelfConfig self,
    LogConfig log,
    Map<String, String> texts,
    List<String> warnings)
    implements ServingConfig {
  /** Takes copies of map and lists. */
  public SidecarConfig {
    slas = List.copyOf(slas);
    slaProblems = List.copyOf(slaProblems);
    texts = Map.copyOf(texts);
    warnings = List.copyOf(warnings);
  }

  /** Time between two looks for the sidecar's own pauses; null for no looks. */
  public @Nullable Duration ownHiccups() {
    return self.hiccups() ? self.hiccupsResolution() : null;
  }

  /** The same with other rules. */
  public SidecarConfig withSlas(List<SlaRule> others) {
    return new SidecarConfig(
        receive, merge, expose, http, journal, spill, crash, upstream, statsd, otlp, export,
        history, others, List.of(), life, self, log, texts, warnings);
  }
}
