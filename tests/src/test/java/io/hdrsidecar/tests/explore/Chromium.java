package io.hdrsidecar.tests.explore;

import static org.junit.jupiter.api.Assumptions.abort;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Browser.NewContextOptions;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.hdrsidecar.tests.support.RequiresDocker;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The browser of a test class: an installed Chromium, or none, and then the class is skipped unless
 * nothing may be. Register it as a static field.
 *
 * <p>At the end of each test its pages must have nothing to complain of: no error on the console,
 * no violation of the content security policy, no request to another site. What a test expects of
 * that kind it has to name. What it did, and how its pages look then, goes into the {@link
 * BrowserReport}.
 */
final class Chromium
    implements BeforeAllCallback, AfterTestExecutionCallback, AfterEachCallback, AfterAllCallback {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  /** In a container there is no sandbox, and nothing here is to call home. */
  private static final List<String> FLAGS =
      List.of(
          "--no-sandbox",
          "--disable-gpu",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--no-first-run");

  /** So long that only a fault reaches it, also on a busy machine. */
  static final double PATIENCE_MILLIS = 90_000;

  private final List<Watched> watched = new ArrayList<>();
  private @Nullable Playwright playwright;
  private @Nullable Browser browser;

  private record Watched(BrowserContext context, Explorer explorer) {
    PageNotes notes() {
      return explorer.notes();
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    Optional<Path> program = program();
    if (program.isEmpty()) {
      String problem = "none of " + NAMES + " is on the path";
      if (Boolean.parseBoolean(System.getenv(RequiresDocker.REQUIRED))) {
        throw new IllegalStateException(problem + ", but " + RequiresDocker.REQUIRED + "=true");
      }
      abort(problem);
    }
    Playwright driver =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    playwright = driver;
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
    browser =
        driver
            .chromium()
            .launch(
                new LaunchOptions()
                    .setExecutablePath(program.orElseThrow())
                    .setArgs(FLAGS)
                    .setTimeout(PATIENCE_MILLIS));
  }

  private static Optional<Path> program() {
    String path = Objects.requireNonNullElse(System.getenv("PATH"), "");
    return NAMES.stream()
        .flatMap(name -> Stream.of(path.split(File.pathSeparator, -1)).map(d -> Path.of(d, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** The explorer of a sidecar, not yet opened, in a browser window of a desk. */
  Explorer explorer(int httpPort) {
    return explorer(httpPort, desk());
  }

  /** The same of whatever serves it at an address. */
  Explorer explorer(URI address) {
    return explorer(address.getScheme() + "://" + address.getAuthority(), desk());
  }

  /** The explorer of a sidecar with other options. */
  Explorer explorer(int httpPort, NewContextOptions options) {
    return explorer("http://127.0.0.1:" + httpPort, options);
  }

  private Explorer explorer(String origin, NewContextOptions options) {
    BrowserContext context = Objects.requireNonNull(browser, "not started").newContext(options);
    context.setDefaultTimeout(PATIENCE_MILLIS);
    PageWatch watch = new PageWatch(origin);
    Explorer explorer =
        new Explorer(origin, watch.watching(context.newPage()), watch, new PageNotes());
    watched.add(new Watched(context, explorer));
    return explorer;
  }

  /** A window as on a desk, in UTC, so that times in the page are those of the API. */
  static NewContextOptions desk() {
    return new NewContextOptions()
        .setViewportSize(1280, 900)
        .setTimezoneId("UTC")
        .setLocale("en-GB");
  }

  /** A phone of the smallest usual width. */
  static NewContextOptions phone() {
    return desk().setViewportSize(360, 740).setHasTouch(true).setDeviceScaleFactor(2);
  }

  /** Version of the browser, for what is written down. */
  String version() {
    return Objects.requireNonNull(browser, "not started").version();
  }

  /** Before the sidecars of a test end, of which an open page would complain. */
  @Override
  public void afterTestExecution(ExtensionContext context) {
    closePages(context);
  }

  /** Pages of a test that did not even begin. */
  @Override
  public void afterEach(ExtensionContext context) {
    if (!watched.isEmpty()) {
      closePages(context);
    }
  }

  private void closePages(ExtensionContext context) {
    List<String> complaints = new ArrayList<>();
    for (int i = 0; i < watched.size(); i++) {
      Watched each = watched.get(i);
      complaints.addAll(each.explorer().watch().complaints());
      takePicture(each, "tests/" + nameOf(context) + "-" + (i + 1));
      each.context().close();
    }
    report(context, complaints);
    watched.clear();
    if (context.getExecutionException().isPresent()) {
      complaints.forEach(
          complaint -> System.err.println(context.getDisplayName() + ": " + complaint));
    } else if (!complaints.isEmpty()) {
      throw new AssertionError("the browser complains: " + String.join("\n", complaints));
    }
  }

  /** A page that cannot be pictured any more is no failure of its own: the test has its reason. */
  private static void takePicture(Watched page, String name) {
    try {
      page.explorer().picture(name);
    } catch (PlaywrightException e) {
      page.notes().add("no picture: " + e.getMessage());
    }
  }

  private void report(ExtensionContext context, List<String> complaints) {
    List<String> failures = new ArrayList<>(complaints);
    context.getExecutionException().ifPresent(failure -> failures.add(0, failure.toString()));
    BrowserReport.of(context)
        .add(
            new BrowserReport.Entry(
                context.getRequiredTestClass().getSimpleName(),
                nameOf(context),
                String.join("\n", failures),
                watched.stream().map(Watched::notes).toList()));
  }

  /** The method, and with parameters what they are; good for a file, too. */
  private static String nameOf(ExtensionContext context) {
    String method = context.getRequiredTestMethod().getName();
    String shown = context.getDisplayName();
    return shown.startsWith(method) ? method : method + shown.replaceAll("[^A-Za-z0-9]+", "-");
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (browser != null) {
      BrowserReport.of(context).write(version());
    }
    if (playwright != null) {
      playwright.close();
    }
  }
}
