package io.hdrsidecar.fleet.route;

import io.hdrsidecar.fleet.route.PeerClient.PeerException;
import io.hdrsidecar.fleet.route.RouteCounters.Failure;
import io.hdrsidecar.sidecar.access.AccessConfig;
import io.hdrsidecar.sidecar.answer.Answer;
import io.hdrsidecar.sidecar.answer.AnswerBytes;
import io.hdrsidecar.sidecar.api.SharedSeries;
import io.hdrsidecar.sidecar.memory.HeapFullException;
import io.hdrsidecar.sidecar.merge.SeriesStore;
import io.hdrsidecar.sidecar.query.NeededSeries;
import io.hdrsidecar.sidecar.query.QueryException;
import io.hdrsidecar.sidecar.query.QueryScope;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * The series of all nodes: those of this one, and those that others tell of when they are asked.
 *
 * <p>A query is asked of a store that has what all nodes have told. Each partition must be told of
 * by exactly one node, which has it whole; so the answer is that of one node with all partitions.
 * While partitions move that may need another attempt; when no attempt finds each partition once,
 * there is no answer, and the error says what is missing.
 *
 * <p>Any thread that may block.
 */
public final class FleetSeriesSource implements SharedSeries, AutoCloseable {
  private static final String BINARY = "application/octet-stream";
  private static final int ATTEMPTS = 3;
  private static final long PAUSE_MILLIS = 150;
  private static final long LOOK_MILLIS = 100;
  private static final int SHOWN = 10;

  /** More than comes at a time. */
  private static final long CHUNK_BYTES = 128 << 10;

  /** What is here, and where others are. Any thread. */
  public interface Placement {
    /** The partitions of this node. */
    HeldPartitions held();

    /** Why these are not all that it should have, for people; empty if they are. */
    String trouble();

    /**
     * All other nodes that have partitions, in an order that all nodes agree on.
     *
     * @throws IllegalStateException while that is not known
     */
    List<PeerAddress> others();
  }

  private final int partitions;
  private final Placement placement;
  private final PeerClient client;
  private final RouteCounters counters;

  /**
   * A source.
   *
   * @param partitions of the fleet, numbered from 0
   * @param access what this node asks of those who connect, and so all others
   */
  public FleetSeriesSource(
      int partitions,
      Placement placement,
      RouteConfig config,
      AccessConfig access,
      RouteCounters counters,
      Vertx vertx) {
    this.partitions = partitions;
    this.placement = placement;
    this.client = new PeerClient(vertx, access, config);
    this.counters = counters;
  }

  /**
   * An attempt that found partitions not at all, or twice, or a node that is gone or closed a
   * connection just now; another may find each once.
   */
  private static final class MovedException extends Exception {
    private static final long serialVersionUID = 1;

    MovedException(String message) {
      super(message);
    }
  }

  @Override
  public Answer tell(InputStream query, QueryScope scope) throws QueryException {
    NeededSeries needs;
    try {
      needs = PeerQuery.read(query);
    } catch (IOException e) {
      throw QueryException.badParameter("body", String.valueOf(e.getMessage()));
    }
    return new Answer(BINARY, told(needs, scope), List.of());
  }

