/**
 * The web explorer's files and how they are sent.
 *
 * <p>Input: the folder of this package's name in the jar (HTML, CSS, JavaScript, nothing that is
 * built). Output: answers to {@code GET /} and {@code GET /explore/...}. The files hold no data:
 * what the explorer shows it asks of {@code /api/v1} as any other client would.
 */
@NullMarked
package io.hdrsidecar.sidecar.explore;

import org.jspecify.annotations.NullMarked;
