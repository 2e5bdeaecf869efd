package io.hdrsidecar.client.micrometer;

import java.lang.reflect.Method;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Runs tests that are known to fail, and fails when one of them passes: a list of exceptions stays
 * as short as it can be only if it is checked.
 */
final class KnownDeviations implements InvocationInterceptor {
  private final Set<String> names;

  /**
   * The tests that deviate.
   *
   * @param names simple class name, dot, method name
   */
  KnownDeviations(String... names) {
    this.names = Set.of(names);
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    Method test = method.getExecutable();
    String name = test.getDeclaringClass().getSimpleName() + "." + test.getName();
    if (!names.contains(name)) {
      invocation.proceed();
      return;
    }
    try {
      invocation.proceed();
    } catch (AssertionError expected) {
      return;
    }
    throw new AssertionError(name + " passes: take it off the list of deviations");
  }
}
