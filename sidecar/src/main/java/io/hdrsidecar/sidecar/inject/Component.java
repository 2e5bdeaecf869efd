package io.hdrsidecar.sidecar.inject;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;

/**
 * What a pod gets: the objects of the manifests' component, read by {@link ComponentFile}, possibly
 * changed as one pod wants it by {@link ComponentChange}.
 *
 * @param sidecar the container
 * @param isNative whether it goes to the init containers, in front of those that are there, or to
 *     the containers, behind them
 * @param volumes for the sidecar, and shared with the application
 * @param env for each container of the application, where it is not set
 * @param mounts for each container of the application; the first is of the folder with the socket
 * @param securityContext fields of the pod's, where it has no group
 * @param graceSeconds time for the end of a pod that says none, 30 s of it the application's; 0 for
 *     no matter
 * @param labels of the pod, where they are not set
 * @param annotations of the pod, where they are not set
 */
public record Component(
    JsonObject sidecar,
    boolean isNative,
    List<JsonObject> volumes,
    List<JsonObject> env,
    List<JsonObject> mounts,
    Map<String, Object> securityContext,
    long graceSeconds,
    Map<String, String> labels,
    Map<String, String> annotations) {

  /** Name of the sidecar's container. */
  static final String NAME = "hdr-sidecar";

  /** The folder both containers have. */
  JsonObject socketMount() {
    return mounts.get(0);
  }

  /**
   * The same with another image.
   *
   * @param image reference, taken as it is
   */
  public Component withImage(String image) {
    return withSidecar(sidecar.copy().put("image", image));
  }

  Component withSidecar(JsonObject other) {
    return new Component(
        other, isNative, volumes, env, mounts, securityContext, graceSeconds, labels, annotations);
  }

  Component withVolumes(List<JsonObject> others) {
    return new Component(
        sidecar,
        isNative,
        List.copyOf(others),
        env,
        mounts,
        securityContext,
        graceSeconds,
        labels,
        annotations);
  }

  Component withGraceSeconds(long seconds) {
    return new Component(
        sidecar, isNative, volumes, env, mounts, securityContext, seconds, labels, annotations);
  }
}