  /** What is here, as another node is told; of one moment, as far as partitions go. */
  private List<Buffer> told(NeededSeries needs, QueryScope scope) throws QueryException {
    long claimed = scope.claim().bytes();
    String why = "";
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      scope.claim().resize(scope.claim().bytes(), claimed);
      HeldPartitions held = placement.held();
      AnswerBytes bytes = new AnswerBytes(scope.claim());
      try (PeerAnswer answer = new PeerAnswer(needs, scope, new DataOutputStream(bytes))) {
        answer.write(held, partitions, placement.trouble());
        if (placement.held().version() == held.version()) {
          return bytes.blocks();
        }
        why = "partitions move";
      } catch (IOException e) {
        why = String.valueOf(e.getMessage());
      }
    }
    throw QueryException.unavailable(why + "; ask again");
  }

  @Override
  public <T> T ask(Needing needs, QueryScope scope, Asking<T> query) throws Exception {
    NeededSeries needed = needs.of(scope);
    if (needed.equals(NeededSeries.NOTHING)) {
      return query.ask(scope); // Such as 1 + 1, by which Grafana looks whether we are there.
    }
    return retried(scope, () -> attempt(needed, scope, query));
  }

  /**
   * A store with what is needed of all nodes, also of this one: a copy, each partition as of one
   * moment. It takes of the scope's claim, and stays as it is.
   *
   * @param needs nothing of the past
   * @throws QueryException when it cannot be had whole at the moment
   */
  public SeriesStore copied(NeededSeries needs, QueryScope scope) throws Exception {
    return retried(scope, () -> gathered(needs, scope, others(), everything -> everything.store()));
  }

  /** One attempt. */
  private interface Retried<T> {
    T make() throws Exception;
  }

  private static <T> T retried(QueryScope scope, Retried<T> each) throws Exception {
    long claimed = scope.claim().bytes();
    for (int attempt = 1; ; attempt++) {
      try {
        return each.make();
      } catch (MovedException e) {
        if (attempt == ATTEMPTS) {
          throw QueryException.unavailable(e.getMessage() + "; ask again soon");
        }
        scope.claim().resize(scope.claim().bytes(), claimed);
        pause(scope, attempt * PAUSE_MILLIS);
      }
    }
  }

  private List<PeerAddress> others() throws MovedException {
    try {
      return placement.others();
    } catch (IllegalStateException e) {
      throw new MovedException("it is not known which node has which partitions");
    }
  }

  private <T> T attempt(NeededSeries needed, QueryScope scope, Asking<T> query) throws Exception {
    HeldPartitions held = placement.held();
    List<PeerAddress> others = others();
    if (others.isEmpty() && held.partitions().size() == partitions) {
      T answer = query.ask(scope);
      if (placement.held().version() != held.version()) {
        throw new MovedException("partitions moved while they were read");
      }
      return answer;
    }
    return gathered(needed, scope, others, query);
  }

  private <T> T gathered(
      NeededSeries needed, QueryScope scope, List<PeerAddress> others, Asking<T> query)
      throws Exception {
    try (GatheredSeries told = new GatheredSeries(needed, scope)) {
      gather(needed, scope, others, told);
      counters.hid(told.hidden());
      return query.ask(scope.with(told.store()));
    } catch (MalformedPeerException e) {
      counters.failed(Failure.MALFORMED);
      throw QueryException.unavailable("another node sent what cannot be read: " + e.getMessage());
    }
  }

  private void gather(
      NeededSeries needs, QueryScope scope, List<PeerAddress> others, GatheredSeries into)
      throws Exception {
    byte[] query = PeerQuery.bytes(needs);
    Map<PeerAddress, CompletableFuture<Received>> asked = new LinkedHashMap<>();
    List<Received> received = new ArrayList<>();
    try {
      for (PeerAddress each : others) {
        Received body = new Received(scope.claim().another());
        received.add(body);
        Future<Received> answer = client.ask(each, query, body);
        asked.put(each, answer.toCompletionStage().toCompletableFuture());
      }
      Received own = new Received(scope.claim().another());
      received.add(own);
      List<PeerAnswerHead> all = new ArrayList<>();
      tellMyself(needs, scope, own);
      all.add(PeerAnswerHead.read("this node", own, partitions));
      for (Map.Entry<PeerAddress, CompletableFuture<Received>> each : asked.entrySet()) {
        Received body = await(each.getValue(), received, scope);
        counters.answered(body.length());
        all.add(read(each.getKey(), body));
      }
      requireEachOnce(all);
      // The same order at each node: of two series that want one name the first is shown.
      all.sort(Comparator.comparingInt(PeerAnswerHead::firstPartition));
      for (PeerAnswerHead each : all) {
        each.addTo(into);
      }
    } finally {
      received.forEach(Received::close); // What still comes is dropped.
    }
  }

  private void tellMyself(NeededSeries needs, QueryScope scope, Received into)
      throws QueryException {
    long claimed = scope.claim().bytes();
    for (Buffer block : told(needs, scope)) {
      into.keep(block);
    }
    scope.claim().resize(scope.claim().bytes(), claimed);
  }

  private PeerAnswerHead read(PeerAddress peer, Received body) {
    return PeerAnswerHead.read("node " + peer, body, partitions);
  }

  /** Waits for others, which is not of the turn of this query. */
  private Received await(CompletableFuture<Received> answer, List<Received> all, QueryScope scope)
      throws Exception {
    while (true) {
      long begun = System.nanoTime();
      try {
        return answer.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        scope.turn().look();
      } catch (ExecutionException e) {
        throw refusal(Objects.requireNonNullElse(e.getCause(), e), all, scope);
      } finally {
        scope.turn().waited(System.nanoTime() - begun);
      }
    }
  }

  private Exception refusal(Throwable failure, List<Received> all, QueryScope scope) {
    if (failure instanceof HeapFullException) {
      counters.failed(Failure.TOO_MUCH);
      // All that it has, whatever took it: if that is all there is, waiting does not help.
      return scope.claim().full(all.stream().mapToLong(Received::claimed).sum() + CHUNK_BYTES);
    }
    if (failure instanceof PeerException peer) {
      counters.failed(peer.failure());
      String message = String.valueOf(peer.getMessage());
      if (peer.isForGood()) {
        return QueryException.tooCostly(message);
      }
      String missing = message + "; its series would be missing in the answer";
      return peer.failure() == Failure.UNREACHABLE
          ? new MovedException(missing)
          : QueryException.unavailable(missing);
    }
    return new IllegalStateException("asking other nodes failed", failure);
  }

  private void requireEachOnce(List<PeerAnswerHead> all) throws MovedException {
    Map<Integer, List<String>> tellers = new TreeMap<>();
    for (int i = 0; i < partitions; i++) {
      tellers.put(i, new ArrayList<>());
    }
    for (PeerAnswerHead each : all) {
      each.partitions().forEach(p -> tellers.getOrDefault(p, new ArrayList<>()).add(each.name()));
    }
    List<Integer> missing = new ArrayList<>();
    for (Map.Entry<Integer, List<String>> each : tellers.entrySet()) {
      if (each.getValue().size() > 1) {
        counters.failed(Failure.PARTITIONS);
        throw new MovedException(
            "partition "
                + each.getKey()
                + " moves: "
                + String.join(" and ", each.getValue())
                + " have it");
      }
      if (each.getValue().isEmpty()) {
        missing.add(each.getKey());
      }
    }
    if (!missing.isEmpty()) {
      counters.failed(Failure.PARTITIONS);
      String troubles =
          all.stream()
              .filter(each -> !each.trouble().isEmpty())
              .map(each -> each.name() + ": " + each.trouble())
              .collect(Collectors.joining("; "));
      throw new MovedException(
          missing.size()
              + " of "
              + partitions
              + " partitions are on no node, whole ("
              + shortened(missing)
              + ")"
              + (troubles.isEmpty() ? "" : ": " + troubles));
    }
  }

  private static String shortened(List<Integer> some) {
    String first =
        some.stream().limit(SHOWN).map(String::valueOf).collect(Collectors.joining(", "));
    return some.size() > SHOWN ? first + ", ..." : first;
  }

  private static void pause(QueryScope scope, long millis) throws QueryException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw QueryException.unavailable("this node ends");
    }
    scope.turn().waited(TimeUnit.MILLISECONDS.toNanos(millis));
    scope.turn().look();
  }

  @Override
  public void close() {
    client.close();
  }
}
