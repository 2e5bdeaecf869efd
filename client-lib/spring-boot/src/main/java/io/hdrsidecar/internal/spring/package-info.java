/**
 * The common part of both generations of Spring Boot: properties, the client as a bean, recorders
 * for those who ask by name, the registry, exemplars, and the actuator's endpoint.
 *
 * <p>Input: properties {@code hdr-sidecar.*}. Output: beans. It is compiled against the oldest Boot
 * that is supported and uses only packages that Boot 4 did not move; what it moved lies in the
 * starters.
 */
@NullMarked
package io.hdrsidecar.internal.spring;

import org.jspecify.annotations.NullMarked;
