package io.hdrsidecar.sidecar.config;

/** Reads flags, environment and file again. Any thread that may block. */
@FunctionalInterface
public interface ConfigReader {
  /**
   * What is configured now.
   *
   * @throws ConfigException with every problem
   */
  SidecarConfig read() throws ConfigException;
}
