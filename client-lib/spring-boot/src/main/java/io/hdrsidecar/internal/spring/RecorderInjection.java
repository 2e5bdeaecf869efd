package io.hdrsidecar.internal.spring;

import io.hdrsidecar.client.LatencyRecorder;
import org.springframework.beans.factory.ObjectFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Lets any bean ask for a {@link LatencyRecorder} by name, unless the application has such beans.
 *
 * <p>A bean definition could not: of a parameter with {@code @Qualifier("checkout")} Spring asks
 * only definitions of that name. What is registered as resolvable is given without a query.
 */
final class RecorderInjection implements BeanFactoryPostProcessor {
  @Override
  public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
    if (beans.getBeanNamesForType(LatencyRecorder.class, true, false).length == 0) {
      ObjectFactory<LatencyRecorder> recorders =
          () -> beans.getBean(NamedRecorder.class).recorder();
      beans.registerResolvableDependency(LatencyRecorder.class, recorders);
    }
  }
}
