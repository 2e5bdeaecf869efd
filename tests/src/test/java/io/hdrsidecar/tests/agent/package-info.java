/** The agent, from its jar as built: around programs that know nothing of it, and one that does. */
@NullMarked
package io.hdrsidecar.tests.agent;

import org.jspecify.annotations.NullMarked;
