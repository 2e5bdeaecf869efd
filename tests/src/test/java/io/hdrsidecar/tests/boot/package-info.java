/** Applications on Spring Boot, as users build them, beside a sidecar. */
@NullMarked
package io.hdrsidecar.tests.boot;

import org.jspecify.annotations.NullMarked;
