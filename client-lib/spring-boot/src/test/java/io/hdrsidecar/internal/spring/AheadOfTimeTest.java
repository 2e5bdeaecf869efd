package io.hdrsidecar.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.GeneratedFiles.Kind;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

/**
 * What a native image needs to know of us; the applications of {@code tests/} run with what is
 * generated here.
 */
class AheadOfTimeTest {
  @Test
  void hints_haveThePropertiesAndTheEndpoint() {
    InMemoryGeneratedFiles files = new InMemoryGeneratedFiles();
    DefaultGenerationContext generation =
        new DefaultGenerationContext(new ClassNameGenerator(ClassName.get("shop", "Shop")), files);
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context
          .getEnvironment()
          .getSystemProperties()
          .put("management.endpoints.web.exposure.include", "hdrsidecar");
      context.register(Applications.Plain.class);
      new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
      generation.writeGeneratedContent();
    } finally {
      System.clearProperty("management.endpoints.web.exposure.include");
    }

    RuntimeHints hints = generation.getRuntimeHints();
    assertThat(files.getGeneratedFiles(Kind.SOURCE).keySet())
        .anyMatch(name -> name.contains("HdrSidecarClientAutoConfiguration"))
        .anyMatch(name -> name.contains("MeterRegistryConfiguration"));
    assertThat(hints.reflection().getTypeHint(HdrSidecarProperties.class))
        .satisfies(hint -> assertThat(hint.constructors()).isNotEmpty());
    assertThat(hints.reflection().getTypeHint(HdrSidecarEndpoint.class))
        .satisfies(hint -> assertThat(hint.methods()).anyMatch(m -> m.getName().equals("health")));
  }
}
