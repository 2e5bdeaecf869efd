package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.internal.interval.Exemplar;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.window.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Prometheus' text format 0.0.4 and OpenMetrics 1.0, which differ in the head of a metric and in
 * created timestamps, and of which only OpenMetrics has exemplars.
 *
 * <p>Sources: https://prometheus.io/docs/instrumenting/exposition_formats/ and
 * https://prometheus.io/docs/specs/om/open_metrics_spec/. The tests hold every byte against the
 * Prometheus client's writers.
 */
final class TextFormat implements SeriesFormat {
  private final boolean openMetrics;
  private final ExposeConfig config;
  private final byte[][] quantiles;
  private final byte[][] windows;

  TextFormat(boolean openMetrics, ExposeConfig config, List<WindowSpec> windows) {
    this.openMetrics = openMetrics;
    this.config = config;
    this.quantiles = quantileLabels(config);
    this.windows = windowLabels(windows);
  }

  @Override
  public boolean hasNative() {
    return false;
  }

  /** With a comma behind it, which the last label of a line gives up again. */
  @Override
  public void putLabel(String name, String value, Bytes out) {
    out.putUtf8(name);
    out.putAscii("=\"");
    out.putUtf8(escaped(value).replace("\"", "\\\""));
    out.putAscii("\",");
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\n", "\\n");
  }

  @Override
  public FamilyWriter family(FamilyText text) {
    return new TextFamilyWriter(text);
  }

  private byte[] head(String name, String type, String help, Unit unit) {
    String typeLine = "# TYPE " + name + " " + type + "\n";
    if (!openMetrics) {
      return utf8("# HELP " + name + " " + escaped(help) + "\n" + typeLine);
    }
    String unitLine =
        unit.baseUnit().isEmpty() ? "" : "# UNIT " + name + " " + unit.baseUnit() + "\n";
    String helpLine = "# HELP " + name + " " + escaped(help).replace("\"", "\\\"") + "\n";
    return utf8(typeLine + unitLine + helpLine);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private final class TextFamilyWriter implements FamilyWriter {
    private final byte[] histogramHead;
    private final byte[] quantileHead;
    private final byte[] bucket;
    private final byte[] count;
    private final byte[] sum;
    private final byte[] created;
    private final byte[] window;
    private final byte[][] edges;

    TextFamilyWriter(FamilyText text) {
      histogramHead = head(text.cumulative(), "histogram", text.help(), text.unit());
      String untyped = openMetrics ? "unknown" : "untyped";
      quantileHead = head(text.window(), untyped, text.windowHelp(), text.unit());
      bucket = utf8(text.cumulative() + "_bucket{");
      count = utf8(text.cumulative() + "_count");
      sum = utf8(text.cumulative() + "_sum");
      created = utf8(text.cumulative() + "_created");
      window = utf8(text.window() + "{");
      List<Double> bounds = config.edges(text.unit());
      edges = new byte[bounds.size() + 1][];
      for (int i = 0; i < bounds.size(); i++) {
        edges[i] = utf8("le=\"" + bounds.get(i) + "\"} ");
      }
      edges[bounds.size()] = utf8("le=\"+Inf\"} ");
    }

    @Override
    public void beginHistograms(PageBytes page, boolean headed) {
      if (!headed) {
        page.bytes().put(histogramHead);
      }
    }

    @Override
    public void histogram(EncodedLabels labels, HistogramReading reading, Bytes out) {
      for (int i = 0; i < edges.length; i++) {
        out.put(bucket);
        labels.putInto(out);
        out.put(edges[i]);
        out.putDecimal(reading.cumulativeAt(i));
        if (openMetrics) {
          putExemplar(reading, i, out);
        }
        out.put('\n');
      }
      putNameAndLabels(count, labels, out);
      out.putDecimal(reading.count());
      out.put('\n');
      putNameAndLabels(sum, labels, out);
      out.putDouble(reading.sum());
      out.put('\n');
      if (openMetrics) {
        putNameAndLabels(created, labels, out);
        out.putSeconds(reading.createdMillis());
        out.put('\n');
      }
    }

    private void putExemplar(HistogramReading reading, int edge, Bytes out) {
      Exemplar exemplar = reading.exemplarAt(edge);
      if (exemplar != null) {
        out.putAscii(" # {");
        if (!exemplar.spanId().isEmpty()) {
          putLabel("span_id", exemplar.spanId(), out);
        }
        putLabel("trace_id", exemplar.traceId(), out);
        closeLabels(out);
        out.put(' ');
        out.putDouble(reading.valueOf(exemplar));
        out.put(' ');
        out.putSeconds(exemplar.millis());
      }
    }

    private void putNameAndLabels(byte[] name, EncodedLabels labels, Bytes out) {
      out.put(name);
      if (!labels.isEmpty()) {
        out.put('{');
        labels.putInto(out);
        closeLabels(out);
      }
      out.put(' ');
    }

    private void closeLabels(Bytes out) {
      out.truncate(out.size() - 1); // the comma
      out.put('}');
    }

    @Override
    public void endHistograms(PageBytes page) {
      // Nothing closes a metric in text.
    }

    @Override
    public void beginQuantiles(PageBytes page, boolean headed) {
      if (!headed) {
        page.bytes().put(quantileHead);
      }
    }

    @Override
    public void quantile(EncodedLabels labels, int quantile, int spec, double value, Bytes out) {
      out.put(window);
      labels.putWith(quantiles[quantile], windows[spec], out);
      closeLabels(out);
      out.put(' ');
      out.putDouble(value);
      out.put('\n');
    }

    @Override
    public void endQuantiles(PageBytes page) {
      // Nothing closes a metric in text.
    }
  }
}
