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
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.fact.JobDeleted;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How an engine with the Grid Engine policy handles the shard's answers. */
class GridEngineThreadTest {

  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final int BAD_STATE = 15016;
  private static final int NO_ROOM = 15401;

  private SchedulingEngine engine;

  @AfterEach
  void close() {
    engine.close();
  }

  private void start(Job... jobs) {
    EngineSeat seat = new EngineSeat("default", 3, 0, "vm", () -> {});
    engine = new EngineThreads(EngineLimits.standard()).start(seat, snapshot(jobs));
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
    return new EngineSnapshot() {
      @Override
      public long timeMs() {
        return 0;
      }

      @Override
      public void objects(Consumer<ClusterObject> each) {
        each.accept(cell());
        each.accept(Records.queue("workq"));
        each.accept(Records.object(ObjectKind.NODE, "n1"));
        each.accept(Records.object(ObjectKind.NODE, "n2"));
      }

      @Override
      public void schedulers(Consumer<Scheduler> each) {
        // None has run yet.
      }

      @Override
      public void usages(Consumer<EntityUsage> each) {
        // Nobody has used anything.
      }

      @Override
      public void nodes(Consumer<Node> each) {
        each.accept(Records.node("n1", "h1", 4, 1L << 32));
        each.accept(Records.node("n2", "h2", 4, 1L << 32));
      }

      @Override
      public void reservations(Consumer<Reservation> each) {}

      @Override
      public void past(Consumer<PastReservation> each) {}

      @Override
      public void jobs(Consumer<Job> each) {
        List.of(jobs).forEach(each);
      }
    };
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

  private <P> P next(Class<P> wanted) throws InterruptedException {
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (System.nanoTime() < end) {
      assertTrue(engine.awaitSettled(DEADLINE_NANOS));
      for (SpecificRecord it : engine.proposals(1000)) {
        if (wanted.isInstance(it)) {
          return wanted.cast(it);
        }
      }
      Thread.onSpinWait();
    }
    throw new AssertionError("no " + wanted.getSimpleName() + " within the deadline");
  }

  @Test
  void aJobThatCannotStartAtOnceIsProposedToGoUntilItDoes() throws InterruptedException {
    start(job(1, "-now y -l slots=9"));
    RejectJob first = next(RejectJob.class);
    assertEquals("1.vm", first.getJobId());
    assertEquals(3, first.getEpoch());
    engine.answered(first.getMeta().getId(), BAD_STATE);
    RejectJob again = next(RejectJob.class);
    assertEquals("1.vm", again.getJobId());
    assertNotEquals(first.getMeta().getId(), again.getMeta().getId());
    CommandId cause = again.getMeta().getId();
    engine.hear(
        List.of(
            new JobDeleted(
                new FactMeta(1L, 1L, cause, "u"), "1.vm", 0, "", again.getWhy(), false)));
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
    RunJob first = next(RunJob.class);
    RunJob second = next(RunJob.class);
    assertEquals("1.vm", second.getJobId());
    assertNotEquals(first.getShares().get(0).getNode(), second.getShares().get(0).getNode());
  }

  @Test
  void noHostIsToBlameForWhatTheServerHas() throws InterruptedException {
    start(job(1, ""));
    RunJob first = next(RunJob.class);
    engine.answered(first.getMeta().getId(), Planner.NO_LEASE);
    RunJob second = next(RunJob.class);
    assertEquals("1.vm", second.getJobId());
    assertEquals(first.getShares().get(0).getNode(), second.getShares().get(0).getNode());
  }

  @Test
  void aRefusedStartIsTriedOnAnotherHost() throws InterruptedException {
    start(job(1, ""));
    RunJob first = next(RunJob.class);
    engine.answered(first.getMeta().getId(), NO_ROOM);
    RunJob second = next(RunJob.class);
    assertEquals("1.vm", second.getJobId());
    assertNotEquals(first.getShares().get(0).getNode(), second.getShares().get(0).getNode());
  }
}
