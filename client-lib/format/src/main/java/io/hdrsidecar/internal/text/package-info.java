/** Texts that users give: what is allowed in them, and how messages show them. */
@NullMarked
package io.hdrsidecar.internal.text;

import org.jspecify.annotations.NullMarked;
