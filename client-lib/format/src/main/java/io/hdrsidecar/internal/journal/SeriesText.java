package io.hdrsidecar.internal.journal;

import io.hdrsidecar.internal.interval.BucketLayout;
import io.hdrsidecar.internal.interval.SeriesDefinition;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.zip.CRC32C;

/**
 * A series as text: {@code name=checkout unit=ns lowest=1 digits=3 highest=3600000000000
 * created=1700000000000 help=Time%20to%20pay label.route=/pay}. Where buckets are not
 * HdrHistogram's, {@code layout=base2:scale=3,per=1000000000} stands for lowest and digits.
 *
 * @param definition all that is said about the series
 * @param createdAt when counting began
 */
public record SeriesText(SeriesDefinition definition, Instant createdAt) {
  private static final String LABEL = "label.";

  /** In place of lowest and digits, where buckets are not HdrHistogram's. */
  private static final String LAYOUT = "layout";

  /** Tags stand in every line: longer ones are cut, and told apart by a checksum. */
  private static final int MAX_TAG_LENGTH = 200;

  /** The definition, blanks only between its parts. */
  public String encode() {
    SeriesKey key = definition.key();
    StringBuilder text =
        new StringBuilder("name=")
            .append(key.name())
            .append(" unit=")
            .append(definition.unit().symbol())
            .append(encode(definition.layout()))
            .append(" highest=")
            .append(definition.highestTrackableValue())
            .append(" created=")
            .append(createdAt.toEpochMilli())
            .append(" help=")
            .append(PercentText.encode(definition.help(), ""));
    String labels = encode(key.labels());
    return (labels.isEmpty() ? text : text.append(' ').append(labels)).toString();
  }

  private static String encode(BucketLayout layout) {
    return layout.isHdr()
        ? " lowest=" + layout.lowestDiscernibleValue() + " digits=" + layout.significantDigits()
        : " " + LAYOUT + "=" + layout;
  }

  /** Labels alone: {@code label.pod=x label.zone=y}. */
  static String encode(Labels labels) {
    StringJoiner text = new StringJoiner(" ");
    labels.forEach((name, value) -> text.add(LABEL + name + "=" + PercentText.encode(value, "")));
    return text.toString();
  }

  /**
   * The labels written so.
   *
   * @throws IllegalArgumentException when there are none
   */
  static Labels decodeLabels(String text) {
    Map<String, String> labels = new HashMap<>();
    decode(text, new HashMap<>(), labels);
    return Labels.of(labels);
  }

  /**
   * The series written so.
   *
   * @throws IllegalArgumentException when it is none
   */
  public static SeriesText decode(String text) {
    Map<String, String> fields = new HashMap<>();
    Map<String, String> labels = new HashMap<>();
    decode(text, fields, labels);
    BucketLayout layout =
        fields.containsKey(LAYOUT)
            ? BucketLayout.parse(field(fields, LAYOUT))
            : BucketLayout.of(number(fields, "lowest"), Math.toIntExact(number(fields, "digits")));
    return new SeriesText(
        new SeriesDefinition(
            new SeriesKey(field(fields, "name"), Labels.of(labels)),
            Unit.ofSymbol(field(fields, "unit")),
            field(fields, "help"),
            layout,
            number(fields, "highest")),
        Instant.ofEpochMilli(number(fields, "created")));
  }

  private static void decode(String text, Map<String, String> fields, Map<String, String> labels) {
    for (String part : text.split(" ", -1)) {
      int equals = part.indexOf('=');
      if (equals < 0) {
        throw new IllegalArgumentException("no name=value: " + part);
      }
      String name = part.substring(0, equals);
      String value = PercentText.decode(part.substring(equals + 1));
      if (name.startsWith(LABEL)) {
        labels.put(name.substring(LABEL.length()), value);
      } else {
        fields.put(name, value);
      }
    }
  }

  private static String field(Map<String, String> fields, String name) {
    String value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("definition of a series has no " + name);
    }
    return value;
  }

  private static long number(Map<String, String> fields, String name) {
    return Long.parseLong(field(fields, name));
  }

  /** What other tools know the series by: {@code checkout{method=GET;route=/pay}}. */
  String tag() {
    SeriesKey key = definition.key();
    StringBuilder labels = new StringBuilder();
    key.labels()
        .forEach(
            (name, value) ->
                labels
                    .append(labels.length() == 0 ? "" : ";")
                    .append(name)
                    .append('=')
                    .append(PercentText.encode(value, ",;={}~\"")));
    String tag = labels.length() == 0 ? key.name() : key.name() + "{" + labels + "}";
    if (tag.length() <= MAX_TAG_LENGTH) {
      return tag;
    }
    CRC32C crc = new CRC32C();
    crc.update(tag.getBytes(StandardCharsets.US_ASCII));
    return tag.substring(0, MAX_TAG_LENGTH) + "~" + Long.toHexString(crc.getValue());
  }
}
