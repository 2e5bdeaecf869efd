/** Pages of docs/ that are made from declarations in code. */
@NullMarked
package io.hdrsidecar.sidecar.docs;

import org.jspecify.annotations.NullMarked;
