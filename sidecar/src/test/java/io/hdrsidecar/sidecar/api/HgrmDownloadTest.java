package io.hdrsidecar.sidecar.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.Plotters;
import io.hdrsidecar.sidecar.support.UploadedSidecar;
import io.hdrsidecar.sidecar.support.UploadedSidecar.Interval;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code format=hgrm} downloads works in HdrHistogram's plotters as it is. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class HgrmDownloadTest {
  private static final double MILLION = 1e6;

  private final Histogram first = values(1);
  private final Histogram second = values(2);
  private final UploadedSidecar sidecar;
  private final Path folder;

  HgrmDownloadTest(@TempDir Path folder) throws Exception {
    this.folder = folder;
    sidecar = new UploadedSidecar(Map.of());
  }

  private static Histogram values(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Histogram histogram = UploadedSidecar.histogram();
    for (int i = 0; i < 5000; i++) {
      histogram.recordValue((long) (MILLION * Math.exp(4 * random.nextDouble())));
    }
    return histogram;
  }

  @BeforeEach
  void upload() throws Exception {
    sidecar.upload("name=first&unit=ns", List.of(interval(first)));
    sidecar.upload("name=second&unit=ns", List.of(interval(second)));
  }

  private static Interval interval(Histogram histogram) {
    List<Long> values = new ArrayList<>();
    for (HistogramIterationValue bucket : histogram.recordedValues()) {
      for (long i = 0; i < bucket.getCountAtValueIteratedTo(); i++) {
        values.add(bucket.getValueIteratedTo());
      }
    }
    return new Interval(0, 1, values.stream().mapToLong(Long::longValue).toArray());
  }

  @AfterEach
  void stop() {
    sidecar.close();
  }

  private String download(String series, String more) throws Exception {
    HttpResponse<String> answer =
        sidecar.get("/api/v1/histogram?format=hgrm&ratio=1000000&series=" + series + more);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @Test
  void download_inPlotFiles_hasThePointsOfHdrHistogram() throws Exception {
    List<List<Double>> expected = new ArrayList<>();
    for (HistogramIterationValue step : first.percentiles(5)) {
      if (step.getPercentileLevelIteratedTo() < 100) {
        double x = 1 / (1 - step.getPercentileLevelIteratedTo() / 100);
        expected.add(List.of(rounded(x, 2), rounded(step.getValueIteratedTo() / MILLION, 3)));
      }
    }

    assertThat(Plotters.plotFiles(List.of(download("first", "")))).isEqualTo(expected);
    assertThat(Plotters.plotFiles(List.of(download("first", sidecar.between(-1, 2)))))
        .isEqualTo(expected);
  }

  private static double rounded(double value, int decimals) {
    return Double.parseDouble(String.format(Locale.ROOT, "%." + decimals + "f", value));
  }

  @Test
  void downloads_ofTwoSeries_areTwoCurvesInBothPlotters() throws Exception {
    List<String> texts =
        List.of(download("first", ""), download("second", "&expectedInterval=10ms"));
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      files.add(Files.writeString(folder.resolve(i + ".hgrm"), texts.get(i)));
    }
    Path svg = folder.resolve("plot.svg");

    List<List<@Nullable Double>> table = Plotters.plotFiles(texts);
    String said = Plotters.gnuplot(folder, "svg", svg, files);

    assertThat(table).isNotEmpty().allMatch(row -> row.size() == 3);
    assertThat(said).isEmpty();
    assertThat(Plotters.plotsIn(svg)).isEqualTo(3); // and the labels of the axis
  }
}
