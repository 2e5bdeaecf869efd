package io.hdrsidecar.sidecar.explore;

import io.vertx.core.Handler;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.ParsedHeaderValue;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Serves the explorer: its page at {@value #PAGE_PATH}, everything the page loads below {@value
 * #FILES_PATH}.
 *
 * <p>All files are read and compressed by the first request, on a worker; most sidecars never see
 * one. From then on a request is a look-up in a table, so there is no path that could lead out of
 * the folder, and nothing to list. What is not in the table is failed with 404. GET and HEAD alone
 * may be routed here. Any event loop.
 *
 * <p>File names stay the same from version to version, so a browser is to ask each time whether
 * what it has is still right, which the ETag answers without sending the file again.
 */
public final class ExplorerFiles implements Handler<RoutingContext> {
  /** Path of the page. */
  public static final String PAGE_PATH = "/";

  /** Start of the paths of the files. */
  public static final String FILES_PATH = "/explore/";

  private static final String FOLDER = "io/hdrsidecar/sidecar/explore";
  private static final String PAGE_FILE = "index.html";

  /**
   * What the page may load and do: scripts, styles and data from where it came, and pictures it has
   * drawn itself. No script in the page, no other site, no frame around it.
   */
  private static final String CONTENT_SECURITY_POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
          + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private final String folder;
  private volatile @Nullable Map<String, StaticFile> byPath;

  /** The explorer's files, not yet read. */
  public ExplorerFiles() {
    this(FOLDER);
  }

  /** Those of another folder of the class path. */
  ExplorerFiles(String folder) {
    this.folder = folder;
  }

  /** Reads them once; blocks for some milliseconds. */
  private synchronized Map<String, StaticFile> read() throws IOException {
    Map<String, StaticFile> known = byPath;
    if (known == null) {
      Map<String, StaticFile> read = new HashMap<>();
      ResourceFolder.read(ExplorerFiles.class.getClassLoader(), folder, PAGE_FILE)
          .forEach((name, content) -> read.put(path(name), StaticFile.of(name, content)));
      known = Map.copyOf(read);
      byPath = known;
    }
    return known;
  }

  private static String path(String name) {
    return name.equals(PAGE_FILE) ? PAGE_PATH : FILES_PATH + name;
  }

  @Override
  public void handle(RoutingContext context) {
    Map<String, StaticFile> known = byPath;
    if (known != null) {
      answer(context, known);
      return;
    }
    context
        .vertx()
        .executeBlocking(this::read)
        .onSuccess(read -> answer(context, read))
        .onFailure(context::fail);
  }

  private static void answer(RoutingContext context, Map<String, StaticFile> files) {
    StaticFile file = files.get(context.normalizedPath());
    if (file == null) {
      context.fail(404);
      return;
    }
    StaticFile.Form gzipped = file.gzipped();
    boolean gzip = gzipped != null && acceptsGzip(context);
    StaticFile.Form form = gzipped != null && gzip ? gzipped : file.plain();
    MultiMap headers = context.response().headers();
    headers
        .set(HttpHeaders.ETAG, form.etag())
        .set(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
        .set(HttpHeaders.CACHE_CONTROL, "no-cache")
        .set("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        .set("X-Content-Type-Options", "nosniff")
        .set("Referrer-Policy", "no-referrer");
    if (context.isFresh()) {
      context.response().setStatusCode(304).end();
      return;
    }
    headers.set(HttpHeaders.CONTENT_TYPE, file.contentType());
    if (gzip) {
      headers.set(HttpHeaders.CONTENT_ENCODING, "gzip");
    }
    headers.set(HttpHeaders.CONTENT_LENGTH, Integer.toString(form.bytes().length()));
    if (context.request().method().equals(HttpMethod.HEAD)) {
      context.response().end();
    } else {
      context.response().end(form.bytes());
    }
  }

  /** Whether gzip is named, and not with a weight of 0. */
  private static boolean acceptsGzip(RoutingContext context) {
    for (ParsedHeaderValue coding : context.parsedHeaders().acceptEncoding()) {
      if (coding.value().equalsIgnoreCase("gzip")) {
        return coding.weight() > 0;
      }
    }
    return false;
  }
}
