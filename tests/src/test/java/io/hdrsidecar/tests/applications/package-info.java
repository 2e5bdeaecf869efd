/** Applications as users build them, with frameworks and servers, beside a sidecar. */
@NullMarked
package io.hdrsidecar.tests.applications;

import org.jspecify.annotations.NullMarked;
