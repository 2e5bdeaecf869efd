package io.hdrsidecar.sidecar;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/**
 * Signals of the operating system.
 *
 * <p>The JDK has no supported way to receive one; {@code sun.misc.Signal} is the one that all use,
 * in the module jdk.unsupported. It is reached by reflection, so that a JVM without it, or started
 * with {@code -Xrs}, still runs a sidecar, with the JVM's own reaction to signals.
 */
final class Signals {
  private static final Logger LOG = System.getLogger(Signals.class.getName());

  private Signals() {}

  /**
   * Runs this, on a thread of its own, whenever the signal arrives.
   *
   * @param name without SIG: {@code TERM}
   * @return whether that is possible here
   */
  static boolean handle(String name, Runnable reaction) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      signal
          .getMethod("handle", signal, handler)
          .invoke(
              null,
              signal.getConstructor(String.class).newInstance(name),
              Proxy.newProxyInstance(
                  handler.getClassLoader(), new Class<?>[] {handler}, handlerOf(reaction)));
      return true;
    } catch (InvocationTargetException e) {
      LOG.log(Level.INFO, "event=signal_not_handled signal={0} cause={1}", name, e.getCause());
      return false;
    } catch (ReflectiveOperationException e) {
      LOG.log(Level.INFO, "event=signal_not_handled signal={0} cause={1}", name, e);
      return false;
    }
  }

  /** The JVM calls {@code handle}; the other methods are those of every object. */
  private static InvocationHandler handlerOf(Runnable reaction) {
    return (proxy, method, arguments) ->
        switch (method.getName()) {
          case "handle" -> {
            reaction.run();
            yield null;
          }
          case "equals" -> arguments != null && proxy == arguments[0];
          case "hashCode" -> System.identityHashCode(proxy);
          default -> "signal handler";
        };
  }
}
