package io.hdrsidecar.tests.support;

import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The processes of one test, or of all tests of a class that share an instance: kills those still
 * alive at the end and, where a test has failed, shows what they printed.
 */
public final class Processes implements AfterEachCallback, AfterAllCallback {
  private final List<JavaProcess> started = new CopyOnWriteArrayList<>();

  /** Starts {@code serve} on free ports and waits until it is ready. */
  public SidecarProcess sidecar() throws InterruptedException {
    return sidecar(0);
  }

  /** The same with this port for clients, where 0 is a free one, and further options. */
  public SidecarProcess sidecar(int ingestPort, String... options) throws InterruptedException {
    return sidecarOn(ingestPort, 0, options);
  }

  /** The same with both ports. */
  public SidecarProcess sidecarOn(int ingestPort, int httpPort, String... options)
      throws InterruptedException {
    List<String> arguments =
        new ArrayList<>(List.of("serve", "--ingest-port=" + ingestPort, "--http-port=" + httpPort));
    arguments.addAll(List.of(options));
    return SidecarProcess.awaitReady(start(arguments));
  }

  /** {@code serve} on free ports in a JVM with options, such as {@code -Xmx64m}. */
  public SidecarProcess sidecarInJvm(List<String> jvmOptions, List<String> options)
      throws InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("serve", "--ingest-port=0", "--http-port=0"));
    arguments.addAll(options);
    return SidecarProcess.awaitReady(keep(JavaProcess.start(jvmOptions, arguments)));
  }

  /** The same with variables of the environment, such as {@code OTEL_SERVICE_NAME}. */
  public SidecarProcess sidecar(Map<String, String> variables, List<String> options)
      throws InterruptedException {
    List<String> arguments = new ArrayList<>(List.of("serve", "--ingest-port=0", "--http-port=0"));
    arguments.addAll(options);
    return SidecarProcess.awaitReady(keep(JavaProcess.start(variables, arguments)));
  }

  /** Starts the runnable jar in a JVM with options, and waits for nothing. */
  public JavaProcess java(List<String> jvmOptions, List<String> arguments) {
    return keep(JavaProcess.start(jvmOptions, arguments));
  }

  /** Starts another command. */
  public JavaProcess start(List<String> arguments) {
    return keep(JavaProcess.start(arguments));
  }

  /** Starts any command, from its program on, with these variables. */
  public JavaProcess start(List<String> command, Map<String, String> variables) {
    return keep(JavaProcess.start(command, variables));
  }

  private JavaProcess keep(JavaProcess process) {
    started.add(process);
    return process;
  }

  /** Starts a program of these tests, with these variables. */
  public JavaProcess start(Class<?> program, Map<String, String> variables, String... arguments) {
    JavaProcess process = JavaProcess.start(program, variables, List.of(arguments));
    started.add(process);
    return process;
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (context.getExecutionException().isPresent()) {
      started.forEach(process -> System.err.println(context.getDisplayName() + ": " + process));
    }
    if (!context.getTestInstanceLifecycle().equals(Optional.of(PER_CLASS))) {
      end();
    }
  }

  @Override
  public void afterAll(ExtensionContext context) {
    end();
  }

  private void end() {
    started.forEach(JavaProcess::kill);
    started.clear();
  }
}
