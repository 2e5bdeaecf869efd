package io.hdrsidecar.sidecar.inject;

import io.hdrsidecar.sidecar.inject.Verdict.Result;
import io.vertx.core.json.JsonArray;
import java.util.List;
import java.util.Map;

/**
 * Decides whether a pod gets the sidecar, and how. The same pod gets the same answer, and a pod
 * that has been given a sidecar is left as it is, so it does not matter how often, and after which
 * other webhooks, the API server asks.
 *
 * <p>What stands in the way is said in full and never keeps the pod from being created: measuring a
 * service must not be the reason that it does not run. Immutable; any thread.
 */
final class Injector {
  /** The kubelet's image of a static pod: the API server does not create what it describes. */
  private static final String MIRROR = "kubernetes.io/config.mirror";

  private final Component component;

  /**
   * An injector.
   *
   * @param component what pods get
   */
  Injector(Component component) {
    this.component = component;
  }

  /**
   * The answer for one pod.
   *
   * @param byDefault whether a pod that does not say so gets a sidecar: the wish of its namespace
   * @throws MalformedDocumentException when it is no pod
   */
  Verdict decide(Pod pod, boolean byDefault) throws MalformedDocumentException {
    Map<String, String> annotations = pod.annotations();
    InjectAnnotations wish = InjectAnnotations.of(annotations);
    Boolean said = wish.inject();
    if (annotations.containsKey(MIRROR) || Boolean.FALSE.equals(said)) {
      return Verdict.of(Result.NOT_WANTED);
    }
    if (!wish.problems().isEmpty()) {
      return impossible(pod, wish.problems());
    }
    if (said == null && !byDefault) {
      return wish.hasOverrides()
          ? impossible(pod, List.of(withoutWish()))
          : Verdict.of(Result.NOT_WANTED);
    }
    if (PodCheck.hasSidecar(pod, component)) {
      return Verdict.of(Result.PRESENT);
    }
    Component wanted = ComponentChange.apply(component, wish.overrides());
    List<Problem> problems = PodCheck.problems(pod, wanted, wish.overrides());
    return problems.isEmpty()
        ? new Verdict(Result.INJECTED, PodPatch.of(pod, wanted, wish.overrides()), List.of())
        : impossible(pod, problems);
  }

  private static Problem withoutWish() {
    return new Problem(
        PodAnnotation.INJECT.field(),
        "is missing, and other annotations ask for a sidecar; set it to \"true\" or \"false\"");
  }

  private static Verdict impossible(Pod pod, List<Problem> problems)
      throws MalformedDocumentException {
    String start = "no hdr-sidecar in pod " + pod.name() + ": ";
    return new Verdict(
        Result.IMPOSSIBLE,
        new JsonArray(),
        problems.stream().map(problem -> start + problem).toList());
  }
}
