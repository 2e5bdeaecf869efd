package io.hdrsidecar.sidecar.inject;

import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
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
 * @param crashFolder what makes a pod safe for crashes, for those that ask for it
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
    Map<String, String> annotations,
    CrashFolderParts crashFolder) {

  /**
   * A folder in memory that the sidecar and the application's container share.
   *
   * @param env of both
   * @param mount of both
   * @param volume an {@code emptyDir}
   */
  public record CrashFolderParts(JsonObject env, JsonObject mount, JsonObject volume) {}

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
    return with(other, volumes, env, mounts, graceSeconds);
  }

  Component withVolumes(List<JsonObject> others) {
    return with(sidecar, List.copyOf(others), env, mounts, graceSeconds);
  }

  Component withGraceSeconds(long seconds) {
    return with(sidecar, volumes, env, mounts, seconds);
  }

  /** The same with one more variable and one more mount for each container of the application. */
  Component withClientPart(JsonObject variable, JsonObject mount) {
    return with(sidecar, volumes, and(env, variable), and(mounts, mount), graceSeconds);
  }

  private static List<JsonObject> and(List<JsonObject> some, JsonObject another) {
    List<JsonObject> all = new ArrayList<>(some);
    all.add(another);
    return List.copyOf(all);
  }

  private Component with(
      JsonObject otherSidecar,
      List<JsonObject> otherVolumes,
      List<JsonObject> otherEnv,
      List<JsonObject> otherMounts,
      long seconds) {
    return new Component(
        otherSidecar,
        isNative,
        otherVolumes,
        otherEnv,
        otherMounts,
        securityContext,
        seconds,
        labels,
        annotations,
        crashFolder);
  }
}
