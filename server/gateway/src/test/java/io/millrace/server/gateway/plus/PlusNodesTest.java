package io.millrace.server.gateway.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastOccurrence;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.Suspension;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import io.millrace.server.gateway.command.RecordedReservations;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** How many nodes could be reserved, and what became of those that were. */
class PlusNodesTest {

  private static final String HALF =
      "PLUS_NODE_RESERVABLE = size(PLUS_ALLOCATED_NODES) < size(PLUS_ALL_NODES) / 2";

  private static final String LITTLE =
      "PLUS_NODE_RESERVABLE = plus_rsvutil(PLUS_RSV_OWNER, absTime(time()) - relTime(\"1d\"),"
          + " absTime(time()))[2] < 1.5";

  private final FakeSite site = new FakeSite();

  private String run(String line) throws Exception {
    FakeInvocation done =
        site.run(
            new FakeInvocation(
                "pbsu1", Arrays.asList(line.split(" ")), new HashMap<>(), site.id()));
    assertEquals(0, site.status, done::errors);
    return done.output();
  }

  private void node(String name, String partition, boolean up, List<Holding> holdings) {
    site.put(ObjectKind.NODE, name, "Mom", name, "partition", partition);
    Node node = new Node();
    node.setName(name);
    node.setHost("host-" + name);
    node.setUp(up);
    node.setBootId("b");
    node.setMeasured(Map.of("ncpus", 8L));
    node.setHoldings(holdings);
    node.setSuspended(List.of());
    node.setOfferedTo(-1);
    node.setDownWhy("");
    site.nodes.add(node);
  }

