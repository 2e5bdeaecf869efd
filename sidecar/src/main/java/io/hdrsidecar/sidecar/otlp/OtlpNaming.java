package io.hdrsidecar.sidecar.otlp;

import io.hdrsidecar.internal.interval.OverflowLabels;
import io.hdrsidecar.internal.interval.SeriesKey;
import io.hdrsidecar.series.Labels;
import io.hdrsidecar.series.Unit;
import io.hdrsidecar.sidecar.plain.PlainName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * From what OpenTelemetry calls a metric to what Prometheus calls it, by Prometheus' own
 * translation: underscores for what it does not allow, the unit at the end, {@code job} and {@code
 * instance} from the resource. The exposition appends {@code seconds} and {@code bytes}, so they
 * are not part of a series' name. Immutable; any thread.
 *
 * <p>Source: {@code prometheus/otlptranslator} and the specification's page "Prometheus and
 * OpenMetrics compatibility".
 */
final class OtlpNaming {
  private static final String SERVICE = "service.name";
  private static final String NAMESPACE = "service.namespace";
  private static final String INSTANCE = "service.instance.id";

  /** What Prometheus calls a label of a target that the target's own labels stand against. */
  private static final String EXPORTED = "exported_";

  private static final String TOTAL = "total";
  private static final String RATIO = "ratio";

  private static final int MOST_HELP = 1000;
  private static final int MOST_NAME = 1000;

  private final Set<String> promoted;

  /**
   * A naming.
   *
   * @param promoted attributes of resources that become labels, too
   */
  OtlpNaming(List<String> promoted) {
    this.promoted = Set.copyOf(promoted);
  }

  /** What a metric is called, and how its values are kept. */
  record Named(String name, OtlpUnit unit, String help) {}

  /** What a metric is that is shown as it is. */
  enum PlainKind {
    /** A sum that does not fall. */
    COUNTER,
    /** One that may. */
    SUM,
    GAUGE
  }

  /** Name and unit of a histogram. */
  Named metric(String name, String ucum, String description) throws RejectedPointException {
    OtlpUnit unit = OtlpUnit.of(ucum);
    List<String> words = words(name);
    if (unit.kept() == Unit.NONE) {
      addUnit(words, ucum);
    } else if (words.size() > 1 && words.get(words.size() - 1).equals(unit.word())) {
      words.remove(words.size() - 1);
    }
    return new Named(joined(words, name), unit, help(description));
  }

  /** Name of a sum or a gauge, with its unit; a counter's without {@code _total}. */
  String plain(String name, String ucum, PlainKind kind) throws RejectedPointException {
    List<String> words = words(name);
    addUnit(words, ucum);
    if (kind == PlainKind.COUNTER) {
      words.removeIf(TOTAL::equals);
    } else if (kind == PlainKind.GAUGE && ucum.equals("1")) {
      words.removeIf(RATIO::equals);
      words.add(RATIO);
    }
    String joined = joined(words, name);
    if (PlainName.hasMeaning(joined)) {
      throw new RejectedPointException(
          NotKeptPoint.BAD_NAME,
          "the name must not end with what Prometheus gives a meaning: " + shown(joined));
    }
    return joined;
  }

  /** Of letters and digits, with anything else in between. */
  private static List<String> words(String name) throws RejectedPointException {
    if (name.length() > MOST_NAME) {
      throw new RejectedPointException(
          NotKeptPoint.BAD_NAME,
          "a metric's name must have at most " + MOST_NAME + " characters: " + shown(name));
    }
    List<String> words = new ArrayList<>();
    for (String word : name.split("[^a-zA-Z0-9:]+", -1)) {
      if (!word.isEmpty()) {
        words.add(word);
      }
    }
    return words;
  }

  private static void addUnit(List<String> words, String ucum) {
    for (String word : OtlpUnit.words(ucum)) {
      if (!words.contains(word)) {
        words.add(word);
      }
    }
  }

