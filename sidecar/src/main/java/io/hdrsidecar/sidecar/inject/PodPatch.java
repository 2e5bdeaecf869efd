package io.hdrsidecar.sidecar.inject;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Writes a component into a pod, which has been checked for room. */
final class PodPatch {
  private static final String GRACE = "terminationGracePeriodSeconds";

  /** What Kubernetes gives an application, and the component as well. */
  private static final long DEFAULT_GRACE_SECONDS = 30;

  private final Pod pod;
  private final Component component;
  private final Overrides overrides;
  private final JsonPatch patch = new JsonPatch();

  private PodPatch(Pod pod, Component component, Overrides overrides) {
    this.pod = pod;
    this.component = component;
    this.overrides = overrides;
  }

  /** What has to be added to the pod. */
  static JsonArray of(Pod pod, Component component, Overrides overrides)
      throws MalformedDocumentException {
    PodPatch writing = new PodPatch(pod, component, overrides);
    writing.metadata();
    writing.application();
    writing.sidecar();
    if (!overrides.keepsPodFields()) {
      writing.podFields();
    }
    return writing.patch.json();
  }

  private void metadata() throws MalformedDocumentException {
    patch.complete(pod.metadata(), "labels", component.labels());
    patch.complete(pod.metadata(), "annotations", component.annotations());
  }

  private void application() throws MalformedDocumentException {
    for (Part container : pod.recording(overrides)) {
      patch.append(container, "env", missing(container.parts("env"), component.env()));
      List<JsonObject> mounts = new ArrayList<>(component.mounts());
      for (Part there : container.parts("volumeMounts")) {
        mounts.removeIf(mount -> PodCheck.isSameMount(there.json(), mount));
      }
      patch.append(container, "volumeMounts", mounts);
    }
  }

  /**
   * Native sidecars start in the order of their list, and init containers after them; the first of
   * other containers is the one that kubectl takes.
   */
  private void sidecar() throws MalformedDocumentException {
    patch.append(pod.spec(), "volumes", missing(pod.volumes(), component.volumes()));
    if (component.isNative()) {
      patch.prepend(pod.spec(), "initContainers", component.sidecar());
    } else {
      patch.append(pod.spec(), "containers", List.of(component.sidecar()));
    }
  }

  private static List<JsonObject> missing(List<Part> there, List<JsonObject> wanted)
      throws MalformedDocumentException {
    List<JsonObject> missing = new ArrayList<>();
    for (JsonObject object : wanted) {
      if (Pod.named(there, object.getString("name")).isEmpty()) {
        missing.add(object);
      }
    }
    return missing;
  }

  private void podFields() throws MalformedDocumentException {
    // A pod with a group keeps all it says of it.
    if (!pod.spec().part("securityContext").has("fsGroup")) {
      patch.complete(pod.spec(), "securityContext", component.securityContext());
    }
    if (component.graceSeconds() > 0) {
      patch.set(pod.spec(), GRACE, graceSeconds());
    }
  }

  /** The application's own time, and after it what the sidecar needs. */
  private long graceSeconds() throws MalformedDocumentException {
    long sidecars = Math.max(0, component.graceSeconds() - DEFAULT_GRACE_SECONDS);
    return pod.spec().has(GRACE) ? pod.spec().number(GRACE) + sidecars : component.graceSeconds();
  }
}
