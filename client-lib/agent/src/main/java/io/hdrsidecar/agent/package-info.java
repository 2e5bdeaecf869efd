/**
 * The Java agent: hiccups of any program, without a line of code in it.
 *
 * <p>Input: the arguments after {@code -javaagent:hdr-sidecar-agent.jar=}. Output: a client that
 * measures hiccups, and nothing else, for as long as the program runs.
 */
@NullMarked
package io.hdrsidecar.agent;

import org.jspecify.annotations.NullMarked;
