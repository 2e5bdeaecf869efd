/** What README and docs/ tell their readers to type is typed, against the built jar. */
@NullMarked
package io.hdrsidecar.tests.docs;

import org.jspecify.annotations.NullMarked;
