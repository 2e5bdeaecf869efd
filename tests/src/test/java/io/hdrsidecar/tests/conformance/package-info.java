/** The conformance kit, and every client of ours in front of it. */
@NullMarked
package io.hdrsidecar.tests.conformance;

import org.jspecify.annotations.NullMarked;
