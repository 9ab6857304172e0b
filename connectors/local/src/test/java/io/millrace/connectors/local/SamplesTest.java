package io.millrace.connectors.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.output.RunSample;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class SamplesTest {
  private static final int RUNS = 2 * Samples.MAX + 200;

  private final List<RunStarted> started = new ArrayList<>();

  private final RunObserver observer =
      new RunObserver() {
        @Override
        public void started(RunStarted run) {
          started.add(run);
        }

        @Override
        public void finished(RunFinished run) {}
      };

  private static RunRequest request(String jobId) {
    return new RunRequest(
        new RunId(jobId, 1),
        new RunOwner("ann", ""),
        new RunProgram.Command(List.of("true")),
        new RunContext("test", "workq", Map.of(), List.of("here"), 1),
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
      Samples samples = new Samples(execution);
      for (int round = 0; round < 2; round++) {
        Set<Long> told = new HashSet<>();
        for (int expected : List.of(Samples.MAX, Samples.MAX, 200)) {
          List<RunSample> next = samples.next();
          assertEquals(expected, next.size());
          told.addAll(next.stream().map(RunSample::getJob).collect(Collectors.toSet()));
        }
        assertEquals(RUNS, told.size());
      }
    }
  }
}
