package shop;

import io.hdrsidecar.client.HdrSidecarClient;
import io.hdrsidecar.series.Labels;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.annotation.WebFilter;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Records how long each request took, from the filter until the end of the response. */
@WebFilter(urlPatterns = "/*", asyncSupported = true)
public class LatencyFilter extends HttpFilter {
  private transient HdrSidecarClient client;

  @Override
  public void init() {
    client = (HdrSidecarClient) getServletContext().getAttribute("client");
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    long start = System.nanoTime();
    int status = 500; // what the server answers when an exception leaves the chain
    try {
      chain.doFilter(request, response);
      status = response.getStatus();
    } finally {
      if (request.isAsyncStarted()) {
        request.getAsyncContext().addListener(new End(request, response, start));
      } else {
        record(request, status, start);
      }
    }
  }

  /** The endpoint, not the path: each series lives on its own, and paths may be any number. */
  private void record(HttpServletRequest request, int status, long start) {
    Object method = request.getAttribute(EndpointFilter.ENDPOINT);
    String endpoint =
        method == null ? request.getHttpServletMapping().getPattern() : method.toString();
    Labels labels = Labels.of("endpoint", endpoint, "status", Integer.toString(status));
    client.recorder("http_server_requests", labels).record(System.nanoTime() - start);
  }

  private final class End implements AsyncListener {
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final long start;

    private End(HttpServletRequest request, HttpServletResponse response, long start) {
      this.request = request;
      this.response = response;
      this.start = start;
    }

    @Override
    public void onComplete(AsyncEvent event) { // also after an error or a timeout
      record(request, response.getStatus(), start);
    }

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onError(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {
      event.getAsyncContext().addListener(this);
    }
  }
}
