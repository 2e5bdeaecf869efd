package io.hdrsidecar.internal.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.aspectj.lang.ProceedingJoinPoint;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.aspectj.MethodInvocationProceedingJoinPoint;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;

/**
 * Leads the calls of methods with an annotation, and of all methods of a class with it, through one
 * of Micrometer's aspects.
 *
 * <p>It finds the same methods as the aspect's own expressions would. Spring hands these to
 * AspectJ, which reads the class file of each bean for each of them; that took a quarter of an
 * application's start.
 */
final class AnnotatedMethods extends StaticMethodMatcherPointcutAdvisor {
  private static final long serialVersionUID = 1;

  private static final Log LOG = LogFactory.getLog(AnnotatedMethods.class);

  private final Class<? extends Annotation> annotation;
  private final Set<Class<?>> told = ConcurrentHashMap.newKeySet();

  /**
   * @param onMethod takes calls of methods that have the annotation themselves
   * @param onClass takes calls of the others, declared in a class that has it
   */
  AnnotatedMethods(Class<? extends Annotation> annotation, Around onMethod, Around onClass) {
    this.annotation = annotation;
    setAdvice(
        (MethodInterceptor)
            invocation -> {
              Class<?> target = AopUtils.getTargetClass(invocation.getThis());
              Method method = AopUtils.getMostSpecificMethod(invocation.getMethod(), target);
              Around around = method.isAnnotationPresent(annotation) ? onMethod : onClass;
              return around.proceed(
                  new MethodInvocationProceedingJoinPoint((ProxyMethodInvocation) invocation));
            });
  }

  @Override
  public boolean matches(Method method, Class<?> targetClass) {
    Method called = AopUtils.getMostSpecificMethod(method, targetClass);
    return (called.isAnnotationPresent(annotation)
            || called.getDeclaringClass().isAnnotationPresent(annotation))
        && canBeExtended(targetClass);
  }

  /** The application started with this class before it had our starter, and must go on to. */
  private boolean canBeExtended(Class<?> type) {
    if (!Modifier.isFinal(type.getModifiers()) && !type.isSealed()) {
      return true;
    }
    if (told.add(type)) {
      LOG.warn(
          "not measured: @%s in %s, as no proxy can extend a final or sealed class"
              .formatted(annotation.getSimpleName(), type.getName()));
    }
    return false;
  }

  /** What an aspect does around a call. */
  @FunctionalInterface
  interface Around {
    @Nullable Object proceed(ProceedingJoinPoint call) throws Throwable;
  }
}