  private static long ms(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  @Test
  void whatCouldBeReserved() throws Exception {
    Job runs = Jobs.fromScript(5, JobStatus.RUNNING); // until 15:45:54
    site.jobs.put(5L, runs);
    node("n1", "P1", true, List.of());
    node("n2", "P1", true, List.of(new Holding("5.vm", 5L, 1, Map.of("ncpus", 1L), 1, 0, false)));
    node("n3", "P1", false, List.of());
    node("vm[0]", "P1", true, List.of());
    node("d1", "pbs-default", true, List.of());
    Reservation booked = RecordedReservations.r73(); // 16:10 until 16:20
    site.reservations.put(73L, booked);
    assertEquals("P1 3\npbs-default 1\n", run("plus_availnodes -s 1540 -e 1545"), "it gives way");
    site.put(ObjectKind.PARTITION, "P1", "scheduler", "one");
    site.put(ObjectKind.SCHEDULER, "one", "reservation_start", "avoid");
    assertEquals("P1 2\npbs-default 1\n", run("plus_availnodes -s 1540 -e 1545"));
    assertEquals("P1 3\npbs-default 1\n", run("plus_availnodes -s 1546 -e 1610"));
    assertEquals("P1 2\npbs-default 1\n", run("plus_availnodes -s 1546 -e 1611"));
    assertEquals("P1 3\npbs-default 1\n", run("plus_availnodes -s 1630 -e 1640"));

    ReservationSpec then = ReservationSpec.newBuilder(booked.getSpec()).build();
    then.setEndMs(ms("2026-11-20T17:00:00Z"));
    List<BookedNode> both =
        List.of(
            new BookedNode("n1", Map.of("ncpus", 4L), false),
            new BookedNode("vm[0]", Map.of("ncpus", 4L), false));
    booked.setPending(
        new ReservationTransaction(TransactionKind.MODIFY, "a@b", 0L, then, List.of(), "", both));
    assertEquals("P1 1\npbs-default 1\n", run("plus_availnodes -s 1630 -e 1640"));

    booked.getSpec().setLaterMs(List.of(ms("2026-11-20T18:00:00Z"))); // until 18:10
    booked.setPlacements(List.of(new Placement(List.of(), both.subList(0, 1), "")));
    booked.setLies(List.of(0));
    assertEquals("P1 2\npbs-default 1\n", run("plus_availnodes -s 1809 -e 1900"));
    assertEquals("P1 3\npbs-default 1\n", run("plus_availnodes -s 1810 -e 1900"));
    site.put(ObjectKind.NODE, "d1", "Mom", "d1", "state", "offline");
    assertTrue(run("plus_availnodes -s 1546 -e 1610").contains("pbs-default 0\n"));
    String xml = run("plus_availnodes -x -s 1630 -e 1640");
    assertTrue(xml.contains("<available partition=\"P1\" nodes=\"1\">"), xml);
    assertTrue(xml.contains("<host name=\"host-n2\"/>"), xml);
    XmlCheck.validate(xml, run("plus_status --schema"));
  }

  @Test
  void theNextDayAsAChart() throws Exception {
    Job runs = Jobs.fromScript(5, JobStatus.RUNNING); // at 15:35:54
    runs.getSpec().getRequest().setWalltimeS(7200L);
    List<NodeShare> shares = List.of(new NodeShare("vm[0]", "vm", 1, Map.of("ncpus", 1L)));
    runs.setAllocation(new Allocation(shares, "vm/0", "(vm[0]:ncpus=1)", null));
    site.jobs.put(5L, runs);
    node("n10", "P1", true, List.of());
    node("n9", "P1", true, List.of());
    node("vm[0]", "P1", true, List.of());
    node("vm[6]", "P1", false, List.of());
    Reservation booked = RecordedReservations.r73(); // 16:10 until 16:20
    booked.getSpec().setLaterMs(List.of(ms("2026-11-21T10:00:00Z")));
    BookedNode later = new BookedNode("n10", Map.of("ncpus", 4L), false);
    booked.setPlacements(List.of(new Placement(List.of(), List.of(later), "")));
    booked.setLies(List.of(0));
    site.reservations.put(73L, booked);
    Reservation maintenance = RecordedReservations.r66(); // from 15:50 on
    maintenance.getSpec().setMaintained(List.of("vm"));
    site.reservations.put(66L, maintenance);
    String chart =
        """
        From Fri Nov 20 15:36:00 2026 until Sat Nov 21 15:36:00 2026
                        18:00   21:00    Nov 21   03:00    06:00   09:00    12:00
        n9       ......................................................................
        n10      .....................................................##...............
        vm[0]    =%%===................................................................
        vm[6]   !MMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMMM
        = job   # booked   % both   M maintenance   . free   ! not usable now
        """;
    assertEquals(chart, run("pbs_rstat -G"));
    assertEquals(chart, run("plus_status -G"), "the same in both families");
    String hour =
        """
        From Fri Nov 20 16:00:00 2026 until Fri Nov 20 17:00:00 2026
                 16:00            16:15             16:30            16:45
        n10      ......................................................................
        vm[0]    ===========%%%%%%%%%%%%%==============================================
        = job   # booked   % both   M maintenance   . free   ! not usable now
        """;
    assertEquals(hour, run("pbs_rstat -G --from 1600 --to 1700 R73"), "its nodes alone");
    assertEquals(hour, run("plus_status -G --from 1600 --to 1700 -r R73"));
  }

  /** Others may have its nodes meanwhile. */
  @Test
  void aSuspendedJobHasNoNodesInTheChart() throws Exception {
    Job stands = Jobs.fromScript(5, JobStatus.RUNNING);
    stands.getSpec().getRequest().setWalltimeS(7200L);
    List<NodeShare> shares = List.of(new NodeShare("n9", "vm", 1, Map.of("ncpus", 1L)));
    stands.setAllocation(new Allocation(shares, "vm/0", "(n9:ncpus=1)", null));
    site.jobs.put(5L, stands);
    node("n9", "P1", true, List.of());
    assertTrue(row("n9").contains("="), "it runs");
    stands.setSuspension(Suspension.RESUMABLE);
    assertTrue(row("n9").matches("n9 +\\.+"), row("n9"));
  }

  private String row(String node) throws Exception {
    return run("pbs_rstat -G").lines().filter(it -> it.startsWith(node)).findFirst().orElse("");
  }

  @Test
  void chartsOfNoPeriod() throws Exception {
    String times = "Bad time specification(s)";
    for (String line :
        List.of(
            "pbs_rstat -G --from 202611211600 --to 202611211600|pbs_rstat: " + times + "|238",
            "pbs_rstat -G --from 25|pbs_rstat: illegal --from time value|1",
            "pbs_rstat -G --to|Usage:|1",
            "pbs_rstat --from 1600|Usage:|1",
            "plus_status -G --to 200001010000|plus_status: " + times + "|1",
            "plus_status -G --to x|plus_status: option --to: no time: x|2",
            "plus_status -G -x|plus_status: option -x with -G|2",
            "plus_status --to 1600|plus_status: option --to without -G|2")) {
      String[] parts = line.split("\\|");
      List<String> words = Arrays.asList(parts[0].split(" "));
      FakeInvocation done =
          site.run(new FakeInvocation("pbsu1", words, new HashMap<>(), site.id()));
      assertEquals(parts[1], done.errors().lines().findFirst().orElse(""), line);
      assertEquals(Integer.parseInt(parts[2]), site.status, line);
    }
  }

  @Test
  void whatTheUserCouldReserveByAnAdministratorsText() throws Exception {
    for (String name : List.of("n1", "n2", "n3", "n4")) {
      node(name, "P1", true, List.of());
    }
    node("d1", "pbs-default", true, List.of());
    site.put(ObjectKind.PARTITION, "P1", "scheduler", "one");
    site.put(ObjectKind.SCHEDULER, "one", "reservable_ad", HALF, "reservable_zone", "UTC");
    assertEquals("P1 2\npbs-default 1\n", run("plus_availnodes -s 1540 -e 1545"));
    site.put(
        ObjectKind.SERVER,
        "server",
        "server_host",
        "vm",
        "reservable_ad",
        "PLUS_NODE_RESERVABLE = PLUS_RSV_OWNER == \"ann\"",
        "reservable_zone",
        "UTC");
    assertEquals("P1 2\npbs-default 0\n", run("plus_availnodes -s 1540 -e 1545"));
    site.put(ObjectKind.SCHEDULER, "one", "reservable_ad", LITTLE, "reservable_zone", "UTC");
    assertEquals("P1 4\npbs-default 0\n", run("plus_availnodes -s 1540 -e 1545"));
    ended(70, "pbsu1", "n1", ReservationState.FINISHED, "2026-11-20T12:00:00Z");
    assertEquals("P1 0\npbs-default 0\n", run("plus_availnodes -s 1540 -e 1545"));
  }

  private void ended(long number, String owner, String node, ReservationState state, String end) {
    Reservation last = RecordedReservations.r73();
    last.setNumber(number);
    last.setQueue("R" + number);
    last.setId("R" + number + ".vm");
    last.setState(state);
    last.getSpec().setOwner(owner);
    last.getSpec().setStartMs(ms("2026-11-20T10:00:00Z"));
    last.getSpec().setEndMs(ms("2026-11-20T12:00:00Z"));
    last.setShares(List.of(new NodeShare(node, "h", 1, Map.of("ncpus", 1L))));
    last.setBooked(List.of(new BookedNode(node, Map.of(), false)));
    site.past.add(new PastReservation(last, ms(end), Long.MAX_VALUE, ""));
  }

  private void job(long number, String start, String end) {
    Job job = Jobs.fromScript(number, JobStatus.FINISHED);
    job.getSpec().setQueue("R70");
    job.setStartedMs(ms(start));
    job.setFinishedMs(ms(end));
    List<NodeShare> shares = List.of(new NodeShare("n8", "h", 1, Map.of("ncpus", 1L)));
    job.setAllocation(new Allocation(shares, "h/0", "(n8:ncpus=1)", null));
    site.jobs.put(number, job);
  }

  private String account(String options) throws Exception {
    return String.join(
        "|",
        run("plus_account" + options).lines().skip(1).map(it -> it.replaceAll(" +", " ")).toList());
  }

  @Test
  void hoursOfNodesAreCounted() throws Exception {
    ended(70, "ann", "n8", ReservationState.FINISHED, "2026-11-20T12:00:00Z");
    ended(71, "bob", "n9", ReservationState.DELETED, "2026-11-20T11:00:00Z");
    ended(72, "bob", "n9", ReservationState.DELETED, "2026-11-20T09:00:00Z");
    site.reservations.put(73L, RecordedReservations.r73()); // has not begun
    job(5, "2026-11-20T10:30:00Z", "2026-11-20T11:00:00Z");
    job(6, "2026-11-20T10:45:00Z", "2026-11-20T11:30:00Z"); // at the same time counts once
    assertEquals("ann 1 2.00 1.00 1.00 0.00|bob 2 1.00 0.00 1.00 3.00", account(""));
    assertEquals("bob 2 1.00 0.00 1.00 3.00", account(" -o bob"));
    assertEquals("ann 1 2.00 1.00 1.00 0.00|bob 2 1.00 0.00 1.00 3.00", account(" -o -d 2"));
    assertEquals("n8 1 2.00 1.00 1.00 0.00|n9 2 1.00 0.00 1.00 3.00", account(" -n"));
    assertEquals("n8 1 2.00 1.00 1.00 0.00", account(" -n n8"));
    assertEquals("all 3 3.00 1.00 2.00 3.00", account(" -S"));
    assertEquals(
        "R70 ann 1 2.00 1.00 1.00 0.00|R71 bob 1 1.00 0.00 1.00 1.00|R72 bob 1 0.00 0.00 0.00 2.00",
        account(" -l"));
    String hour = " -s 2026-11-20T11:00 -e 2026-11-20T12:00";
    assertEquals("ann 1 1.00 0.50 0.50 0.00|bob 2 0.00 0.00 0.00 2.00", account(hour));
    assertEquals("", account(" -s 2026-11-19T00:00 -e 2026-11-19T12:00"));
  }

  /** Neither while it is held nor when that was aborted. */
  @Test
  void whatIsOnlyHeldIsNotCounted() throws Exception {
    ended(70, "ann", "n8", ReservationState.DELETED, "2026-11-20T11:00:00Z");
    assertEquals("ann 1 1.00 0.00 1.00 1.00", account(""));
    Reservation held = site.past.get(0).getReservation();
    held.setOnlyHeld(true);
    assertEquals("", account(""));
    held.setOnlyHeld(false);
    held.setState(ReservationState.CONFIRMED);
    site.reservations.put(70L, held);
    site.past.clear();
    assertEquals("ann 1 2.00 0.00 2.00 0.00", account(""));
    held.setPending(
        ReservationTransaction.newBuilder()
            .setKind(TransactionKind.RESERVE)
            .setBy("ann@vm")
            .setOpenedMs(0L)
            .build());
    assertEquals("", account(""));
    held.getPending().setKind(TransactionKind.CANCEL);
    assertEquals("ann 1 2.00 0.00 2.00 0.00", account(""));
  }

  /** On n8 at 6 and at 8 o'clock, deleted in the window from 10 until 12; to come were two more. */
  @Test
  void eachOccurrenceIsCounted() throws Exception {
    ended(70, "ann", "n8", ReservationState.DELETED, "2026-11-20T11:00:00Z");
    Reservation standing = site.past.get(0).getReservation();
    standing.getSpec().setRule("FREQ=HOURLY;INTERVAL=2;COUNT=5");
    standing.getSpec().setLaterMs(List.of(ms("2026-11-20T13:00:00Z"), ms("2026-11-20T15:00:00Z")));
    standing.setLies(List.of(0, 1));
    standing.setPlacements(
        List.of(
            new Placement(List.of(), List.of(new BookedNode("n8", Map.of(), false)), ""),
            new Placement(List.of(), List.of(new BookedNode("n9", Map.of(), false)), "")));
    standing.setPast(
        List.of(
            new PastOccurrence(ms("2026-11-20T06:00:00Z"), ms("2026-11-20T07:00:00Z"), 0),
            new PastOccurrence(ms("2026-11-20T08:00:00Z"), ms("2026-11-20T09:00:00Z"), 1)));
    job(5, "2026-11-20T06:30:00Z", "2026-11-20T07:00:00Z");
    job(6, "2026-11-20T10:15:00Z", "2026-11-20T10:30:00Z");
    String day = " -s 2026-11-20T00:00 -e 2026-11-21T00:00";
    assertEquals("ann 1 3.00 0.75 2.25 5.00", account(day));
    assertEquals("n8 1 2.00 0.75 1.25 3.00|n9 1 1.00 0.00 1.00 2.00", account(day + " -n"));
    String early = " -s 2026-11-20T06:00 -e 2026-11-20T08:30";
    assertEquals("ann 1 1.50 0.50 1.00 0.00", account(early));
    standing.setState(ReservationState.CONFIRMED);
    site.reservations.put(70L, standing);
    site.past.clear();
    assertEquals("ann 1 8.00 0.75 7.25 0.00", account(day));
  }

  /** From 11 o'clock on it had n9 in the place of n8, which was lost. */
  @Test
  void eachNodeIsCountedForTheTimeInWhichItWasReserved() throws Exception {
    ended(70, "ann", "n9", ReservationState.FINISHED, "2026-11-20T12:00:00Z");
    Reservation last = site.past.get(0).getReservation();
    last.setPlacements(
        List.of(new Placement(List.of(), List.of(new BookedNode("n8", Map.of(), false)), "")));
    last.setPast(
        List.of(new PastOccurrence(ms("2026-11-20T10:00:00Z"), ms("2026-11-20T11:00:00Z"), 0)));
    last.setSinceMs(ms("2026-11-20T11:00:00Z"));
    job(5, "2026-11-20T10:15:00Z", "2026-11-20T10:45:00Z"); // on n8
    assertEquals("n8 1 1.00 0.50 0.50 0.00|n9 1 1.00 0.00 1.00 0.00", account(" -n"));
  }

  /** One was requeued from n8 and suspended on n9, one waits for its second run. */
  @Test
  void eachRunIsCountedForTheTimeInWhichItWasOnItsNodes() throws Exception {
    ended(70, "ann", "n8", ReservationState.FINISHED, "2026-11-20T12:00:00Z");
    site.past
        .get(0)
        .getReservation()
        .setBooked(
            List.of(new BookedNode("n8", Map.of(), false), new BookedNode("n9", Map.of(), false)));
    job(5, "2026-11-20T11:01:00Z", "2026-11-20T12:00:00Z");
    Job twice = site.jobs.get(5L);
    List<NodeShare> shares = List.of(new NodeShare("n9", "h", 1, Map.of("ncpus", 1L)));
    twice.setAllocation(new Allocation(shares, "h/0", "(n9:ncpus=1)", null));
    twice.setEvents(
        List.of(
            event("10:00:00", "granted", "run 1 on (n8:ncpus=1)"),
            event("10:06:00", "started", "run 1, session 9"),
            event("10:36:00", "requeued", "run 1, rerun"),
            event("11:00:00", "granted", "run 2 on (n9:ncpus=1)"),
            event("11:02:00", "started", "run 2, session 9"),
            event("11:19:00", "suspended", "run 2"),
            event("11:43:00", "resumed", "run 2"),
            event("11:55:00", "finished", "run 2, exit status 0")));
    assertEquals("n8 1 2.00 0.50 1.50 0.00|n9 1 2.00 0.50 1.50 0.00", account(" -n"));
    job(6, "2026-11-20T11:01:00Z", "2026-11-20T12:00:00Z");
    Job waits = site.jobs.get(6L);
    waits.setStatus(JobStatus.QUEUED);
    waits.setAllocation(null);
    waits.setStartedMs(-1L);
    waits.setFinishedMs(-1L);
    waits.setRun(1);
    waits.setEvents(
        List.of(
            event("11:00:00", "granted", "run 1 on n8:ncpus=1+n7:ncpus=1"),
            event("11:00:00", "started", "run 1, session 9"),
            event("11:30:00", "requeued", "run 1, rerun")));
    assertEquals("n8 1 2.00 1.00 1.00 0.00|n9 1 2.00 0.50 1.50 0.00", account(" -n"));
  }

  private static JobEvent event(String time, String what, String detail) {
    return new JobEvent(ms("2026-11-20T" + time + "Z"), what, detail);
  }
}
