package io.hdrsidecar.sidecar.support;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** A reader of server-sent events, as the HTML standard has them. */
public final class EventStream implements AutoCloseable {
  /** One event; each part is empty if it was not sent. */
  public record Event(String name, String id, String data) {}

  public final HttpResponse<InputStream> response;
  private final BufferedReader lines;

  private EventStream(HttpResponse<InputStream> response) {
    this.response = response;
    this.lines = new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  /** Asks; returns when the head of the answer is there. */
  public static EventStream open(URI uri, String lastEventId)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri).header("Accept-Encoding", "gzip, deflate");
    if (!lastEventId.isEmpty()) {
      request.header("Last-Event-ID", lastEventId);
    }
    return new EventStream(
        HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofInputStream()));
  }

  /** The next event that has data; one without a name at the end of the stream. */
  public Event next() throws IOException {
    String name = "";
    String id = "";
    String data = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.isEmpty() && !data.isEmpty()) {
        return new Event(name, id, data);
      }
      name = line.startsWith("event: ") ? line.substring(7) : name;
      id = line.startsWith("id: ") ? line.substring(4) : id;
      data = line.startsWith("data: ") ? line.substring(6) : data;
    }
    return new Event("", "", "");
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
