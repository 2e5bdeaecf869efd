package io.hdrsidecar.sidecar.expose;

import java.util.Set;

/**
 * How far a page has been written, so that it can go on from there: by whom, or more than once. A
 * page in the making holds this and the chunk being sent, whatever its length.
 *
 * @param index kept so that it lives as long as a page needs it
 * @param taken names that the sidecar's own metrics had when the page was begun
 * @param newest number of the newest series that the page shows
 */
public record PagePlace(
    PageFormat format,
    SeriesPages series,
    SeriesPages.Index index,
    SeriesPlace place,
    Set<String> taken,
    long newest,
    GzipSum sum,
    long writtenNanos,
    long sentBytes) {

  PagePlace movedTo(SeriesPlace next, GzipSum nextSum, long moreNanos, long moreBytes) {
    return new PagePlace(
        format,
        series,
        index,
        next,
        taken,
        newest,
        nextSum,
        writtenNanos + moreNanos,
        sentBytes + moreBytes);
  }
}
