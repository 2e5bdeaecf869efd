package io.hdrsidecar.internal.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.internal.send.TestPeer;
import io.micrometer.core.annotation.Timed;
import io.micrometer.core.aop.TimedAspect;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.annotation.Observed;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.EnableAspectJAutoProxy;

/** What of {@code @Timed} and {@code @Observed} arrives, over a real socket. */
class AnnotationsTest {
  private TestPeer peer;
  private ApplicationContextRunner application;

  @BeforeEach
  void listen() throws IOException {
    peer = TestPeer.onTcp();
    application = Applications.sendingTo(peer).withBean(Till.class);
  }

  @AfterEach
  void stop() throws IOException {
    assertThat(peer.breaches()).isEmpty();
    peer.close();
  }

  @Test
  void withoutAnySetting_eachCallIsMeasuredOnce() {
    callPayAndClose();

    assertThat(counts("till_pay")).containsExactly(1L);
    assertThat(counts("till_close")).containsExactly(1L);
  }

  @Test
  void withoutAspectJsWeaver_eachCallIsMeasuredOnce() {
    application = application.withClassLoader(new FilteredClassLoader("org.aspectj.weaver"));
    callPayAndClose();

    assertThat(counts("till_pay")).containsExactly(1L);
    assertThat(counts("till_close")).containsExactly(1L);
  }

  @Test
  void withoutAspectJ_nothingIs_andTheApplicationStarts() {
    application = application.withClassLoader(new FilteredClassLoader("org.aspectj"));
    callPayAndClose();

    assertThat(peer.mergedKeys()).noneMatch(key -> key.startsWith("till_"));
  }

  @Test
  void switchedOff_nothingIs() {
    application = annotations("false");
    callPayAndClose();

    assertThat(peer.mergedKeys()).noneMatch(key -> key.startsWith("till_"));
  }

  @Test
  void withTheAspectsOfBoot_eachCallIsMeasuredOnce() {
    application = annotations("true");
    application.run(context -> assertThat(context).doesNotHaveBean(AnnotatedMethods.class));
    callPayAndClose();

    assertThat(counts("till_pay")).containsExactly(1L);
    assertThat(counts("till_close")).containsExactly(1L);
  }

  @Test
  void withAnAspectOfTheApplication_eachCallIsMeasuredOnce() {
    application = application.withUserConfiguration(OwnAspect.class);
    callPayAndClose();

    assertThat(counts("till_pay")).containsExactly(1L);
    assertThat(counts("till_close")).containsExactly(1L);
  }

  @Test
  void classWithAnnotations_itsMethodsAreMeasured() {
    callStock(application);

    assertStockIsMeasured();
  }

  /** That the test above asks for what AspectJ finds. */
  @Test
  void classWithAnnotations_withTheAspectsOfBoot_itsMethodsAreMeasured() {
    callStock(annotations("true"));

    assertStockIsMeasured();
  }

  private static void callStock(ApplicationContextRunner runner) {
    runner
        .withBean(Stock.class)
        .run(
            context -> {
              Stock stock = context.getBean(Stock.class);
              stock.take();
              stock.take();
              stock.count();
              stock.inherited();
            });
  }

  private void assertStockIsMeasured() {
    assertThat(counts("stock")).containsExactly(2L);
    assertThat(counts("stock_count")).containsExactly(1L);
    assertThat(counts("shelf")).containsExactlyInAnyOrder(2L, 1L); // by method
    assertThat(counts("shelf_inherited")).containsExactly(1L);
  }

  @Test
  void finalClass_worksAsBefore_andIsNotMeasured() {
    application
        .withBean(Closed.class)
        .run(context -> assertThat(context.getBean(Closed.class).answer()).isEqualTo(42));

    assertThat(peer.mergedKeys()).noneMatch(key -> key.startsWith("closed"));
  }

  private ApplicationContextRunner annotations(String enabled) {
    return application.withPropertyValues("management.observations.annotations.enabled=" + enabled);
  }

  private void callPayAndClose() {
    application.run(
        context -> {
          context.getBean(Till.class).pay();
          context.getBean(Till.class).close();
        });
  }

  /** Of each series with this name. */
  private List<Long> counts(String name) {
    return peer.mergedKeys().stream()
        .filter(key -> key.startsWith(name + "{"))
        .map(key -> Objects.requireNonNull(peer.merged(key)).count())
        .toList();
  }

  /** As Micrometer's own documentation has it. */
  @Configuration(proxyBeanMethods = false)
  @EnableAspectJAutoProxy
  static class OwnAspect {
    @Bean
    TimedAspect timedAspect(MeterRegistry registry) {
      return new TimedAspect(registry);
    }
  }

  /** What a user writes. Public, as a proxy made by another class loader can extend only that. */
  public static class Till {
    @Timed("till.pay")
    public void pay() {}

    @Observed(name = "till.close")
    public void close() {}
  }

  /** As every class of Kotlin that is not open. */
  public static final class Closed {
    @Timed("closed")
    public int answer() {
      return 42;
    }
  }

  /** Its methods have a name in the class that declares them. */
  public static class Shelf {
    @Timed("shelf.inherited")
    public void inherited() {}
  }

  /** Observed as a class, too. */
  @Timed("stock")
  @Observed(name = "shelf")
  public static class Stock extends Shelf {
    public void take() {}

    @Timed("stock.count")
    public void count() {}
  }
}
