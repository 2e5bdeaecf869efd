/**
 * The explorer in a real browser: Chromium, driven by Playwright, on sidecars whose every value is
 * known. Numbers in the page are held against the API, and both against HdrHistogram's own of the
 * same values. It is opened on {@code serve}, on a running {@code demo}, and by {@code log explore}
 * on files. What was seen is in {@code target/explorer/report.html} afterwards.
 */
@NullMarked
package io.hdrsidecar.tests.explore;

import org.jspecify.annotations.NullMarked;
