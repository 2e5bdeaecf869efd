package io.hdrsidecar.tests.support;

import java.io.File;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/**
 * A test that runs programs which must be in the path: skipped, with a message, where one is not,
 * and failed there when nothing may be skipped. {@code .ci/build-*.sh} build them.
 */
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(RequiresPrograms.Condition.class)
public @interface RequiresPrograms {
  /** Their names. */
  String[] value();

  /** Looks for them. */
  final class Condition implements ExecutionCondition {
    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
      List<String> missing =
          AnnotationSupport.findAnnotation(context.getElement(), RequiresPrograms.class)
              .map(required -> Arrays.asList(required.value()))
              .orElse(List.of())
              .stream()
              .filter(program -> !isInPath(program))
              .toList();
      return evaluate(missing, Boolean.parseBoolean(System.getenv(RequiresDocker.REQUIRED)));
    }

    static ConditionEvaluationResult evaluate(List<String> missing, boolean required) {
      if (missing.isEmpty()) {
        return ConditionEvaluationResult.enabled("the programs are there");
      }
      String reason = "not in the path: " + String.join(", ", missing);
      if (required) {
        throw new IllegalStateException(reason + ", but " + RequiresDocker.REQUIRED + "=true");
      }
      return ConditionEvaluationResult.disabled(reason);
    }

    private static boolean isInPath(String program) {
      return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
          .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }
  }
}
