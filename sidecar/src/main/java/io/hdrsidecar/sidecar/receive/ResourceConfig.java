package io.hdrsidecar.sidecar.receive;

import io.hdrsidecar.series.Labels;
import io.hdrsidecar.sidecar.setting.Setting;
import io.hdrsidecar.sidecar.setting.SettingParser;
import java.util.Arrays;
import java.util.List;

/** The labels that are kept apart of the places where sidecars below run. */
public record ResourceConfig(
    @Setting(
            key = "ingest.resource-labels",
            byDefault = "namespace,deployment",
            form = "names separated by commas; empty for none",
            help =
                "Which resource labels of sidecars below become labels of their series; over the"
                    + " others their series add up.",
            parser = Names.class)
        List<String> labels) {
  /** Takes a copy of the list. */
  public ResourceConfig {
    labels = List.copyOf(labels);
  }

  /** The labels of these that are kept. */
  Labels keptOf(Labels resource) {
    Labels kept = Labels.empty();
    for (String name : labels) {
      if (!resource.get(name).isEmpty()) {
        kept = kept.with(name, resource.get(name));
      }
    }
    return kept;
  }

  /** Names of labels. */
  static final class Names implements SettingParser {
    @Override
    public List<String> parse(String text, long heapBytes) {
      List<String> names =
          Arrays.stream(text.split(",", -1)).map(String::strip).filter(n -> !n.isEmpty()).toList();
      names.forEach(name -> Labels.of(name, "x")); // Throws for a name that no label can have.
      if (names.size() > Labels.MAX_LABELS) {
        throw new IllegalArgumentException(
            "at most " + Labels.MAX_LABELS + " names: " + names.size());
      }
      return names;
    }
  }
}
