package io.millrace.connectors.gridengine.reserve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideReservation;
import io.millrace.connectors.gridengine.SgeKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is done in a cell for a reservation, step by step, and after a kill at each of them. */
class SgeReservationsTest {

  private static final ClusterFile FILE =
      new ClusterFile(
          new SgeKind(),
          Map.of(
              "name", "c1",
              "queue", "all.q",
              "commands", "/usr/bin",
              "as", "self",
              "reservation_start", "suspend",
              "command_limit_s", "20",
              "output_most_mib", "1"),
          Map.of());

  private static final String HOME = "MkU3OEVBNTcwNTJENDM2Qg";

  private final FalseCell cell = new FalseCell("n1", "n2", "n3");

  private Optional<String> carryOut(OutsideReservation... wanted) throws InterruptedException {
    return new SgeReservations(FILE, cell, Map.of(), () -> Optional.of(cell.hosts()))
        .carryOut(HOME, List.of(wanted));
  }

  private static OutsideReservation reservation(String name, boolean begun, String... hosts) {
    return new OutsideReservation(name, begun, List.of(hosts), List.of("bob", "alice"));
  }

  private List<String> steps(OutsideReservation... wanted) throws InterruptedException {
    cell.done.clear();
    assertEquals(Optional.empty(), carryOut(wanted));
    return List.copyOf(cell.done);
  }

  @Test
  void beforeItBeginsItsQueueIsThereAndSuspended() throws Exception {
    assertEquals(
        List.of("qconf -Au", "qconf -Ahgrp", "qconf -Au", "qconf -Aq", "qmod -sq mr.c1.R7"),
        steps(reservation("R7", false, "n1", "n2")));
    assertEquals(
        List.of("n1", "n2"),
        List.of(CellState.fields(cell.groups.get("@mr.c1.R7_hosts")).get("hostlist").split(" ")));
    assertEquals("alice,bob", CellState.fields(cell.sets.get("mr.c1.R7_users")).get("entries"));
    Map<String, String> queue = CellState.fields(cell.queues.get("mr.c1.R7"));
    assertEquals("@mr.c1.R7_hosts", queue.get("hostlist"));
    assertEquals("mr.c1.R7_users", queue.get("user_lists"));
    assertEquals("4,[n1=8]", queue.get("slots"));
    assertEquals(Map.of("n1", "", "n2", "", "n3", ""), of("all.q"));
    assertEquals(Map.of("n1", "ds", "n2", "ds"), of("mr.c1.R7"));
    assertEquals(List.of(), steps(reservation("R7", false, "n1", "n2")));
  }

  @Test
  void whenItBeginsTheOthersAreSuspendedFirst() throws Exception {
    carryOut(reservation("R7", false, "n1", "n2"));
    cell.states.put("all.q@n2", "s"); // by an administrator
    assertEquals(
        List.of(
            "qconf -Ahgrp",
            "qmod -sq all.q@n1",
            "qmod -usq mr.c1.R7@n1",
            "qmod -e mr.c1.R7@n1",
            "qmod -usq mr.c1.R7@n2",
            "qmod -e mr.c1.R7@n2"),
        steps(reservation("R7", true, "n1", "n2")));
    assertEquals(Map.of("n1", "s", "n2", "s", "n3", ""), of("all.q"));
    assertEquals(List.of(), steps(reservation("R7", true, "n1", "n2")));
  }

  @Test
  void atItsEndAllIsTakenBackButWhatAnAdministratorHasSuspended() throws Exception {
    cell.states.put("all.q@n2", "s");
    carryOut(reservation("R7", true, "n1", "n2"));
    carryOut(reservation("R7", true, "n1", "n2"));
    cell.jobs.putAll(
        Map.of("4", "mr.c1.R7@n1", "5", "mr.c1.R7", "6", "all.q@n3", "7", "mr.c1.R77", "8", "x"));
    cell.done.clear();
    assertEquals(Optional.of("jobs of mr.c1.R7 are being deleted"), carryOut());
    assertEquals(List.of("qmod -d mr.c1.R7", "qconf -rattr", "qdel -f 4", "qdel -f 5"), cell.done);
    assertEquals("s", cell.states.get("all.q@n1"), "not before its jobs are gone");
    assertEquals(
        List.of(
            "qconf -dq mr.c1.R7",
            "qconf -dul mr.c1.R7_users",
            "qconf -dhgrp",
            "qmod -usq all.q@n1",
            "qconf -dhgrp",
            "qconf -dul mr.c1.home"),
        steps());
    assertEquals(Map.of("n1", "", "n2", "s", "n3", ""), of("all.q"));
    assertTrue(cell.sets.isEmpty());
    assertEquals(1, cell.groups.size());
    assertEquals(3, cell.jobs.size());
  }

