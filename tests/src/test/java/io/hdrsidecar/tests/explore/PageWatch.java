package io.hdrsidecar.tests.explore;

import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What goes wrong in a page without anybody looking. The browser says a violation of the content
 * security policy on the console, as an error.
 */
final class PageWatch {
  /** A query that the page itself has given up. */
  private static final String CANCELLED = "net::ERR_ABORTED";

  /** Somebody else's container started or ended meanwhile; the page asks again. */
  private static final String NETWORK_CHANGED = "net::ERR_NETWORK_CHANGED";

  /** The script that loads the page again when another one did not arrive. */
  private static final String WATCHER = "/explore/arrived.js";

  private static final Set<String> OWN_SCHEMES = Set.of("data:", "blob:");

  private final String origin;
  private final List<String> complaints = new ArrayList<>();
  private final List<Pattern> expected = new ArrayList<>(List.of(Pattern.compile(NETWORK_CHANGED)));
  private final List<Request> requests = new ArrayList<>();
  private boolean watcherLost;

  PageWatch(String origin) {
    this.origin = origin;
  }

  /** Looks at a page from now on. */
  Page watching(Page page) {
    page.onConsoleMessage(this::said);
    page.onPageError(error -> complaints.add("not caught: " + error));
    page.onRequest(this::asked);
    page.onRequestFailed(
        request -> {
          if (NETWORK_CHANGED.equals(request.failure()) && request.url().endsWith(WATCHER)) {
            watcherLost = true;
          }
          if (!CANCELLED.equals(request.failure())) {
            complaints.add("failed: " + request.url() + " " + request.failure());
          }
        });
    return page;
  }

  private void said(ConsoleMessage message) {
    if (message.type().equals("error") || message.text().contains("Content Security Policy")) {
      complaints.add("console: " + message.text() + " at " + message.location());
    }
  }

  private void asked(Request request) {
    requests.add(request);
    String url = request.url();
    if (!url.startsWith(origin + "/") && OWN_SCHEMES.stream().noneMatch(url::startsWith)) {
      complaints.add("asks another site: " + url);
    }
  }

  /** Messages in which this is found are no complaint, in this test. */
  void expect(String regex) {
    expected.add(Pattern.compile(regex));
  }

  /**
   * Whether the script that looks after the others is what the browser has given up, as its network
   * has changed; says so once.
   */
  boolean hasLostWatcher() {
    boolean isLost = watcherLost;
    watcherLost = false;
    return isLost;
  }

  /** All requests so far. */
  List<Request> requests() {
    return List.copyOf(requests);
  }

  /** What was not expected. */
  List<String> complaints() {
    return complaints.stream()
        .filter(complaint -> expected.stream().noneMatch(each -> each.matcher(complaint).find()))
        .toList();
  }
}
