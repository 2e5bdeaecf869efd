/**
 * The images, built by their scripts and run in a Docker engine as a kubelet runs them: the same
 * users, limits, volumes and order of signals.
 */
@NullMarked
package io.hdrsidecar.tests.image;

import org.jspecify.annotations.NullMarked;