  @Test
  void oneAfterTheOtherOnTheSameHost() throws Exception {
    carryOut(reservation("R7", true, "n1"), reservation("R8", false, "n1"));
    carryOut(reservation("R7", true, "n1"), reservation("R8", false, "n1"));
    assertEquals(Map.of("n1", "ds"), of("mr.c1.R8"));
    carryOut(reservation("R8", true, "n1"));
    carryOut(reservation("R8", true, "n1"));
    assertEquals("s", cell.states.get("all.q@n1"));
    carryOut();
    assertEquals("", cell.states.get("all.q@n1"));
    assertEquals(1, cell.groups.size(), cell.groups::toString);
  }

  @Test
  void anotherNodeInThePlaceOfALostOne() throws Exception {
    carryOut(reservation("R7", true, "n1"));
    carryOut(reservation("R7", true, "n1"));
    carryOut(reservation("R7", true, "n2"));
    carryOut(reservation("R7", true, "n2"));
    assertEquals(Map.of("n1", "", "n2", "s", "n3", ""), of("all.q"));
    assertEquals(Map.of("n2", ""), of("mr.c1.R7"));
  }

  /** Another occurrence waits for its time. */
  @Test
  void betweenOccurrencesTheHostsAreOthers() throws Exception {
    carryOut(reservation("S7", true, "n1"));
    carryOut(reservation("S7", false, "n1"));
    assertEquals(Map.of("n1", "", "n2", "", "n3", ""), of("all.q"));
    assertEquals(Map.of("n1", "s"), of("mr.c1.S7"));
  }

  /** As the manual of PluS has it: suspended, submitted again by its owner, deleted. */
  @Test
  void whatRunsThereGoesBackToTheQueue() throws Exception {
    cell.jobs.putAll(Map.of("4", "all.q@n1", "5", "all.q@n2", "6", "all.q@n1"));
    cell.owners.put("6", "root");
    resubmit(cell, reservation("R7", true, "n1"));
    cell.done.clear();
    assertTrue(resubmit(cell, reservation("R7", true, "n1")).isEmpty());
    assertEquals(Map.of("103", "all.q", "5", "all.q@n2", "6", "all.q@n1"), cell.jobs);
    assertTrue(cell.held.isEmpty());
    assertEquals(
        List.of("qrls 103", "qconf -du job4.bob mr.c1.moving", "qconf -dul mr.c1.moving"),
        cell.done);
  }

  private static Optional<String> resubmit(FalseCell cell, OutsideReservation... wanted)
      throws InterruptedException {
    Map<String, String> values = new java.util.HashMap<>(FILE.values());
    values.put("reservation_start", "resubmit");
    return new SgeReservations(
            new ClusterFile(new SgeKind(), values, Map.of()),
            cell,
            Map.of(),
            () -> Optional.of(cell.hosts()))
        .carryOut(HOME, List.of(wanted));
  }

  /** Killed between any two orders there is one copy in the end, which is not held. */
  @Test
  void killedAnywhereAJobIsSubmittedAgainOnce() throws Exception {
    for (int i = 0; i < 20; i++) {
      FalseCell each = new FalseCell("n1", "n2");
      each.jobs.put("4", "all.q@n1");
      each.killAfter(i);
      for (int j = 0; j < 8; j++) {
        try {
          resubmit(each, reservation("R7", true, "n1"));
        } catch (FalseCell.Killed e) {
          each.killAfter(Integer.MAX_VALUE);
        }
      }
      assertEquals(List.of("all.q"), List.copyOf(each.jobs.values()), "killed after " + i);
      assertEquals(java.util.Set.of(), each.held, "killed after " + i);
      assertEquals(2, each.sets.size(), "killed after " + i);
    }
  }

  /** Anybody can write the context of his jobs; it says nothing of jobs of others. */
  @Test
  void aMarkOfSomebodyElseDeletesNothing() throws Exception {
    cell.jobs.putAll(Map.of("4", "all.q@n1", "7", "all.q"));
    cell.owners.put("7", "mallory");
    cell.held.add("7");
    cell.marks.put("7", "4");
    for (int i = 0; i < 5; i++) {
      resubmit(cell, reservation("R7", true, "n1"));
    }
    assertTrue(cell.held.contains("7"));
    assertEquals(2, cell.jobs.size(), cell.jobs::toString);
  }

  /** Killed after each order in turn, and begun again with what stands in the cell. */
  @Test
  void killedAnywhereTheNextOneGoesOn() throws Exception {
    int orders = life(Integer.MAX_VALUE, new FalseCell("n1", "n2", "n3"));
    assertTrue(orders > 20, "orders " + orders);
    for (int i = 0; i <= orders; i++) {
      FalseCell each = new FalseCell("n1", "n2", "n3");
      life(i, each);
      assertEquals(1, each.queues.size(), "killed after " + i);
      assertEquals(1, each.groups.size(), "killed after " + i);
      assertEquals(Map.of(), each.sets);
      assertEquals(Map.of("all.q@n1", "", "all.q@n2", "", "all.q@n3", "s"), each.states);
    }
  }

