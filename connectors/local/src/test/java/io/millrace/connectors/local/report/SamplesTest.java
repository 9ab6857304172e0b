package io.millrace.connectors.local.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.local.execution.NullExecution;
import io.millrace.connectors.local.run.Execution;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunObserver;
import io.millrace.connectors.local.run.RunOwner;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.RunTerms;
import io.millrace.connectors.local.run.SomeContext;
import io.millrace.connectors.local.run.StartedRun;
import io.millrace.schemas.output.RunSample;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SamplesTest {
  private static final int RUNS = 2 * Samples.MAX + 200;
  private static final long SOON_MS = 60_000;

  private final List<StartedRun> started = new ArrayList<>();
  private Samples samples;

  @AfterEach
  void close() {
    samples.close();
  }

  private final RunObserver observer =
      new RunObserver() {
        @Override
        public void started(StartedRun run) {
          started.add(run);
        }

        @Override
        public void finished(FinishedRun run) {}
      };

  private static RunRequest request(String jobId) {
    return new RunRequest(
        new RunId(jobId, 1),
        new RunOwner("ann", ""),
        new RunProgram.CommandProgram(List.of("true")),
        SomeContext.of("test", "workq", Map.of(), List.of("here"), 1),
        new RunFiles("here:out", "here:err", "n", RunFiles.DEFAULT_UMASK),
        new RunTerms(0, 10, "42"));
  }

  /** However many there are, one heartbeat stays small, and each run has its turn. */
  @Test
  void manyRunsAreToldInRounds() throws Exception {
    try (NullExecution execution = new NullExecution(3_600_000, observer)) {
      for (int job = 1; job <= RUNS; job++) {
        execution.start(request(job + ".vm"));
      }
      assertEquals(RUNS, started.size());
      samples = new Samples(execution);
      for (int round = 0; round < 2; round++) {
        Set<Long> told = new HashSet<>();
        for (int expected : List.of(Samples.MAX, Samples.MAX, 200)) {
          List<RunSample> next = samples.next(SOON_MS);
          assertEquals(expected, next.size());
          told.addAll(next.stream().map(RunSample::getJob).collect(Collectors.toSet()));
        }
        assertEquals(RUNS, told.size());
      }
    }
  }

  /** Who stands still with his file system is not taken for dead. */
  @Test
  void whatCannotBeReadNowIsWaitedForByNobody() throws Exception {
    CountDownLatch stuck = new CountDownLatch(1);
    try (NullExecution execution = new NullExecution(3_600_000, observer)) {
      execution.start(request("1.vm"));
      samples = new Samples(gated(execution, stuck));
      assertEquals(List.of(), samples.next(10));
      assertEquals(List.of(), samples.next(10), "nor is it asked for twice");
      stuck.countDown();
      assertEquals(1, samples.next(SOON_MS).size());
    }
  }

  @Test
  void afterItsCloseItSaysNothing() throws Exception {
    try (NullExecution execution = new NullExecution(3_600_000, observer)) {
      execution.start(request("1.vm"));
      samples = new Samples(execution);
      samples.close();
      assertEquals(List.of(), samples.next(SOON_MS));
    }
  }

  private static Execution gated(Execution execution, CountDownLatch gate) {
    return (Execution)
        Proxy.newProxyInstance(
            SamplesTest.class.getClassLoader(),
            new Class<?>[] {Execution.class},
            (proxy, method, arguments) -> {
              gate.await();
              return method.invoke(execution, arguments);
            });
  }
}