  private static String joined(List<String> words, String name) throws RejectedPointException {
    if (words.isEmpty()) {
      throw new RejectedPointException(
          NotKeptPoint.BAD_NAME, "a metric's name must have a letter or a digit: " + shown(name));
    }
    String joined = String.join("_", words);
    return Character.isDigit(joined.charAt(0)) ? "_" + joined : joined;
  }

  /** What is shown of a description. */
  static String help(String description) {
    if (description.length() <= MOST_HELP) {
      return description;
    }
    boolean cutsPair = Character.isHighSurrogate(description.charAt(MOST_HELP - 1));
    return description.substring(0, cutsPair ? MOST_HELP - 1 : MOST_HELP);
  }

  /** What the attributes of a resource give each of its series. */
  Map<String, String> resourceLabels(List<Attribute> attributes) {
    Map<String, String> labels = new TreeMap<>();
    String service = "";
    String namespace = "";
    String instance = "";
    for (Attribute attribute : sorted(attributes)) {
      if (promoted.contains(attribute.key())) {
        join(labels, attribute);
      }
      switch (attribute.key()) {
        case SERVICE -> service = attribute.value();
        case NAMESPACE -> namespace = attribute.value();
        case INSTANCE -> instance = attribute.value();
        default -> {}
      }
    }
    if (!service.isEmpty()) {
      labels.put(EXPORTED + "job", namespace.isEmpty() ? service : namespace + "/" + service);
    }
    if (!instance.isEmpty()) {
      labels.put(EXPORTED + "instance", instance);
    }
    return labels;
  }

  /**
   * Name and labels of a series. What a point says itself wins over what its resource says, but for
   * job and instance.
   *
   * @param resource what {@link #resourceLabels} gave
   */
  SeriesKey key(String name, List<Attribute> attributes, Map<String, String> resource)
      throws RejectedPointException {
    Map<String, String> labels = new TreeMap<>();
    for (Attribute attribute : sorted(attributes)) {
      join(labels, attribute);
    }
    for (Map.Entry<String, String> entry : resource.entrySet()) {
      if (entry.getKey().startsWith(EXPORTED)) {
        labels.put(entry.getKey(), entry.getValue());
      } else {
        labels.putIfAbsent(entry.getKey(), entry.getValue());
      }
    }
    Labels checked;
    try {
      checked = Labels.of(labels);
    } catch (IllegalArgumentException e) {
      throw new RejectedPointException(NotKeptPoint.BAD_ATTRIBUTES, String.valueOf(e.getMessage()));
    }
    try {
      return new SeriesKey(name, checked);
    } catch (IllegalArgumentException e) {
      throw new RejectedPointException(NotKeptPoint.BAD_NAME, String.valueOf(e.getMessage()));
    }
  }

  /** Two attributes that become one label are shown both, in the order of their keys. */
  private static void join(Map<String, String> labels, Attribute attribute) {
    if (!attribute.key().isEmpty()) {
      labels.merge(label(attribute.key()), attribute.value(), (one, other) -> one + ";" + other);
    }
  }

  private static List<Attribute> sorted(List<Attribute> attributes) {
    List<Attribute> sorted = new ArrayList<>(attributes);
    sorted.sort(Comparator.comparing(Attribute::key));
    return sorted;
  }

  /** As Prometheus has it; and out of the way of labels that it or the exposition sets. */
  private static String label(String key) {
    StringBuilder label = new StringBuilder(key.length() + 4);
    for (int i = 0; i < key.length(); i++) {
      char c = key.charAt(i);
      boolean isLetter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z' && c < 128;
      label.append(isLetter || isDigit(c) ? c : '_');
    }
    if (isDigit(label.charAt(0))) {
      label.insert(0, "key_");
    } else if (label.charAt(0) == '_') {
      label.insert(0, "key");
    }
    String name = label.toString();
    return Labels.isReserved(name) || name.equals(OverflowLabels.MARK) ? EXPORTED + name : name;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static String shown(String text) {
    return text.length() <= 100 ? text : text.substring(0, 100) + "...";
  }
}