  /** A reservation from its confirmation to its end; an administrator has a queue suspended. */
  private static int life(int killed, FalseCell cell) throws InterruptedException {
    cell.states.put("all.q@n3", "s");
    cell.killAfter(killed);
    List<List<OutsideReservation>> phases = new ArrayList<>();
    phases.add(List.of(reservation("R7", false, "n1", "n3"), reservation("R8", false, "n2")));
    phases.add(List.of(reservation("R7", true, "n1", "n3"), reservation("R8", false, "n2")));
    phases.add(List.of(reservation("R7", true, "n2", "n3")));
    phases.add(List.of());
    for (List<OutsideReservation> phase : phases) {
      boolean whole = false;
      for (int i = 0; i < 6 && !whole; i++) {
        try {
          boolean quiet =
              new SgeReservations(FILE, cell, Map.of(), () -> Optional.of(cell.hosts()))
                  .carryOut(HOME, phase)
                  .isEmpty();
          int before = cell.done.size();
          new SgeReservations(FILE, cell, Map.of(), () -> Optional.of(cell.hosts()))
              .carryOut(HOME, phase);
          whole = quiet && cell.done.size() == before;
        } catch (FalseCell.Killed e) {
          cell.killAfter(Integer.MAX_VALUE);
        }
      }
      assertTrue(whole, () -> phase + ": " + cell.done);
      for (OutsideReservation each : phase) {
        for (String host : each.hosts()) {
          String own = cell.states.get("mr.c1." + each.name() + "@" + host);
          assertEquals(each.begun(), own.isEmpty(), own);
          assertTrue(!each.begun() || cell.states.get("all.q@" + host).equals("s"));
        }
      }
    }
    return cell.done.size();
  }

  /** What one has noted counts for another only while the first is to have the host. */
  @Test
  void twoOfOneHostThatEndTogether() throws Exception {
    OutsideReservation[] both = {reservation("R7", true, "n1"), reservation("R8", true, "n1")};
    carryOut(both);
    carryOut(both);
    assertEquals("s", cell.states.get("all.q@n1"));
    carryOut();
    assertEquals(Map.of("n1", "", "n2", "", "n3", ""), of("all.q"));
    assertEquals(1, cell.groups.size(), cell.groups::toString);
  }

  /** The other one still has jobs there. */
  @Test
  void theHostStaysClosedForTheOneWhoseJobsAreNotGone() throws Exception {
    OutsideReservation[] both = {reservation("R7", true, "n1"), reservation("R8", true, "n1")};
    carryOut(both);
    carryOut(both);
    cell.jobs.put("4", "mr.c1.R8@n1");
    cell.denied.add("qdel");
    carryOut();
    assertEquals("s", cell.states.get("all.q@n1"));
    cell.denied.clear();
    carryOut();
    carryOut();
    assertEquals("", cell.states.get("all.q@n1"));
    assertEquals(1, cell.groups.size(), cell.groups::toString);
  }

  @Test
  void whatFailsOfOneIsDoneOfTheOthers() throws Exception {
    OutsideReservation[] all = {reservation("R6", true, "n1"), reservation("R7", true, "n2")};
    carryOut(all);
    carryOut(all);
    cell.denied.add("qconf -dq mr.c1.R6");
    cell.denied.add("qmod -usq mr.c1.R8@n3");
    String said = "qconf -dq mr.c1.R6: denied: /usr/bin/qconf -dq mr.c1.R6";
    OutsideReservation[] later = {reservation("R8", true, "n3"), reservation("R9", false, "n2")};
    assertEquals(
        said, carryOut(later).orElse("").replace("denied: qconf", "denied: /usr/bin/qconf"));
    assertEquals(Map.of("n1", "s", "n2", "", "n3", "s"), of("all.q"));
    assertTrue(cell.queues.containsKey("mr.c1.R8"), cell.queues::toString);
    assertEquals(Map.of("n2", "ds"), of("mr.c1.R9"));
    cell.denied.clear();
    carryOut(later);
    assertEquals(Map.of("n1", "", "n2", "", "n3", "s"), of("all.q"));
  }

