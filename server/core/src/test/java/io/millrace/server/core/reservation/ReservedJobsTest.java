package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static io.millrace.server.core.reservation.Reserving.queue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.ResumeRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Keys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What jobs of each kind do in the queue of a reservation. */
class ReservedJobsTest {
  private static final int NO_ROOM = PbsError.NO_ROOM.code();

  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  /** Two processors of n0 for an hour, from these hours on. */
  private String standing(double first, double second) {
    ReservationSpec spec = all.spec("ann", first, first + 1, "", chunk(1, 2));
    spec.setRule("FREQ=HOURLY;COUNT=2");
    spec.setLaterMs(List.of(all.beginMs + (long) (second * Reserving.HOUR_MS)));
    String id = all.submit(spec);
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    return id;
  }

  private String array(String queue, int last) {
    NewJob wish = job("ann", queue, 1, 0);
    wish.getSpec().setOutputPath("/o.^array_index^");
    wish.setArray(ArrayStates.fresh(1, last, 1, 0));
    return shards.submit(wish);
  }

  private static String subjob(String array, int index) {
    return array.replace("[]", "[" + index + "]");
  }

  private StartRun runs(String job) {
    assertEquals(0, all.run(job, "n0", 1), job);
    StartRun order = shards.lastStart();
    shards.started(order);
    return order;
  }

  @Test
  void anArrayGoesOnInTheNextOccurrence() {
    String id = standing(1, 3);
    String array = array(queue(id), 5);
    assertEquals(PbsError.STALE_PROPOSAL.code(), all.run(subjob(array, 1), "n0", 1));
    all.toHour(1);
    shards.finished(runs(subjob(array, 1)), 0);
    StartRun second = runs(subjob(array, 2));
    StartRun third = runs(subjob(array, 3));
    assertEquals(NO_ROOM, all.run(subjob(array, 4), "n0", 1), "its share is full");
    all.toHour(2);
    assertEquals(ReservationState.DELETING_JOBS, all.find(id).getState());
    shards.finished(second, 271);
    shards.finished(third, 271);
    shards.pass(1);
    assertEquals(2, all.find(id).getOccurrence());
    assertEquals(JobStatus.FINISHED, shards.status(subjob(array, 2)));
    assertEquals(JobStatus.QUEUED, shards.status(array), "two of its subjobs wait");
    assertEquals(3, shards.job(array).getArray().getExpired());
    all.toHour(3);
    StartRun fourth = runs(subjob(array, 4));
    all.toHour(4);
    shards.finished(fourth, 271);
    shards.pass(1);
    assertNull(all.find(id));
    assertEquals(JobStatus.FINISHED, shards.status(array), "with the subjob that never began");
    assertEquals(5, shards.job(array).getArray().getExpired());
    assertTrue(all.bookings().isEmpty());
  }

  @Test
  void aDeletedReservationGoesWithItsLastJobThoughTheClockIsSetBackMeanwhile() {
    String id = all.reserved("ann", 1, 2, "n0", 2);
    all.toHour(1);
    final StartRun order = runs(shards.submit(job("ann", queue(id), 1, 0)));
    assertEquals(0, shards.ask(0, ReservationCalls.delete(shards.user("ann"), id)).getCode());
    assertEquals(ReservationState.BEING_DELETED, all.find(id).getState());
    shards.brokerAheadMs = 365 * 24 * Reserving.HOUR_MS;
    shards.finished(order, 271);
    shards.brokerAheadMs = 0;
    shards.submit(job("ann", "workq", 1, 0));
    shards.pass(1);
    assertNull(all.find(id));
  }

  @Test
  void aSuspendedJobLeavesItsRoomToTheOthersInside() {
    String id = all.reserved("ann", 1, 4, "n0", 2);
    String array = array(queue(id), 3);
    all.toHour(1);
    runs(subjob(array, 1));
    StartRun second = runs(subjob(array, 2));
    var suspend = Calls.signal(shards.operator(), subjob(array, 1), "suspend");
    assertEquals(0, shards.ask(0, suspend).getCode());
    StartRun third = runs(subjob(array, 3));
    shards.ask(0, Calls.signal(shards.operator(), subjob(array, 1), "resume"));
    assertEquals(NO_ROOM, resume(subjob(array, 1)));
    shards.finished(third, 0);
    assertEquals(0, resume(subjob(array, 1)));
    shards.finished(second, 0);
  }

