package io.hdrsidecar.tests.agent;

import io.hdrsidecar.benchmarks.process.Launch;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The jar of the agent, and commands that name it. */
final class AgentJar {
  private AgentJar() {}

  static Path path() {
    File jar =
        new File(
            System.getProperty(
                "hdr-sidecar-agent.jar", "../client-lib/agent/target/hdr-sidecar-agent.jar"));
    if (!jar.isFile()) {
      throw new IllegalStateException("not built, run mvn package first: " + jar);
    }
    return jar.toPath();
  }

  /** {@code java -javaagent:...}, followed by what is given. */
  static List<String> java(String agentArguments, String... more) {
    List<String> command = new ArrayList<>();
    command.add(Launch.java().toString());
    command.addAll(Launch.SHORT_LIVED);
    command.add("-javaagent:" + path() + "=" + agentArguments);
    command.addAll(List.of(more));
    return command;
  }
}