  /** Where a job is counts, and of one that waits all that it asks for. */
  @Test
  void jobsThatMayBeElsewhereAreLeft() throws Exception {
    carryOut(reservation("R7", true, "n1"));
    carryOut(reservation("R7", true, "n1"));
    cell.jobs.putAll(Map.of("4", "all.q@n3", "5", "mr.c1.R7", "6", "mr.c1.R7@n1", "7", "mr.c1.R7"));
    cell.jobs.putAll(Map.of("8.1", "mr.c1.R7@n1", "8.2", "all.q@n2"));
    cell.asked.putAll(Map.of("4", "mr.c1.R7", "5", "all.q", "6", "all.q", "7", "mr.c1.R7@n1"));
    cell.asked.putAll(Map.of("8.1", "all.q", "8.2", "mr.c1.R7"));
    carryOut();
    carryOut();
    assertEquals(Map.of("4", "all.q@n3", "5", "mr.c1.R7", "8.2", "all.q@n2"), cell.jobs);
    assertEquals(1, cell.queues.size(), cell.queues::toString);
  }

  /** Nothing begins in a queue whose end has begun, and what waits for it keeps nothing. */
  @Test
  void whatWaitsDoesNotKeepAQueue() throws Exception {
    carryOut(reservation("R7", true, "n1"));
    carryOut(reservation("R7", true, "n1"));
    cell.jobs.put("4", "mr.c1.R7@n1");
    cell.jobs.put("5", "mr.c1.R7");
    cell.denied.add("qdel");
    assertTrue(carryOut().isPresent());
    assertEquals(Map.of("n1", "do"), of("mr.c1.R7"));
    assertEquals("NONE", CellState.fields(cell.queues.get("mr.c1.R7")).get("hostlist"));
    cell.jobs.remove("4");
    cell.states.remove("mr.c1.R7@n1");
    carryOut();
    assertEquals(1, cell.queues.size(), cell.queues::toString);
    assertEquals("", cell.states.get("all.q@n1"));
  }

  /** It was away for a moment: its queue gets its hosts again. */
  @Test
  void wantedAgainAfterItsEndHasBegun() throws Exception {
    carryOut(reservation("R7", true, "n1"));
    carryOut(reservation("R7", true, "n1"));
    cell.denied.add("qconf -dq");
    carryOut();
    assertEquals(Map.of(), of("mr.c1.R7"));
    carryOut(reservation("R7", true, "n1"));
    assertEquals(Map.of("n1", ""), of("mr.c1.R7"));
    assertEquals("s", cell.states.get("all.q@n1"));
  }

  @Test
  void aNoteWithoutAHostCanBeWrittenOn() throws Exception {
    String note = "@mr.c1.R7.closed.all.q";
    cell.groups.put(note, "group_name " + note + "\nhostlist NONE\n");
    carryOut(reservation("R7", true, "n1"));
    assertEquals(Optional.empty(), carryOut(reservation("R7", true, "n1")));
    assertEquals("n1", CellState.fields(cell.groups.get(note)).get("hostlist"));
    assertEquals("s", cell.states.get("all.q@n1"));
  }

  /** Nobody knows what it is like: the note stays until it is shown. */
  @Test
  void anInstanceThatIsNotShownIsOpenedLater() throws Exception {
    carryOut(reservation("R7", true, "n1"));
    carryOut(reservation("R7", true, "n1"));
    cell.hidden.add("n1");
    carryOut();
    assertEquals("s", cell.states.get("all.q@n1"));
    assertTrue(cell.groups.containsKey("@mr.c1.R7.closed.all.q"), cell.groups::toString);
    cell.hidden.clear();
    carryOut();
    assertEquals("", cell.states.get("all.q@n1"));
    assertEquals(1, cell.groups.size(), cell.groups::toString);
    assertEquals(Map.of(), cell.sets);
  }

  @Test
  void whatAnotherHomeHasUnderTheNameIsLeft() throws Exception {
    carryOut(reservation("R7", true, "n1"));
    carryOut(reservation("R7", true, "n1"));
    cell.done.clear();
    SgeReservations other =
        new SgeReservations(FILE, cell, Map.of(), () -> Optional.of(cell.hosts()));
    Optional<String> said = other.carryOut("another", List.of());
    assertTrue(said.orElse("").contains("of another home under the name c1"), said::toString);
    assertTrue(other.carryOut("another", List.of(reservation("R3", true, "n2"))).isPresent());
    assertEquals(List.of(), cell.done);
    assertEquals(Optional.of("R7"), other.standing());
    carryOut();
    assertEquals(Optional.empty(), other.standing());
    assertEquals(
        Optional.empty(), other.carryOut("another", List.of(reservation("R3", true, "n2"))));
  }

  private Map<String, String> of(String queue) {
    Map<String, String> found = new java.util.TreeMap<>();
    cell.states.forEach(
        (instance, state) -> {
          if (instance.startsWith(queue + "@")) {
            found.put(instance.replaceFirst(".*@", ""), state);
          }
        });
    return found;
  }
}
