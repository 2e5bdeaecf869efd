/**
 * A mutating admission webhook that adds the sidecar to pods that ask for it.
 *
 * <p>Input: {@code AdmissionReview} of the Kubernetes API server with a pod that is to be created,
 * and {@link io.hdrsidecar.sidecar.inject.Component}, which says what a pod gets. Output: a JSON
 * Patch, or a warning that says why there is none; never a refusal of the pod. {@link
 * io.hdrsidecar.sidecar.inject.Injector} decides, without I/O; {@link
 * io.hdrsidecar.sidecar.inject.InjectServer} is the HTTPS server around it.
 */
@NullMarked
package io.hdrsidecar.sidecar.inject;

import org.jspecify.annotations.NullMarked;
