package io.hdrsidecar.benchmarks.peers;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Cost against rate, and cost against the number of series, both axes logarithmic, as PNG. */
final class Plots {
  /** Okabe and Ito's palette, which people who see fewer colours tell apart; and a shape each. */
  private static final Map<Peer, Color> COLORS =
      new EnumMap<>(
          Map.of(
              Peer.HDR_SIDECAR, new Color(0x0072B2),
              Peer.STATSD_UDP, new Color(0xD55E00),
              Peer.STATSD_UNIX, new Color(0xE69F00),
              Peer.OTLP, new Color(0x009E73),
              Peer.MICROMETER, new Color(0xCC79A7),
              Peer.CLIENT_JAVA, new Color(0x000000)));

  private static final Map<Peer, Marker> MARKERS =
      new EnumMap<>(
          Map.of(
              Peer.HDR_SIDECAR, SeriesMarkers.CIRCLE,
              Peer.STATSD_UDP, SeriesMarkers.TRIANGLE_UP,
              Peer.STATSD_UNIX, SeriesMarkers.TRIANGLE_DOWN,
              Peer.OTLP, SeriesMarkers.SQUARE,
              Peer.MICROMETER, SeriesMarkers.DIAMOND,
              Peer.CLIENT_JAVA, SeriesMarkers.CROSS));

  private static final int DOTS_PER_INCH = 144;

  private final Results results;

  Plots(Results results) {
    this.results = results;
  }

  /** Draws those for which there are two points at least; gives the names of the files. */
  List<String> save(Path folder) throws IOException {
    List<String> files = new ArrayList<>();
    List<Point> rates =
        points(Comparator.comparingLong(Point::rate), p -> p.series() == Point.USUAL_SERIES);
    if (rates.size() > 1) {
      files.add("peers-cost-by-rate.png");
      draw(
          folder.resolve("peers-cost-by-rate.png"),
          "What an event costs, 100 series",
          "events a second",
          rates,
          Point::rate);
    }
    List<Point> counts =
        points(Comparator.comparingInt(Point::series), p -> p.rate() == Point.USUAL_RATE);
    if (counts.size() > 1) {
      files.add("peers-cost-by-series.png");
      draw(
          folder.resolve("peers-cost-by-series.png"),
          "What an event costs, 100,000 events a second",
          "series",
          counts,
          Point::series);
    }
    return files;
  }

  private List<Point> points(Comparator<Point> order, Predicate<Point> belongs) {
    return results.points().stream().filter(belongs).sorted(order).toList();
  }

  private void draw(
      Path file, String title, String across, List<Point> points, ToDoubleFunction<Point> x)
      throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(900)
            .height(560)
            .title(title)
            .xAxisTitle(across)
            .yAxisTitle("CPU s per million events, application and beside")
            .build();
    style(chart);
    toDecades(chart, points);
    for (Peer peer : results.peers()) {
      if (peer != Peer.NONE) {
        addLine(chart, peer, points, x);
      }
    }
    BitmapEncoder.saveBitmapWithDPI(chart, file.toString(), BitmapFormat.PNG, DOTS_PER_INCH);
  }

  private void addLine(XYChart chart, Peer peer, List<Point> points, ToDoubleFunction<Point> x) {
    List<Double> xs = new ArrayList<>();
    List<Double> ys = new ArrayList<>();
    for (Point point : points) {
      results
          .cost(peer, point)
          .ifPresent(
              cost -> {
                xs.add(x.applyAsDouble(point));
                ys.add(cost);
              });
    }
    if (xs.isEmpty()) {
      return;
    }
    XYSeries line = chart.addSeries(peer.title(), xs, ys);
    line.setLineColor(COLORS.get(peer));
    line.setMarkerColor(COLORS.get(peer));
    line.setMarker(MARKERS.get(peer));
    line.setLineStyle(new BasicStroke(peer == Peer.HDR_SIDECAR ? 3f : 1.6f));
  }

  /** Whole decades of cost, so that both axes have figures at the ends. */
  private void toDecades(XYChart chart, List<Point> points) {
    DoubleSummaryStatistics costs =
        points.stream()
            .flatMap(point -> results.at(point).stream())
            .filter(result -> result.peer() != Peer.NONE)
            .flatMap(result -> results.cost(result).stream())
            .mapToDouble(Double::doubleValue)
            .summaryStatistics();
    if (costs.getCount() > 0) {
      chart
          .getStyler()
          .setYAxisMin(Math.pow(10, Math.floor(Math.log10(costs.getMin()))))
          .setYAxisMax(Math.pow(10, Math.ceil(Math.log10(costs.getMax()))));
    }
  }

  private static void style(XYChart chart) {
    Font font = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    chart
        .getStyler()
        .setXAxisLogarithmic(true)
        .setYAxisLogarithmic(true)
        // Not by formatting functions: with those the library labels a logarithmic axis linearly.
        .setXAxisDecimalPattern("#,###")
        .setYAxisDecimalPattern("#,##0.###")
        .setAxisTickLabelsFont(font)
        .setAxisTitleFont(font)
        .setPlotGridLinesColor(new Color(0xE0E0E0));
    chart
        .getStyler()
        .setLegendPosition(LegendPosition.OutsideE)
        .setLegendFont(font)
        .setLegendBorderColor(Color.WHITE)
        .setChartTitleFont(font.deriveFont(Font.BOLD, 15f))
        .setChartBackgroundColor(Color.WHITE)
        .setPlotBackgroundColor(Color.WHITE)
        .setPlotBorderColor(new Color(0xB0B0B0))
        .setMarkerSize(8);
  }
}
