package io.hdrsidecar.sidecar.export;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import io.hdrsidecar.sidecar.export.Receiver.Answer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.xerial.snappy.Snappy;

/**
 * A request of remote write 2.0, read by Google's protobuf with Prometheus' own description of the
 * messages, and by another Snappy.
 *
 * @param symbols the table of texts
 */
record RemoteWritten(List<String> symbols, List<Written> series) {
  static final String HISTOGRAMS_WRITTEN = "X-Prometheus-Remote-Write-Histograms-Written";

  private static final FileDescriptor MESSAGES = messages();

  /**
   * One series of a request.
   *
   * @param labels in the order in which they came
   * @param samples value by time in milliseconds
   */
  record Written(
      Map<String, String> labels,
      Map<Long, Double> samples,
      List<Histogram> histograms,
      List<Exemplar> exemplars,
      String type,
      String help,
      String unit) {
    String name() {
      return labels.getOrDefault("__name__", "");
    }

    Histogram histogram() {
      return histograms.get(0);
    }
  }

  /**
   * A native histogram.
   *
   * @param counts by index of the bucket; those of empty ones in a span are 0
   */
  record Histogram(
      long count,
      double sum,
      int schema,
      double zeroThreshold,
      long zeroCount,
      Map<Integer, Long> counts,
      int spans,
      long millis,
      long startMillis) {}

  /** An exemplar of a series. */
  record Exemplar(Map<String, String> labels, double value, long millis) {}

  private static FileDescriptor messages() {
    try (InputStream text =
        RemoteWritten.class.getResourceAsStream("/remote-write/types.textproto")) {
      String described =
          new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
      return FileDescriptor.buildFrom(
          TextFormat.parse(described, FileDescriptorProto.class), new FileDescriptor[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (DescriptorValidationException e) {
      throw new IllegalStateException(e);
    }
  }

  static RemoteWritten read(byte[] body) {
    try {
      Message request =
          DynamicMessage.parseFrom(
              MESSAGES.findMessageTypeByName("Request"), Snappy.uncompress(body));
      if (!request.getUnknownFields().asMap().isEmpty()) {
        throw new AssertionError("not of remote write 2.0: " + request);
      }
      List<String> symbols = all(request, "symbols", String.class);
      return new RemoteWritten(
          symbols,
          all(request, "timeseries", Message.class).stream()
              .map(message -> series(message, symbols))
              .toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The usual answer: all of it was written. */
  static Answer answer(byte[] body) {
    long histograms = read(body).series().stream().mapToLong(s -> s.histograms().size()).sum();
    return answer(204, histograms);
  }

  static Answer answer(int status, long written) {
    return new Answer(
        status, Map.of(HISTOGRAMS_WRITTEN, String.valueOf(written)), new byte[0], written > 0);
  }

  private static Written series(Message message, List<String> symbols) {
    Map<Long, Double> samples = new TreeMap<>();
    for (Message sample : all(message, "samples", Message.class)) {
      samples.put(get(sample, "timestamp", Long.class), get(sample, "value", Double.class));
    }
    Message metadata = get(message, "metadata", Message.class);
    return new Written(
        labels(message, symbols),
        samples,
        all(message, "histograms", Message.class).stream().map(RemoteWritten::histogram).toList(),
        all(message, "exemplars", Message.class).stream()
            .map(
                exemplar ->
                    new Exemplar(
                        labels(exemplar, symbols),
                        get(exemplar, "value", Double.class),
                        get(exemplar, "timestamp", Long.class)))
            .toList(),
        get(metadata, "type", EnumValueDescriptor.class).getName(),
        symbols.get(get(metadata, "help_ref", Integer.class)),
        symbols.get(get(metadata, "unit_ref", Integer.class)));
  }

  private static Map<String, String> labels(Message message, List<String> symbols) {
    List<Integer> refs = all(message, "labels_refs", Integer.class);
    Map<String, String> labels = new LinkedHashMap<>();
    for (int i = 0; i < refs.size(); i += 2) {
      labels.put(symbols.get(refs.get(i)), symbols.get(refs.get(i + 1)));
    }
    return labels;
  }

  private static Histogram histogram(Message message) {
    List<Long> deltas = new ArrayList<>(all(message, "positive_deltas", Long.class));
    List<Message> spans = all(message, "positive_spans", Message.class);
    Map<Integer, Long> counts = new TreeMap<>();
    int index = 0;
    long count = 0;
    for (Message span : spans) {
      index += get(span, "offset", Integer.class);
      for (int i = get(span, "length", Integer.class); i > 0; i--) {
        count += deltas.remove(0);
        counts.put(index++, count);
      }
    }
    if (!deltas.isEmpty()) {
      throw new AssertionError("more deltas than the spans have buckets: " + message);
    }
    return new Histogram(
        get(message, "count_int", Long.class),
        get(message, "sum", Double.class),
        get(message, "schema", Integer.class),
        get(message, "zero_threshold", Double.class),
        get(message, "zero_count_int", Long.class),
        counts,
        spans.size(),
        get(message, "timestamp", Long.class),
        get(message, "start_timestamp", Long.class));
  }

  private static <T> T get(Message message, String field, Class<T> type) {
    return type.cast(message.getField(message.getDescriptorForType().findFieldByName(field)));
  }

  private static <T> List<T> all(Message message, String field, Class<T> type) {
    List<?> all = get(message, field, List.class);
    return all.stream().map(type::cast).toList();
  }
}