  private int resume(String job) {
    return shards
        .ask(0, new ResumeRun(shards.engine("default"), "default", shards.epoch("default"), job, 1))
        .getCode();
  }

  @Test
  void aJobThatIsHeldMayBeMovedIntoIt() {
    String id = standing(1, 3);
    String job = shards.submit(Calls.held(job("ann", "workq", 1, 0), "u"));
    assertEquals(0, shards.ask(0, Calls.move(shards.user("ann"), job, queue(id))).getCode());
    assertEquals(queue(id), shards.job(job).getSpec().getQueue());
    assertEquals(JobStatus.HELD, shards.status(job));
    assertEquals(0, shards.ask(0, Calls.release(shards.user("ann"), job, "u")).getCode());
    assertEquals(JobStatus.QUEUED, shards.status(job));
    all.toHour(1);
    runs(job);
  }

  @Test
  void jobsThatWaitForOthersRunInsideAndEndWithIt() {
    String id = all.reserved("ann", 1, 2, "n0", 2);
    String first = shards.submit(job("ann", queue(id), 1, 0));
    String second = shards.submit(after(id, DependencyKind.AFTEROK, first));
    String third = shards.submit(after(id, DependencyKind.AFTEROK, second));
    String otherwise = shards.submit(after(id, DependencyKind.AFTERNOTOK, first));
    assertEquals(JobStatus.HELD, shards.status(second));
    all.toHour(1);
    shards.finished(runs(first), 0);
    assertEquals(JobStatus.FINISHED, shards.status(otherwise), "what it waits for did not fail");
    assertEquals(JobStatus.QUEUED, shards.status(second));
    assertEquals(JobStatus.HELD, shards.status(third));
    StartRun order = runs(second);
    all.toHour(2);
    shards.finished(order, 271);
    shards.pass(1);
    assertNull(all.find(id));
    assertEquals(JobStatus.FINISHED, shards.status(third), "it never ran");
    assertEquals(0, shards.job(third).getRunCount());
  }

  private NewJob after(String id, DependencyKind kind, String other) {
    NewJob wish = job("ann", queue(id), 1, 0);
    long number = Keys.jobNumber(other);
    int shard = shards.tables(0).blocks().get(Keys.block(number)).getShard();
    wish.setDepend(List.of(new Dependency(kind, 0, List.of(new WaitedJob(number, shard, false)))));
    return wish;
  }

  @Test
  void anInteractiveJobRunsInsideAndEndsWithIt() {
    String id = all.reserved("ann", 1, 2, "n0", 2);
    NewJob wish = job("ann", queue(id), 1, 0);
    wish.getSpec().setTerminal("/tmp/terminal");
    String job = shards.submit(wish);
    assertEquals(PbsError.STALE_PROPOSAL.code(), all.run(job, "n0", 1), "before its window");
    all.toHour(1);
    StartRun order = runs(job);
    assertEquals("/tmp/terminal", order.getSpec().getTerminal());
    all.toHour(2);
    assertEquals(KillPurpose.DELETE, shards.job(job).getKilling());
    shards.finished(order, 271);
    assertEquals(JobStatus.FINISHED, shards.status(job), "nobody is at its terminal any more");
    shards.pass(1);
    assertNull(all.find(id));
  }

  /** As in PBS: nodes for itself has only a job of a reservation that has them so. */
  @Test
  void itsPlaceMayNotAskForMoreThanTheReservations() {
    int conflict = PbsError.RESERVATION_PLACE.code();
    String shared = queue(all.reserved("ann", 1, 2, "n0", 2));
    assertEquals(conflict, placed(shared, "excl"));
    assertEquals(conflict, placed(shared, "scatter:exclhost"));
    assertEquals(0, placed(shared, "scatter:shared"));
    String waits = shards.submit(placedJob("workq", "excl"));
    int moved = shards.ask(0, Calls.move(shards.user("ann"), waits, shared)).getCode();
    assertEquals(conflict, moved);
    String id = all.submit(all.spec("ann", 2, 3, "excl", chunk(1, 2)));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
    assertEquals(0, placed(queue(id), "excl"));
    assertEquals(0, placed(queue(id), "shared"));
    assertEquals(conflict, placed(queue(id), "exclhost"));
  }

  private static NewJob placedJob(String queue, String place) {
    return Calls.job("ann", queue, Calls.request(place, chunk(1, 1)));
  }

  private int placed(String queue, String place) {
    return all.queued(placedJob(queue, place));
  }
}
