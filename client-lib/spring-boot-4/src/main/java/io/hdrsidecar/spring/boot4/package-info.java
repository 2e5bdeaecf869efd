/**
 * Auto-configuration for Spring Boot 4: the conditions and the order that its packages name. The
 * beans that they switch on lie in {@code io.hdrsidecar.internal.spring}, which both generations
 * share.
 */
@NullMarked
package io.hdrsidecar.spring.boot4;

import org.jspecify.annotations.NullMarked;
