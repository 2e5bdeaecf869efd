package io.hdrsidecar.sidecar.inject;

import io.hdrsidecar.sidecar.inject.Overrides.Claim;
import io.hdrsidecar.sidecar.inject.Overrides.CrashVolume;
import io.hdrsidecar.sidecar.inject.Overrides.EmptyDir;
import io.hdrsidecar.sidecar.inject.Overrides.JournalPlace;
import io.hdrsidecar.sidecar.inject.Overrides.PodVolume;
import io.hdrsidecar.sidecar.input.DurationText;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns the component into what one pod wants; the component stays as it is. */
final class ComponentChange {
  /** Variables that annotations change; the component has them with a value. */
  static final String DRAIN = "HDR_SIDECAR_DRAIN";

  static final String SLA_FILE = "HDR_SIDECAR_SLA_FILE";
  static final String JOURNAL = "HDR_SIDECAR_JOURNAL_DIRECTORY";

  private final JsonObject sidecar;
  private final List<JsonObject> volumes;
  private long graceSeconds;

  private ComponentChange(Component component) {
    this.sidecar = component.sidecar().copy();
    this.volumes = new ArrayList<>(component.volumes());
    this.graceSeconds = component.graceSeconds();
  }

  static Component apply(Component component, Overrides overrides) {
    ComponentChange change = new ComponentChange(component);
    if (overrides.image() != null) {
      change.sidecar.put("image", overrides.image());
    }
    change.limit("memory", overrides.memoryLimit());
    change.limit("cpu", overrides.cpuLimit());
    change.drain(overrides.drain());
    change.slaConfigMap(overrides.slaConfigMap());
    change.journal(overrides.journal());
    return change
        .crashSafe(component, overrides.crashSafe())
        .withSidecar(change.sidecar)
        .withVolumes(change.volumes)
        .withGraceSeconds(change.graceSeconds);
  }

  /** A request that was the limit stays so, others must not exceed it. */
  private void limit(String resource, @Nullable Quantity limit) {
    if (limit == null) {
      return;
    }
    JsonObject resources = objectIn(sidecar, "resources");
    JsonObject limits = objectIn(resources, "limits");
    JsonObject requests = objectIn(resources, "requests");
    String oldLimit = limits.getString(resource);
    String request = requests.getString(resource);
    if (request != null
        && (request.equals(oldLimit) || Quantity.parse(request).compareTo(limit) > 0)) {
      requests.put(resource, limit.text());
    }
    limits.put(resource, limit.text());
  }

  private static JsonObject objectIn(JsonObject parent, String key) {
    JsonObject found = parent.getJsonObject(key);
    JsonObject object = found == null ? new JsonObject() : found;
    parent.put(key, object);
    return object;
  }

  /** What the pod has for its end beside the drain stays. */
  private void drain(@Nullable Duration drain) {
    if (drain == null) {
      return;
    }
    JsonObject variable = env(DRAIN);
    graceSeconds += drain.toSeconds() - DurationText.parse(variable.getString("value")).toSeconds();
    variable.put("value", drain.toMillis() + "ms");
  }

  private void slaConfigMap(@Nullable String name) {
    if (name != null) {
      setSource(mountOf(SLA_FILE), "configMap", new JsonObject().put("name", name));
    }
  }

  private void journal(@Nullable JournalPlace place) {
    if (place == null) {
      return;
    }
    JsonObject mount = mountOf(JOURNAL);
    if (place instanceof Claim claim) {
      setSource(mount, "persistentVolumeClaim", new JsonObject().put("claimName", claim.name()));
    } else if (place instanceof PodVolume volume) {
      volumes.removeIf(known -> isNamed(known, mount.getString("name")));
      mount.put("name", volume.name());
    } else if (place instanceof EmptyDir) {
      setSource(mount, "emptyDir", new JsonObject());
    }
  }

  private Component crashSafe(Component component, @Nullable CrashVolume wanted) {
    if (wanted == null) {
      return component;
    }
    Component.CrashFolderParts crash = component.crashFolder();
    JsonObject volume = crash.volume().copy();
    if (wanted.sizeLimit() != null) {
      objectIn(volume, "emptyDir").put("sizeLimit", wanted.sizeLimit().text());
    }
    volumes.removeIf(known -> isNamed(known, volume.getString("name")));
    volumes.add(volume);
    if (env(sidecar, crash.env().getString("name")).isEmpty()) {
      arrayIn(sidecar, "env").add(crash.env());
      arrayIn(sidecar, "volumeMounts").add(crash.mount());
    }
    return component.withClientPart(crash.env(), crash.mount());
  }

  /** Changes where a volume comes from; what else is said about a source of that kind stays. */
  private void setSource(JsonObject mount, String kind, JsonObject source) {
    volumes.replaceAll(
        volume ->
            isNamed(volume, mount.getString("name"))
                ? new JsonObject()
                    .put("name", volume.getString("name"))
                    .put(kind, volume.getJsonObject(kind, new JsonObject()).copy().mergeIn(source))
                : volume);
  }

  /** The sidecar's mount that holds the path which this variable names. */
  private JsonObject mountOf(String variable) {
    return mountOf(sidecar, env(variable).getString("value"))
        .orElseThrow(() -> new IllegalStateException("checked when read: " + variable));
  }

  /** The mount of a container that holds a path. */
  static Optional<JsonObject> mountOf(JsonObject container, String path) {
    return arrayIn(container, "volumeMounts").stream()
        .map(JsonObject.class::cast)
        .filter(mount -> (path + "/").startsWith(mount.getString("mountPath") + "/"))
        .findFirst();
  }

  private static boolean isNamed(JsonObject object, String name) {
    return name.equals(object.getString("name"));
  }

  private JsonObject env(String name) {
    return env(sidecar, name)
        .orElseThrow(() -> new IllegalStateException("checked when read: " + name));
  }

  /** A variable of a container. */
  static Optional<JsonObject> env(JsonObject container, String name) {
    return arrayIn(container, "env").stream()
        .map(JsonObject.class::cast)
        .filter(env -> isNamed(env, name))
        .findFirst();
  }

  private static JsonArray arrayIn(JsonObject parent, String key) {
    JsonArray found = parent.getJsonArray(key);
    JsonArray array = found == null ? new JsonArray() : found;
    parent.put(key, array);
    return array;
  }
}
