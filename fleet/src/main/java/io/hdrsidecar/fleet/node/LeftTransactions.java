package io.hdrsidecar.fleet.node;

import io.hdrsidecar.sidecar.input.CauseText;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.ListTransactionsOptions;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.admin.TransactionState;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.RetriableException;

/**
 * Ends the transactions of nodes that died in the midst of a commit. Brokers would end them too,
 * but only after {@link StreamsProperties#TRANSACTION}, and until then no other node can read to
 * the end of the changelogs that they wrote to.
 *
 * <p>A transaction is taken for left when its process has no member in the group. A process joins
 * before it has one, and transactions are asked for before members are, so one that stays a member
 * is never hit. A process that brokers have removed from the group may be alive. It could not
 * commit any more in most cases; if it could, then ending its transaction first is as if it had
 * failed: numbers, counts and positions of it are gone together, and its partitions merge again
 * from the last commit (decision 0040).
 *
 * <p>It has a thread of its own, which asks once a second while this node waits for partitions, and
 * else nothing. A failure that will not pass is told once, and leaves it to brokers to end the
 * transaction.
 */
final class LeftTransactions implements AutoCloseable {
  private static final Logger LOG = System.getLogger(LeftTransactions.class.getName());

  /** For an answer of brokers, all tries included. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Duration BETWEEN = Duration.ofSeconds(1);

  /** As {@link java.util.UUID} writes it: how Kafka Streams names a process. */
  private static final String PROCESS = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

  private final Admin admin;
  private final String application;
  private final Set<String> own;
  private final NodeCounters counters;
  private final Pattern transactionalId;
  private final Pattern clientId;

  /** That of this node; empty when its ids are not named as expected. */
  private final String process;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(LeftTransactions::thread);

  private volatile boolean isTold;

  /** Asks brokers something. */
  private interface Look {
    void run() throws ExecutionException, InterruptedException, TimeoutException;
  }

  /**
   * Does nothing yet.
   *
   * @param admin is closed with this
   * @param application of Kafka Streams, which is the group as well
   * @param own the transactional ids of this process
   */
  LeftTransactions(Admin admin, String application, Set<String> own, NodeCounters counters) {
    this.admin = admin;
    this.application = application;
    this.own = Set.copyOf(own);
    this.counters = counters;
    String begin = Pattern.quote(application) + "-(" + PROCESS + ")-";
    this.transactionalId = Pattern.compile(begin + "[0-9]+");
    this.clientId = Pattern.compile(begin + "StreamThread-[0-9]+-consumer");
    this.process =
        own.stream()
            .map(id -> process(transactionalId, id))
            .distinct()
            .reduce((a, b) -> "")
            .orElse("");
  }

  private static Thread thread(Runnable work) {
    Thread thread = new Thread(work, "left-transactions");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * For its client of Kafka.
   *
   * @throws IOException when the user's file cannot be read
   */
  static Map<String, Object> clientProperties(NodeConfig config) throws IOException {
    Map<String, Object> all = new HashMap<>(config.kafka().clientProperties());
    int patienceMillis = (int) PATIENCE.toMillis();
    all.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, patienceMillis);
    all.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, patienceMillis / 2);
    return all;
  }

  /**
   * Ends what the run before left, which had the same ids as it had the same folder. Nobody else
   * can use them: Kafka Streams has locked the folder. Blocks, for three times {@link #PATIENCE} at
   * most.
   */
  void endOwn() {
    carefully(() -> end(open(own::contains)));
  }

  /**
   * From now on ends those of others.
   *
   * @param isWaiting whether this node waits for partitions; called by the thread of this
   */
  void start(BooleanSupplier isWaiting) {
    var unused = // endOfGone reports what goes wrong
        thread.scheduleWithFixedDelay(
            () -> {
              if (isWaiting.getAsBoolean()) {
                endOfGone();
              }
            },
            BETWEEN.toMillis(),
            BETWEEN.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  /** Ends what nodes that are gone have left. Blocks, for three times {@link #PATIENCE} at most. */
  void endOfGone() {
    carefully(
        () -> {
          // Before the members, as a process is one before it has a transaction.
          Set<String> left = open(id -> transactionalId.matcher(id).matches());
          if (!left.isEmpty()) {
            Set<String> living = living();
            left.removeIf(id -> living.contains(process(transactionalId, id)));
            end(living.contains(process) ? left : Set.of()); // Else they are not all members.
          }
        });
  }

  private void carefully(Look look) {
    try {
      look.run();
      isTold = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The node ends.
    } catch (ExecutionException e) {
      failed(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException | RuntimeException e) {
      failed(e);
    }
  }

  private void failed(Throwable cause) {
    boolean isPassing =
        cause instanceof RetriableException // The next look asks again.
            || cause instanceof TimeoutException
            || cause instanceof GroupIdNotFoundException; // Nobody has joined yet.
    if (!isPassing && !isTold && !thread.isShutdown()) {
      isTold = true;
      LOG.log(
          Level.WARNING,
          "event=left_transactions_stay group={0} cause={1}; a node was killed in the midst of a"
              + " commit, and its partitions wait until brokers abort that, {2} s after it began. To"
              + " end it at once takes brokers of 3.0 or later, DESCRIBE on that group, and DESCRIBE"
              + " and WRITE on transactional ids that begin with its name",
          application,
          CauseText.of(cause),
          StreamsProperties.TRANSACTION.toSeconds());
    }
  }

  /** Ids of transactions that nobody has begun to end. */
  private Set<String> open(Predicate<String> isMeant)
      throws ExecutionException, InterruptedException, TimeoutException {
    // Brokers before 4.1 cannot choose by the id.
    Collection<TransactionListing> all =
        answer(
            admin
                .listTransactions(
                    new ListTransactionsOptions().filterStates(Set.of(TransactionState.ONGOING)))
                .all());
    return all.stream()
        .map(TransactionListing::transactionalId)
        .filter(isMeant)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * The processes that are members of the group; none when a member is not named as expected, as
   * nobody can tell then which process it belongs to.
   */
  private Set<String> living() throws ExecutionException, InterruptedException, TimeoutException {
    Collection<MemberDescription> members =
        answer(
                Objects.requireNonNull(
                    admin
                        .describeConsumerGroups(List.of(application))
                        .describedGroups()
                        .get(application)))
            .members();
    Set<String> living = new HashSet<>();
    for (MemberDescription member : members) {
      String process = process(clientId, member.clientId());
      if (process.isEmpty()) {
        return Set.of();
      }
      living.add(process);
    }
    return living;
  }

  /** Empty where the name is another one. */
  private static String process(Pattern form, String name) {
    Matcher matcher = form.matcher(name);
    return matcher.matches() ? matcher.group(1) : "";
  }

  private void end(Set<String> left)
      throws ExecutionException, InterruptedException, TimeoutException {
    if (left.isEmpty()) {
      return;
    }
    ExecutionException refused = null;
    Map<String, KafkaFuture<Void>> ended = admin.fenceProducers(left).fencedProducers();
    for (Map.Entry<String, KafkaFuture<Void>> each : ended.entrySet()) {
      try {
        answer(each.getValue());
        counters.leftTransactionEnded();
        LOG.log(Level.INFO, "event=left_transaction_ended transactional_id={0}", each.getKey());
      } catch (ExecutionException e) {
        refused = e;
      }
    }
    if (refused != null) {
      throw refused;
    }
  }

  private static <T> T answer(KafkaFuture<T> future)
      throws ExecutionException, InterruptedException, TimeoutException {
    return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Asks nothing more. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
    admin.close(Duration.ZERO); // It would wait for what nobody answers.
  }
}
