/** What makes a release, and runs elsewhere: workflows, and the scripts that they call. */
@NullMarked
package io.hdrsidecar.tests.release;

import org.jspecify.annotations.NullMarked;
