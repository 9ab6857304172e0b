package io.millrace.server.core.reservation;

import static io.millrace.server.core.reservation.Reserving.chunk;
import static io.millrace.server.core.reservation.Reserving.job;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.ConfirmReservation;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.ReservationCalls;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The shard asks a reservable.ad for itself. Each proposal here is that of an engine that has not
 * asked.
 */
class ReservableCheckTest {
  private static final int NOT_RESERVABLE = PbsError.NOT_RESERVABLE.code();

  private final Reserving all = new Reserving();

  private Reply set(ObjectKind kind, String name, String text) {
    return all.shards.qmgr(ChangeOperation.SET, kind, name, "reservable_ad=" + text);
  }

  private void load(String rule) {
    Reply reply = set(ObjectKind.SCHEDULER, "default", "PLUS_NODE_RESERVABLE = " + rule);
    assertEquals(0, reply.getCode(), reply::toString);
  }

  @Test
  void aProposalThatTheTextForbidsIsRefused() {
    load("PLUS_CANDIDATE_NODE.name == \"n1\" && PLUS_RSV_OWNER == \"ann\"");
    String id = all.submit(all.spec("ann", 1, 2, "", chunk(1, 2)));
    Reply refused =
        all.shards.ask(
            0,
            ReservationCalls.confirm(
                all.shards.engine("default"),
                all.shards.epoch("default"),
                "default",
                all.find(id),
                List.of(Calls.share("n0", 1, 2))));
    assertEquals(NOT_RESERVABLE, refused.getCode());
    assertTrue(
        refused.getLines().toString().contains("n0: PLUS_NODE_RESERVABLE is false"),
        refused::toString);
    assertEquals(ReservationState.UNCONFIRMED, all.find(id).getState());
    assertTrue(all.bookings().isEmpty());
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 2)));
    String other = all.submit(all.spec("bob", 1, 2, "", chunk(1, 2)));
    assertEquals(NOT_RESERVABLE, all.confirm(other, Calls.share("n1", 1, 2)));
  }

  @Test
  void eachNodeIsAskedAfterThoseBeforeIt() {
    load("size(PLUS_ALLOCATED_NODES) + 1 <= size(PLUS_ALL_NODES) * 0.5");
    String one = all.submit(all.spec("ann", 1, 2, "", chunk(1, 4)));
    assertEquals(0, all.confirm(one, Calls.share("n0", 1, 4)));
    String two = all.submit(all.spec("ann", 3, 4, "", chunk(2, 4)));
    NodeShare[] both = {Calls.share("n0", 1, 4), Calls.share("n1", 1, 4)};
    assertEquals(NOT_RESERVABLE, all.confirm(two, both));
  }

  @Test
  void whatRunsAndWhatIsReservedIsAsked() {
    load(
        "PLUS_CANDIDATE_NODE.nRunJobs == 0 && plus_rsvutil(PLUS_RSV_OWNER, absTime(time())"
            + " - relTime(\"1d\"), absTime(time()) + relTime(\"1d\"))[2] < 1.5");
    String running = all.shards.submit(job("ann", "workq", 1, 0.5));
    assertEquals(0, all.run(running, "n0", 1));
    String id = all.submit(all.spec("ann", 1, 3, "", chunk(1, 2)));
    assertEquals(NOT_RESERVABLE, all.confirm(id, Calls.share("n0", 1, 2)), "a run");
    assertEquals(0, all.confirm(id, Calls.share("n1", 1, 2)));
    String more = all.submit(all.spec("ann", 4, 5, "", chunk(1, 2)));
    assertEquals(NOT_RESERVABLE, all.confirm(more, Calls.share("n1", 1, 2)), "two hours");
    // One that was deleted before its time has used nothing.
    all.shards.ask(0, ReservationCalls.delete(all.shards.user("ann"), id));
    assertEquals(0, all.confirm(more, Calls.share("n1", 1, 2)));
    // One that is over still counts.
    all.toHour(5.5);
    String again = all.submit(all.spec("ann", 6, 7, "", chunk(1, 2)));
    assertEquals(0, all.confirm(again, Calls.share("n1", 1, 2)));
    String last = all.submit(all.spec("ann", 8, 9, "", chunk(1, 2)));
    assertEquals(NOT_RESERVABLE, all.confirm(last, Calls.share("n1", 1, 2)));
  }

  @Test
  void aZoneWithoutATextIsRefused() {
    for (ObjectKind kind : List.of(ObjectKind.SCHEDULER, ObjectKind.SERVER)) {
      String name = kind == ObjectKind.SERVER ? "server" : "default";
      Reply reply = all.shards.qmgr(ChangeOperation.SET, kind, name, "reservable_zone=UTC");
      assertEquals(PbsError.ILLEGAL_VALUE.code(), reply.getCode(), name);
    }
  }

  @Test
  void aTextThatCannotBeAskedIsRefusedAndTheOldOneStays() {
    load("PLUS_CANDIDATE_NODE.name == \"n1\"");
    for (String wrong :
        List.of(
            "[ PLUS_NODE_RESERVABLE = ",
            "[ A = 1; ]",
            "PLUS_NODE_RESERVABLE = nofunction(1)",
            "[ PLUS_NODE_RESERVABLE = true; ]" + " ".repeat(256 << 10))) {
      Reply reply = set(ObjectKind.SCHEDULER, "default", wrong);
      assertEquals(PbsError.ILLEGAL_VALUE.code(), reply.getCode(), wrong);
      assertEquals(
          PbsError.ILLEGAL_VALUE.code(), set(ObjectKind.SERVER, "server", wrong).getCode());
    }
    Reply told = set(ObjectKind.SCHEDULER, "default", "[ A = 1;\n PLUS_NODE_RESERVABLE = ; ]");
    assertTrue(told.getLines().toString().contains("2: column 25"), told::toString);
    Reply zone =
        all.shards.qmgr(
            ChangeOperation.SET, ObjectKind.SCHEDULER, "default", "reservable_zone=Moon/Tycho");
    assertEquals(PbsError.ILLEGAL_VALUE.code(), zone.getCode());
    String id = all.submit(all.spec("ann", 1, 2, "", chunk(1, 2)));
    assertEquals(NOT_RESERVABLE, all.confirm(id, Calls.share("n0", 1, 2)));
  }

  /** A hundred thousand steps for a node are allowed; not those for a hundred and more nodes. */
  @Test
  void theNodesOfAllOccurrencesHaveABoundTogether() {
    StringBuilder text = new StringBuilder("A15 > 0\nA0 = 1\n");
    for (int i = 1; i <= 15; i++) {
      text.append("A%d = A%d + A%d\n".formatted(i, i - 1, i - 1));
    }
    load(text.toString());
    List<NodeShare> both = List.of(Calls.share("n0", 1, 4), Calls.share("n1", 1, 4));
    assertEquals(0, standing(20, both).getCode());
    Reply refused = standing(60, both);
    assertEquals(NOT_RESERVABLE, refused.getCode());
    assertTrue(
        refused.getLines().toString().contains("together need more than 10000000 steps"),
        refused::toString);
  }

  /** What is said of a proposal for one that comes again every two hours. */
  private Reply standing(int times, List<NodeShare> shares) {
    ReservationSpec spec = all.spec("ann", 1 + times * 10, 2 + times * 10, "", chunk(2, 4));
    List<Long> later = new ArrayList<>();
    for (int i = 1; i < times; i++) {
      later.add(spec.getStartMs() + i * 2 * Reserving.HOUR_MS);
    }
    spec.setRule("FREQ=HOURLY;INTERVAL=2;COUNT=" + times);
    spec.setLaterMs(later);
    ConfirmReservation proposal =
        ReservationCalls.confirm(
            all.shards.engine("default"),
            all.shards.epoch("default"),
            "default",
            all.find(all.submit(spec)),
            shares);
    proposal.setPlacements(List.of(shares));
    proposal.setLies(Collections.nCopies(times - 1, 0));
    return all.shards.ask(0, proposal);
  }

  @Test
  void theServersTextHoldsWhereTheSchedulerHasNone() {
    assertEquals(0, set(ObjectKind.SERVER, "server", "PLUS_NODE_RESERVABLE = false").getCode());
    String id = all.submit(all.spec("ann", 1, 2, "", chunk(1, 2)));
    assertEquals(NOT_RESERVABLE, all.confirm(id, Calls.share("n0", 1, 2)));
    load("true");
    assertEquals(0, all.confirm(id, Calls.share("n0", 1, 2)));
  }
}
