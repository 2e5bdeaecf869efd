package io.hdrsidecar.tests.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Clients of another language in processes that do what they are told, each line answered by one:
 * {@code record <file>}, {@code await <number>}, {@code close}. Keeps what they were told to record
 * of the series {@code calls{route="/pay"}}, and the port where their sidecar is to be.
 */
public final class ToldClients implements AfterEachCallback {
  private static final long HIGHEST = 3_600_000_000_000L;

  private final Processes processes;
  private final List<String> command;
  private final ReservedPort reserved;
  private final List<Long> given = new ArrayList<>();
  private long seed = 22;

  /** Those that this command starts. */
  public ToldClients(Processes processes, List<String> command) throws IOException {
    this.processes = processes;
    this.command = List.copyOf(command);
    this.reserved = new ReservedPort();
  }

  /** A sidecar where the clients look for it. */
  public SidecarProcess sidecar(String... options) throws InterruptedException {
    return processes.sidecar(reserved.number(), options);
  }

  /** Where that is. */
  public String address() {
    return "tcp://127.0.0.1:" + reserved.number();
  }

  /** Starts one, with variables of the environment: names and values in turn. */
  public JavaProcess start(String... variables) throws InterruptedException {
    Map<String, String> environment = new HashMap<>();
    environment.put("HDR_SIDECAR_ADDRESS", address());
    for (int i = 0; i < variables.length; i += 2) {
      environment.put(variables[i], variables[i + 1]);
    }
    JavaProcess client = processes.start(command, environment);
    client.awaitLine(Pattern.compile("^ready$"));
    return client;
  }

  /** Has it record random values, as many as no other time: each answer is to its own command. */
  public void record(JavaProcess client, int count) throws IOException, InterruptedException {
    given.addAll(record(client, "calls", count));
  }

  /** The same in another series, for values of which nobody knows what becomes. */
  public List<Long> record(JavaProcess client, String series, int count)
      throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(seed++);
    List<Long> values =
        LongStream.generate(() -> random.nextLong(1L << random.nextInt(1, 42)))
            .limit(count)
            .boxed()
            .toList();
    Path file = Files.createTempFile("values", ".txt");
    try {
      Files.write(file, values.stream().map(value -> series + " " + value).toList());
      client.tell("record " + file);
      client.awaitLine(Pattern.compile("^recorded " + count + "$"));
    } finally {
      Files.delete(file);
    }
    return values;
  }

  /** Waits until the sidecar has so many values of it. */
  public void awaitAcknowledged(JavaProcess client, int count)
      throws IOException, InterruptedException {
    client.tell("await " + count);
    client.awaitLine(Pattern.compile("^acknowledged$"));
  }

  /** Closes its client, which ends it. */
  public void close(JavaProcess client) throws IOException, InterruptedException {
    client.tell("close");
    client.awaitLine(Pattern.compile("^closed$"));
    assertThat(client.awaitExit()).as("%s", client).isZero();
  }

  /** The series is, bucket for bucket, what they were told to record. */
  public void assertExact(SidecarProcess sidecar) throws IOException, InterruptedException {
    Histogram truth = new Histogram(1, HIGHEST, 3);
    given.forEach(truth::recordValue);
    JsonObject total = sidecar.total("calls{route=\"/pay\"}", "&buckets=true");
    assertThat(BucketTexts.of(total)).isEqualTo(BucketTexts.of(truth));
    assertThat(total.getLong("count")).isEqualTo(given.size());
    assertThat(new BigInteger(total.getValue("sum").toString()))
        .isEqualTo(
            given.stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add));
    assertThat(total.getLong("min")).isEqualTo(Collections.min(given));
    assertThat(total.getLong("max")).isEqualTo(Collections.max(given));
  }

  @Override
  public void afterEach(ExtensionContext context) throws IOException {
    reserved.close();
  }
}
