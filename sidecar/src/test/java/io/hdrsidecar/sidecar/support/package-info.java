/** What tests of several packages use: real parts, certificates, readers of others' formats. */
@NullMarked
package io.hdrsidecar.sidecar.support;

import org.jspecify.annotations.NullMarked;
