package io.hdrsidecar.tests.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;

/**
 * A test with a container: skipped, with a message, where no Docker engine answers, so that {@code
 * mvn verify} works anywhere; failed there when {@value #REQUIRED} is {@code true}, as in CI.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresDocker.Condition.class)
public @interface RequiresDocker {
  /** Environment variable under which nothing may be skipped. */
  String REQUIRED = "HDR_SIDECAR_REQUIRE_REAL_PARTS";

  /** Asks for the engine. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      return evaluate(
          DockerClientFactory.instance().isDockerAvailable(),
          Boolean.parseBoolean(System.getenv(REQUIRED)));
    }

    static ConditionEvaluationResult evaluate(boolean available, boolean required) {
      if (available) {
        return ConditionEvaluationResult.enabled("a Docker engine answers");
      }
      if (required) {
        throw new IllegalStateException("no Docker engine answers, but " + REQUIRED + "=true");
      }
      return ConditionEvaluationResult.disabled("no Docker engine answers");
    }
  }
}
