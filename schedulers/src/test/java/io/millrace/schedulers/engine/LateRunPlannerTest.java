package io.millrace.schedulers.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SampleReservations;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Reservation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run that outlives its walltime on a node of a reservation, which only the shard sees. */
class LateRunPlannerTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  private final Followers all = Followers.of("default", 0, 1000);
  private final CycleNotes notes = new CycleNotes(all.core(), "vm");
  private final CorePlanner planner = new CorePlanner(all.core(), all.bestEffort(), notes);
  private final Proposals proposals =
      new Proposals(new EngineSeat("default", 3, 0, "vm", () -> {}), "h1");

  private void job(long number, String queue) {
    all.each(it -> it.job(Records.job(number, queue, 0, "ncpus=4")));
  }

  private List<Long> starts() {
    notes.begin(NOW, 0);
    return planner.cycle(proposals, NOW, 100_000).starts().stream()
        .map(Planner.Proposed::number)
        .toList();
  }

  private void refuse(long number) {
    all.each(it -> it.withdraw(number));
    planner.refused(number, PbsError.NO_ROOM.code(), NOW.toEpochMilli());
  }

  @Test
  void itsEndEndsThePauseOfWhatWasRefused() {
    all.written(Records.scheduler());
    all.written(Records.queue("workq"));
    all.written(Records.object(ObjectKind.NODE, "n1"));
    all.each(it -> it.node(Records.node("n1", "h1", 8, 1L << 32)));
    long nowMs = NOW.toEpochMilli();
    Reservation asked =
        SampleReservations.asked(
            1,
            SampleReservations.spec("pbs-default", nowMs, nowMs + 3_600_000, "select=1:ncpus=4"));
    Reservation confirmed =
        SampleReservations.confirmed(
            asked, List.of(new NodeShare("n1", "h1", 1, Map.of("ncpus", 4L))));
    all.each(it -> it.reservation(SampleReservations.begun(confirmed, nowMs)));
    job(21, "R1");
    job(11, "workq");
    assertEquals(List.of(11L, 21L), starts().stream().sorted().toList());
    refuse(21);
    refuse(11);
    assertEquals(List.of(), starts());
    assertFalse(planner.due(nowMs));
    FactMeta meta = new FactMeta(1L, 1L, new CommandId(new byte[16]), "u");
    Usage used = Usage.newBuilder().build();
    planner.heard(new RunFinished(meta, "7.vm", 1, 0, used, 0L, 0L, "", -1L, ""), nowMs);
    assertTrue(planner.due(nowMs));
    assertEquals(List.of(21L), starts(), "what is refused outside waits for its pause");
  }
}
