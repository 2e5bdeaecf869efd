/**
 * The manifests under {@code k8s}, judged by a real Kubernetes API server: what it accepts, what it
 * rejects, and whether all ways to install say the same.
 */
@NullMarked
package io.hdrsidecar.tests.kubernetes;

import org.jspecify.annotations.NullMarked;
