package io.hdrsidecar.sidecar.expose;

import io.hdrsidecar.sidecar.merge.Series;

/**
 * A series on one page.
 *
 * @param labels as the page's format writes them
 */
record SeriesView(Series series, EncodedLabels labels) {}
