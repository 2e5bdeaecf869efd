package io.hdrsidecar.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdrsidecar.sidecar.support.WatchedLog;
import io.vertx.core.Context;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StagesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Vertx vertx = Vertx.vertx();
  private final List<String> order = new CopyOnWriteArrayList<>();
  private final WatchedLog log = new WatchedLog("io.vertx");

  @AfterEach
  void watchNoMore() {
    log.close();
  }

  /** A stage that says when it stops, and has stopped when this future has. */
  private Deployable stage(String name, Future<?> stopped) {
    return new Deployable() {
      @Override
      public Future<?> deploy(Context context) {
        return Future.succeededFuture();
      }

      @Override
      public Future<?> undeploy(Context context) {
        order.add(name);
        return stopped;
      }
    };
  }

  @Test
  void stop_severalStages_isInReverseOrder() throws Exception {
    Stages stages = new Stages(vertx);
    stages.start(stage("first", Future.succeededFuture()), 20);
    stages.start(stage("second", Future.succeededFuture()), 20);

    stages.stop(PATIENCE);
    stages.close(PATIENCE);

    assertThat(order).containsExactly("second", "first");
  }

  @Test
  void close_stageStillStopping_closesWhenItHasStopped() throws Exception {
    Promise<Void> stopped = Promise.promise();
    Stages stages = new Stages(vertx);
    stages.start(stage("slow", stopped.future()), 20);

    stages.stop(Duration.ZERO);
    stages.close(Duration.ZERO);
    assertThat(vertx.deploymentIDs()).hasSize(1);
    stopped.complete();
    stages.close(PATIENCE);

    assertThat(order).containsExactly("slow");
    assertThat(log.from(Level.WARNING)).noneMatch(line -> line.contains("Undeploy"));
    assertThat(vertx.deploymentIDs()).isEmpty();
  }
}
