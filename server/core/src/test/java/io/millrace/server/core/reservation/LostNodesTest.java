package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import io.millrace.server.core.shard.TestShards;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Nodes that an administrator, or their host, makes useless to who has booked them. */
class LostNodesTest {
  private final Reserving all = new Reserving();
  private final TestShards shards = all.shards;

  private void set(String node, String pair) {
    shards.must(ChangeOperation.SET, ObjectKind.NODE, node, pair);
  }

  private int endsAt(String id, double hour) {
    long endMs = all.beginMs + (long) (hour * Reserving.HOUR_MS);
    var wish = ReservationCalls.alter(shards.user("ann"), id).setEndMs(endMs);
    return shards.ask(0, wish.build()).getCode();
  }

  private List<String> lost(String id) {
    return all.find(id).getLost().stream().map(LostNodesTest::text).toList();
  }

  private static String text(LostNode lost) {
    return lost.getNode() + " " + lost.getWhy();
  }

  /** No job of a reservation's queue runs on a node of another queue. */
  @Test
  void aNodeThatIsBoundToAQueueIsLost() {
    shards.must(ChangeOperation.CREATE, ObjectKind.QUEUE, "special", "queue_type=e");
    String id = all.reserved("ann", 1, 2, "n0", 3);
    set("n0", "queue=special");
    assertEquals(List.of("n0 bound to queue special"), lost(id));
    assertEquals(ReservationState.DEGRADED, all.find(id).getState());
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 3)), "another takes its place");
    assertEquals(List.of(), lost(id));
    all.toHour(1.1);
    assertEquals(ReservationState.RUNNING, all.find(id).getState());
    set("n1", "queue=special");
    assertEquals(List.of("n1 bound to queue special"), lost(id), "in its window, too");
    assertEquals(ReservationState.DEGRADED, all.find(id).getSubstate());
    shards.must(ChangeOperation.UNSET, ObjectKind.NODE, "n1", "queue");
    assertEquals(List.of(), lost(id));
    assertEquals(ReservationState.RUNNING, all.find(id).getSubstate());
  }

  @Test
  void aNodeWithLessThanIsBookedIsLost() {
    String id = all.reserved("ann", 1, 2, "n0", 3);
    set("n0", "resources_available.ncpus=3");
    assertEquals(List.of(), lost(id));
    set("n0", "resources_available.ncpus=2");
    assertEquals(List.of("n0 too small"), lost(id));
    assertEquals(ReservationState.DEGRADED, all.find(id).getState());
    set("n0", "resources_available.ncpus=4");
    assertEquals(List.of(), lost(id));
    set("n0", "resources_available.ncpus=2");
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 3)));
    assertEquals(List.of(), lost(id));
    shards.nodeUp("n1", 2);
    assertEquals(List.of("n1 too small"), lost(id), "its host says so");
    shards.nodeUp("n1", 4);
    assertEquals(List.of(), lost(id));
  }

  /** A job runs on a node that has become too small; the other node of the reservation is down. */
  @Test
  void whatIsTooSmallAndStaysDoesNotKeepOthersFromBeingReplaced() {
    String id = all.submit(all.spec("ann", 1, 3, "", chunk(2, 3)));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3), Calls.share("n1", 1, 3)));
    String job = shards.submit(job("ann", Reserving.queue(id), 1, 0));
    all.toHour(1.1);
    assertEquals(0, all.run(job, "n0", 1));
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n9");
    shards.nodeUp("n9", 4);
    set("n0", "resources_available.ncpus=2");
    set("n1", "state=offline");
    assertEquals(List.of("n0 too small", "n1 offline"), lost(id));
    assertEquals(
        PbsError.NO_ROOM.code(),
        all.confirm(id, Calls.share("n0", 1, 4), Calls.share("n9", 1, 3)),
        "more than it has of the small one");
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3), Calls.share("n9", 1, 3)));
    assertEquals(List.of("n0 too small"), lost(id));
  }

  /** It loses nothing that it has not lost already. */
  @Test
  void whatHasLostNodesMayBeMadeShorter() {
    String id = all.submit(all.spec("ann", 1, 3, "", chunk(2, 3)));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3), Calls.share("n1", 1, 3)));
    all.toHour(1.1);
    set("n0", "resources_available.ncpus=2");
    set("n1", "state=offline");
    assertEquals(List.of("n0 too small", "n1 offline"), lost(id));
    assertEquals(0, endsAt(id, 2));
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 3), Calls.share("n1", 1, 3)));
    assertEquals(List.of("n0 too small", "n1 offline"), lost(id));
    assertEquals(all.beginMs + 2 * Reserving.HOUR_MS, all.find(id).getSpec().getEndMs());
    assertEquals(ReservationState.DEGRADED, all.find(id).getSubstate());
    assertEquals(0, endsAt(id, 4));
    assertEquals(
        PbsError.NO_ROOM.code(),
        all.confirm(id, Calls.share("n0", 1, 3), Calls.share("n1", 1, 3)),
        "not for longer");
  }

  /** Who came first keeps all that is left of a node while it is also booked by who lost it. */
  @Test
  void whoHasReservedFirstIsReplacedBesideIt() {
    String first = all.submit(all.spec("ann", 1, 3, "", chunk(2, 2)));
    assertEquals(0, all.confirm(first, Calls.share("n0", 1, 2), Calls.share("n1", 1, 2)));
    String second = all.reserved("bob", 1, 3, "n0", 2);
    set("n0", "resources_available.ncpus=2");
    assertEquals(List.of("n0 too small"), lost(second));
    set("n1", "state=offline");
    shards.must(ChangeOperation.CREATE, ObjectKind.NODE, "n9");
    shards.nodeUp("n9", 4);
    assertEquals(0, all.confirm(first, Calls.share("n0", 1, 2), Calls.share("n9", 1, 2)));
    assertEquals(List.of(), lost(first));
  }

  /** What is left is for those who came first. */
  @Test
  void whoHasReservedLaterLosesANodeThatIsTooSmallForBoth() {
    String first = all.reserved("ann", 1, 3, "n0", 2);
    String second = all.reserved("bob", 2, 4, "n0", 2);
    String third = all.reserved("cy", 3, 5, "n0", 2);
    set("n0", "resources_available.ncpus=3");
    assertEquals(List.of(), lost(first));
    assertEquals(List.of("n0 too small"), lost(second));
    assertEquals(List.of("n0 too small"), lost(third), "beside the second one");
    assertEquals(0, all.confirm(second, Calls.share("n1", 1, 2)));
    all.toHour(0.3);
    assertEquals(List.of(), lost(third), "it is looked at again after reserve_retry_time");
    String fourth = all.submit(all.spec("ann", 1, 2, "", chunk(1, 2)));
    assertEquals(PbsError.NO_ROOM.code(), all.confirm(fourth, Calls.share("n0", 1, 2)));
    assertEquals(0, shards.ask(0, ReservationCalls.delete(shards.user("ann"), first)).getCode());
    assertEquals(0, all.confirm(fourth, Calls.share("n0", 1, 2)));
    assertTrue(lost(fourth).isEmpty());
  }
}
