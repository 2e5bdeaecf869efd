package io.hdrsidecar.tests.kubernetes;

import io.hdrsidecar.tests.support.RequiresPrograms;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A test that asks a Kubernetes API server, which it gets as a parameter of type {@link
 * KubernetesApi}. All such tests share one, so each has namespaces of its own.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@RequiresPrograms({"kube-apiserver", "etcd", "kubectl"})
@ExtendWith(RequiresKubernetes.Resolver.class)
public @interface RequiresKubernetes {
  /** Starts the API server when the first test asks for it; JUnit ends it after the last. */
  final class Resolver implements ParameterResolver {
    private static final ExtensionContext.Namespace OURS =
        ExtensionContext.Namespace.create(Resolver.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == KubernetesApi.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(OURS)
          .computeIfAbsent(KubernetesApi.class, key -> KubernetesApi.start(), KubernetesApi.class);
    }
  }
}
