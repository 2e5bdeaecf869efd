package io.hdrsidecar.tests.explore;

import static io.hdrsidecar.tests.explore.Explorer.link;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator.WaitForOptions;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.WaitForSelectorState;
import io.hdrsidecar.tests.support.Processes;
import io.hdrsidecar.tests.support.SidecarProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What the explorer says when there is nothing to show, or it may not, or nobody answers. */
final class ExplorerErrorsIT {
  @RegisterExtension static final Chromium CHROMIUM = new Chromium();

  @RegisterExtension final Processes processes = new Processes();

  private final Path folder;
  private final KnownSeries series =
      new KnownSeries("calls", Map.of(), KnownSeries.originOf(60), 60, 20, 5, s -> 1e6);

  ExplorerErrorsIT(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void open_sidecarWithoutSeries_saysHowTheFirstComes() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--self-hiccups=off");

    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort()).open("");

    explorer.find("empty-state").waitFor();
    assertThat(explorer.find("empty-state").textContent())
        .contains("No series yet", "HdrSidecarClient", "curl");
    series.upload(sidecar, folder);
    explorer.awaitRows(1); // without a reload
  }

  @Test
  void open_sidecarThatAsksForAToken_asksTheUserOnce() throws Exception {
    Path tokens = Files.writeString(folder.resolve("tokens"), "s3cret\n");
    SidecarProcess sidecar =
        processes.sidecar(0, "--self-hiccups=off", "--http-token-file=" + tokens);
    uploadWithToken(sidecar.httpPort(), "s3cret");
    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort());
    explorer.watch().expect("status of 401");
    explorer.open("");
    explorer.find("token-form").waitFor();

    explorer.find("token-form").locator("input").fill("wrong");
    explorer.page().keyboard().press("Enter");
    explorer.find("token-form").getByText("not accepted").waitFor();
    explorer.find("token-form").locator("input").fill("s3cret");
    explorer.page().keyboard().press("Enter");

    explorer.awaitRows(1);
    assertThat(explorer.page().url()).doesNotContain("s3cret");
    explorer.page().reload();
    explorer.awaitRows(1); // the tab remembers
    explorer.openSeries("calls");
    explorer.awaitCount(series.all().getTotalCount());
    assertThat(explorer.download(explorer.find("export-csv").first())).isNotEmpty();
  }

  private void uploadWithToken(int port, String token) throws Exception {
    Path log = series.writeTo(folder.resolve("token.hlog"));
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(
                        URI.create(
                            "http://127.0.0.1:" + port + "/api/v1/intervals?unit=ns&name=calls"))
                    .header("Authorization", "Bearer " + token)
                    .POST(BodyPublishers.ofFile(log))
                    .build(),
                BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  @Test
  void sidecar_killedWhileLookedAt_isSaidUntilItIsBack() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--self-hiccups=off");
    series.upload(sidecar, folder);
    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort());
    explorer
        .watch()
        .expect("net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE)");
    explorer.open("").awaitRows(1);

    sidecar.kill();

    explorer.page().getByText("does not answer").first().waitFor();
    SidecarProcess next =
        processes.sidecar(0, "--self-hiccups=off", "--http-port=" + sidecar.httpPort());
    series.upload(next, folder);
    explorer.page().getByText("does not answer").first().waitFor(gone());
    explorer.awaitRows(1);
    explorer.openSeries("calls");
    explorer.awaitCount(series.all().getTotalCount());
  }

  @Test
  void script_doesNotArrive_isSaidAndLoadedAgain() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--self-hiccups=off");
    series.upload(sidecar, folder);
    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort());
    explorer.watch().expect("net::ERR_CONNECTION_RESET");
    explorer.page().route("**/explore/model.js", route -> route.abort("connectionreset"));

    explorer.open("");
    explorer.page().getByText("did not arrive").waitFor();
    explorer.page().unroute("**/explore/model.js");

    explorer.awaitRows(1);
  }

  /** As where the network has changed, and nothing comes any more on a connection of before. */
  @Test
  void script_doesNotArriveAndNothingAnswers_isLoadedAgainOnceItDoes() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--self-hiccups=off");
    series.upload(sidecar, folder);
    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort());
    explorer.watch().expect("net::ERR_(CONNECTION_RESET|ABORTED|FAILED)");
    AtomicInteger asked = new AtomicInteger();
    explorer.page().route("**/explore/model.js", route -> route.abort("connectionreset"));
    explorer.page().route("**/-/ready", route -> answerTheSecond(explorer.page(), route, asked));

    explorer.open("");

    explorer.awaitRows(1);
    assertThat(asked).hasValueGreaterThanOrEqualTo(2);
  }

  private static void answerTheSecond(Page page, Route route, AtomicInteger asked) {
    if (asked.incrementAndGet() > 1) {
      page.unroute("**/explore/model.js");
      route.resume();
    }
  }

  private static WaitForOptions gone() {
    return new WaitForOptions().setState(WaitForSelectorState.HIDDEN);
  }

  @Test
  void open_linkThatTheApiRefuses_saysWhatIsWrong() throws Exception {
    SidecarProcess sidecar = processes.sidecar(0, "--self-hiccups=off");
    series.upload(sidecar, folder);
    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort());
    explorer.watch().expect("status of 4(00|04|22)");

    explorer.open(link("s", "calls{route=", "start", "-15m"));

    explorer.find("error-state").first().waitFor();
    assertThat(explorer.find("error-state").first().textContent())
        .contains("character 13", "a value in quotes");
  }

  @Test
  void open_seriesWithMarkupInALabel_showsItAsText() throws Exception {
    String markup = "<img src=/stolen onerror=alert(1)>";
    KnownSeries hostile =
        new KnownSeries(
            "calls", Map.of("route", markup), series.startMillis(), 60, 20, 5, s -> 1e6);
    SidecarProcess sidecar = processes.sidecar(0, "--self-hiccups=off");
    hostile.upload(sidecar, folder);
    Explorer explorer = CHROMIUM.explorer(sidecar.httpPort());

    explorer.open("").awaitRows(1);
    assertThat(explorer.find("series-row").textContent()).contains(markup);
    explorer.openSeries(hostile.selector());
    explorer.awaitCount(hostile.all().getTotalCount());

    assertThat(explorer.page().locator("#trail").textContent()).contains(markup);
    assertThat(explorer.watch().requests()).noneMatch(asked -> asked.url().endsWith("/stolen"));
  }
}
