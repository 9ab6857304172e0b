package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schemas.command.RejectJob;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How an engine with the Grid Engine policy handles the shard's answers. */
class GridEngineThreadTest extends EngineFixture {

  private static final int BAD_STATE = 15016;
  private static final int NO_ROOM = 15401;

  private void start(Job... jobs) {
    start(snapshot(jobs));
  }

  private static ClusterObject cell() {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("complex", "slots s INT <= YES YES 1 1000\n");
    files.put("sched", "schedule_interval 0:0:1\n");
    files.put("queue.all.q", "qname all.q\nhostlist n1 n2\nslots 2\npe_list NONE\n");
    return Records.object(
        ObjectKind.SCHEDULER,
        "default",
        "scheduling",
        "True",
        "policy",
        "gridengine",
        AttributeTable.GRID_ENGINE_CONFIGURATION,
        Configuration.join(files));
  }

  private static EngineSnapshot snapshot(Job... jobs) {
    List<ClusterObject> objects =
        List.of(
            cell(),
            Records.queue("workq"),
            Records.object(ObjectKind.NODE, "n1"),
            Records.object(ObjectKind.NODE, "n2"));
    List<Node> nodes =
        List.of(Records.node("n1", "h1", 4, 1L << 32), Records.node("n2", "h2", 4, 1L << 32));
    return SampleSnapshot.of(objects, nodes, jobs);
  }

  private static Job job(long number, String options) {
    JobSpec spec = Records.spec("workq", 0, Records.request("ncpus=1"));
    spec.setGridEngine(
        GridEngineRequest.newBuilder()
            .setOptions(OptionLineWords.of(options))
            .setCategory(options)
            .setSlotsMax(1)
            .setImmediate(options.contains("-now y"))
            .build());
    return Records.job(number, number, spec);
  }

  @Test
  void aJobThatCannotStartAtOnceIsProposedToGoUntilItDoes() throws InterruptedException {
    start(job(1, "-now y -l slots=9"));
    RejectJob first = proposed(RejectJob.class);
    assertEquals("1.vm", first.getJobId());
    assertEquals(3, first.getEpoch());
    engine.answered(first.getMeta().getId(), BAD_STATE);
    RejectJob again = proposed(RejectJob.class);
    assertEquals("1.vm", again.getJobId());
    assertNotEquals(first.getMeta().getId(), again.getMeta().getId());
    CommandId cause = again.getMeta().getId();
    engine.hear(List.of(new JobDeleted(meta(cause), "1.vm", 0, "", again.getWhy(), false)));
    engine.answered(cause, 0);
    assertTrue(engine.awaitSettled(DEADLINE_NANOS));
    assertTrue(engine.alive());
  }

  @Test
  void aRefusalThatCannotBeHeardIsOneAllTheSame() throws InterruptedException {
    EngineLimits standard = EngineLimits.standard();
    EngineLimits hasty =
        new EngineLimits(
            standard.mailboxFacts(),
            standard.proposalsInFlight(),
            Duration.ofMillis(100),
            standard.cycleBudget(),
            standard.watchdog());
    EngineSeat apart = new EngineSeat("default", 3, 0, "vm", () -> {}, false);
    engine = new EngineThreads(hasty).start(apart, snapshot(job(1, "")));
    RunJob first = proposed(RunJob.class);
    RunJob second = proposed(RunJob.class);
    assertEquals("1.vm", second.getJobId());
    assertNotEquals(first.getShares().get(0).getNode(), second.getShares().get(0).getNode());
  }

  @Test
  void noHostIsToBlameForWhatTheServerHas() throws InterruptedException {
    start(job(1, ""));
    RunJob first = proposed(RunJob.class);
    engine.answered(first.getMeta().getId(), Planner.NO_LEASE);
    RunJob second = proposed(RunJob.class);
    assertEquals("1.vm", second.getJobId());
    assertEquals(first.getShares().get(0).getNode(), second.getShares().get(0).getNode());
  }

  @Test
  void aRefusedStartIsTriedOnAnotherHost() throws InterruptedException {
    start(job(1, ""));
    RunJob first = proposed(RunJob.class);
    engine.answered(first.getMeta().getId(), NO_ROOM);
    RunJob second = proposed(RunJob.class);
    assertEquals("1.vm", second.getJobId());
    assertNotEquals(first.getShares().get(0).getNode(), second.getShares().get(0).getNode());
  }
}
