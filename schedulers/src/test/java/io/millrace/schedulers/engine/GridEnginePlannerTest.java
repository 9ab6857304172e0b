package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.dialects.gridengine.live.LiveState;
import io.millrace.schedulers.engine.measure.ScheduleFile;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.Job;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a run of Grid Engine's scheduler is due. */
class GridEnginePlannerTest {

  private static final long S = 1000;
  private static final long BEGIN_MS = 1_795_000_000L * S;

  private final LiveState state = new LiveState("default", 0);
  private final GridEnginePlanner planner =
      new GridEnginePlanner(
          state,
          100,
          new SchedulerState("default", 0, Policies.STANDARD, 100).limits(),
          new ScheduleFile(Optional.empty()));

  @BeforeEach
  void aCellWithoutHosts() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("complex", "slots s INT <= YES YES 1 1000\n");
    files.put("sched", "schedule_interval 0:0:10\n");
    files.put("queue.all.q", "qname all.q\nhostlist n1\nslots 2\npe_list NONE\n");
    state.written(
        Records.object(
            ObjectKind.SCHEDULER,
            "default",
            "policy",
            "gridengine",
            AttributeTable.GRID_ENGINE_CONFIGURATION,
            Configuration.join(files)));
    state.written(Records.queue("workq"));
  }

  private void submit(long number, long atS) {
    JobSpec spec = Records.spec("workq", 0, Records.request("ncpus=1"));
    spec.setGridEngine(
        GridEngineRequest.newBuilder().setOptions(List.of()).setCategory("").build());
    Job job = Records.job(number, number, spec);
    state.job(job);
    long atMs = BEGIN_MS + atS * S;
    FactMeta meta = new FactMeta(1L, atMs, new CommandId(new byte[16]), "");
    planner.heard(new JobQueued(meta, job, List.of()), atMs);
  }

  private void cycle(long atS) {
    EngineSeat seat = new EngineSeat("default", 1, 0, "vm", () -> {}, false);
    planner.cycle(
        new Proposals(seat, "h"), Instant.ofEpochMilli(BEGIN_MS + atS * S), Long.MAX_VALUE);
  }

  private long dueS() {
    return (planner.dueMs() - BEGIN_MS) / S;
  }

  @Test
  void theFirstJobAfterAnIdleTimeWaitsForTheEndOfTheInterval() {
    assertTrue(planner.chosen());
    submit(1, 0);
    assertTrue(planner.due(BEGIN_MS), "the first one of all need not wait");
    cycle(0);
    state.gone(1);
    cycle(10);
    assertEquals(Long.MAX_VALUE, planner.dueMs());
    submit(2, 37);
    assertEquals(40, dueS());
    submit(3, 39);
    assertEquals(40, dueS());
    assertFalse(planner.due(BEGIN_MS + 39 * S));
    cycle(40);
    assertEquals(50, dueS(), "both wait");
  }
}
