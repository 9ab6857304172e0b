package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static io.millrace.server.core.reservation.Reserving.queue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.shard.WatchedTable;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the end of an occurrence costs when many jobs wait for the next one. */
class OccurrenceEndTest {
  private static final int HELD = 300;

  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  @Test
  void anEndOfARunCostsNoLookAtTheJobsThatWait() {
    ReservationSpec spec = all.spec("ann", 1, 2, "", chunk(1, 4));
    spec.setRule("FREQ=HOURLY;COUNT=2");
    spec.setLaterMs(List.of(all.beginMs + 5 * Reserving.HOUR_MS));
    String id = all.submit(spec);
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 4)));
    all.toHour(1.1);
    for (int i = 0; i < HELD; i++) {
      shards.submit(Calls.held(job("ann", queue(id), 1, 0), "u"));
    }
    List<StartRun> runs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      assertEquals(0, all.run(shards.submit(job("ann", queue(id), 1, 0)), "n0", 1));
      runs.add(shards.lastStart());
      shards.started(shards.lastStart());
    }
    all.toHour(2.1);
    assertEquals(ReservationState.DELETING_JOBS, all.find(id).getState());
    long before = WatchedTable.gets(shards.tables(0), "jobs");
    runs.subList(0, 3).forEach(run -> shards.finished(run, 271));
    long looks = WatchedTable.gets(shards.tables(0), "jobs") - before;
    assertTrue(looks < HELD / 2, "looks at jobs: " + looks);
    assertEquals(ReservationState.DELETING_JOBS, all.find(id).getState(), "one is left");
    shards.finished(runs.get(3), 271);
    shards.pass(1);
    assertEquals(2, all.find(id).getOccurrence());
    assertEquals(JobStatus.FINISHED, shards.status(runs.get(3).getJobId()));
  }
}
