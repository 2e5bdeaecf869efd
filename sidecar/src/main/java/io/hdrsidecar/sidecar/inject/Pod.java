package io.hdrsidecar.sidecar.inject;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A pod as the API server sends it before it is created: not checked yet, defaults filled in. */
record Pod(String namespace, Part document) {
  private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";

  Part metadata() throws MalformedDocumentException {
    return document.part("metadata");
  }

  Part spec() throws MalformedDocumentException {
    return document.part("spec");
  }

  Map<String, String> annotations() throws MalformedDocumentException {
    return metadata().texts("annotations");
  }

  List<Part> containers() throws MalformedDocumentException {
    return spec().parts("containers");
  }

  List<Part> initContainers() throws MalformedDocumentException {
    return spec().parts("initContainers");
  }

  /** Both, in the order in which they start. */
  List<Part> allContainers() throws MalformedDocumentException {
    List<Part> all = new ArrayList<>(initContainers());
    all.addAll(containers());
    return all;
  }

  List<Part> volumes() throws MalformedDocumentException {
    return spec().parts("volumes");
  }

  /**
   * The containers that record: the one that {@code kubectl} takes by default, unless others are
   * wanted.
   */
  List<Part> recording(Overrides overrides) throws MalformedDocumentException {
    List<String> wanted = overrides.containers();
    if (wanted != null) {
      return wanted.equals(Overrides.ALL) ? containers() : named(containers(), wanted);
    }
    List<Part> marked =
        named(containers(), List.of(annotations().getOrDefault(DEFAULT_CONTAINER, "")));
    return marked.isEmpty() ? containers().stream().limit(1).toList() : marked;
  }

  private static List<Part> named(List<Part> parts, List<String> names)
      throws MalformedDocumentException {
    List<Part> found = new ArrayList<>();
    for (Part part : parts) {
      if (names.contains(part.text("name"))) {
        found.add(part);
      }
    }
    return found;
  }

  /** The first of these with that name. */
  static Optional<Part> named(List<Part> parts, String name) throws MalformedDocumentException {
    return named(parts, List.of(name)).stream().findFirst();
  }

  /** For people: {@code shop/web-1}, or {@code shop/web-*} while the API server makes up a name. */
  String name() throws MalformedDocumentException {
    String given = metadata().text("name");
    String name = given.isEmpty() ? metadata().text("generateName") + "*" : given;
    return LogSafeText.text(namespace) + "/" + LogSafeText.text(name);
  }
}
