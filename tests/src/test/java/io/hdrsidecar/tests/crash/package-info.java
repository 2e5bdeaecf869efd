/** Services that are killed in the midst of recording: what they had recorded is counted once. */
@NullMarked
package io.hdrsidecar.tests.crash;

import org.jspecify.annotations.NullMarked;
