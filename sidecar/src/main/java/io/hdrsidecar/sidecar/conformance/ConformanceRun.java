package io.hdrsidecar.sidecar.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;

/** Plays cases, several at a time, each with a process of the client of its own. */
final class ConformanceRun {
  private final Kit kit;
  private final int jobs;

  /**
   * What came of a case.
   *
   * @param output the last that the client printed
   */
  record CaseResult(ConformanceCase played, List<Breach> breaches, List<String> output) {}

  ConformanceRun(Kit kit, int jobs) {
    this.kit = kit;
    this.jobs = jobs;
  }

  /** Plays all of them; results in their order. */
  List<CaseResult> play(List<ConformanceCase> cases) throws IOException, InterruptedException {
    ExecutorService workers = Executors.newFixedThreadPool(jobs);
    ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
    try {
      List<Future<CaseResult>> running = new ArrayList<>();
      for (ConformanceCase one : cases) {
        running.add(workers.submit(() -> play(one, watch)));
      }
      List<CaseResult> results = new ArrayList<>();
      for (Future<CaseResult> result : running) {
        results.add(result.get());
      }
      return results;
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } finally {
      workers.shutdownNow();
      watch.shutdownNow();
    }
  }

  private CaseResult play(ConformanceCase one, ScheduledExecutorService watch)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(kit.folder().resolve(one.name()));
    SplittableRandom random = new SplittableRandom(kit.seed() * 31 + one.name().hashCode());
    try (CaseStage stage = new CaseStage(kit, folder, random, watch)) {
      try {
        one.script().play(stage);
      } catch (CaseEndException e) {
        stage.ledger().breach(stage.law(), "what the case waits for", e.getMessage() + "", "");
      }
      List<Breach> breaches = List.copyOf(stage.ledger().breaches());
      return new CaseResult(one, breaches, stage.lastLines());
    }
  }
}
