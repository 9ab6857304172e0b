package io.millrace.connectors.gridengine.reserve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideReservation;
import io.millrace.connectors.gridengine.SgeKind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What goes back to the queue where a reservation begins, and what is left alone. */
class ResubmissionTest {

  private static final OutsideReservation RESERVATION =
      new OutsideReservation("R7", true, List.of("n1"), List.of("bob"));

  private final FalseCell cell = new FalseCell("n1", "n2");
  private String start = "resubmit";

  /** The other queues are suspended, and nothing ran there. */
  @BeforeEach
  void begun() throws Exception {
    carryOut(RESERVATION);
    carryOut(RESERVATION);
    cell.done.clear();
  }

  private Optional<String> carryOut(OutsideReservation... wanted) throws InterruptedException {
    Map<String, String> values =
        Map.of(
            "name", "c1",
            "queue", "all.q",
            "commands", "/usr/bin",
            "as", "self",
            "reservation_start", start,
            "command_limit_s", "20",
            "output_most_mib", "1");
    return new SgeReservations(
            new ClusterFile(new SgeKind(), values, Map.of()),
            cell,
            Map.of(),
            () -> Optional.of(cell.hosts()))
        .carryOut("a home", List.of(wanted));
  }

  private void carryOutTimes(int times) throws InterruptedException {
    for (int i = 0; i < times; i++) {
      carryOut(RESERVATION);
    }
  }

  private String moving() {
    return CellState.fields(cell.sets.getOrDefault("mr.c1.moving", "")).getOrDefault("entries", "");
  }

  /** While another job does not go, the copy is its owner's, with what he makes of it. */
  @Test
  void whatIsDoneIsNotDoneAgain() throws Exception {
    cell.jobs.putAll(Map.of("4", "all.q@n1", "5", "all.q@n1"));
    cell.stuck.add("5");
    carryOutTimes(3);
    assertEquals("job5.bob", moving());
    String copy =
        cell.marks.entrySet().stream()
            .filter(it -> it.getValue().equals("4") && cell.jobs.containsKey(it.getKey()))
            .findAny()
            .orElseThrow()
            .getKey();
    assertFalse(cell.held.contains(copy));
    cell.held.add(copy);
    cell.jobs.put("200", "all.q");
    cell.marks.put("200", "4");
    cell.held.add("200");
    carryOutTimes(3);
    assertTrue(cell.held.containsAll(Set.of(copy, "200")), cell.held::toString);
    assertTrue(cell.jobs.containsKey("200"));
  }

  /** An order that was not answered is carried out when the copy of the next one runs already. */
  @Test
  void aCopyThatComesLateIsNotReleased() throws Exception {
    cell.jobs.put("4", "all.q@n1");
    cell.refused.put("4", "");
    assertTrue(carryOut(RESERVATION).orElseThrow().contains("no answer"));
    cell.refused.clear();
    carryOut(RESERVATION);
    assertEquals(Set.of("101"), cell.jobs.keySet());
    cell.held.remove("101"); // released by one that was killed then
    cell.jobs.put("110", "all.q");
    cell.marks.put("110", "4");
    cell.held.add("110");
    carryOutTimes(3);
    assertEquals(Set.of("110"), cell.held);
    assertFalse(cell.sets.containsKey("mr.c1.moving"));
  }

  @Test
  void whatIsRefusedIsTriedOnce() throws Exception {
    for (String job : List.of("4", "5", "6", "7")) {
      cell.jobs.put(job, "all.q@n1");
    }
    cell.refused.put(
        "4", "job rejected: positive submission priority requires operator privileges");
    cell.refused.put("5", "job rejected: no script in your request");
    cell.refused.put("6", "sudo: a password is required");
    cell.refused.put("7", "Sorry, user millrace is not allowed to execute 'qresub' as bob on n1.");
    assertTrue(carryOut(RESERVATION).orElseThrow().contains("requires operator privileges"));
    assertEquals("kept4.bob,kept5.bob,kept6.bob,kept7.bob", moving());
    assertEquals(Set.of(), cell.suspended);
    assertEquals(Map.of(), cell.marks);
    cell.done.clear();
    assertEquals(Optional.empty(), carryOut(RESERVATION));
    assertEquals(List.of(), cell.done);
    cell.jobs.remove("5");
    carryOut(RESERVATION);
    assertEquals("kept4.bob,kept6.bob,kept7.bob", moving());
    carryOut();
    carryOut();
    assertEquals(Set.of("4", "6", "7"), cell.jobs.keySet());
    assertFalse(cell.sets.containsKey("mr.c1.moving"));
  }

  /** Killed between any two orders, a refused job is as it was in the end. */
  @Test
  void killedWhileOneIsRefused() throws Exception {
    for (int i = 0; i < 12; i++) {
      cell.jobs.put("4", "all.q@n1");
      cell.refused.put("4", "denied: not this one");
      cell.done.clear();
      cell.killAfter(i);
      for (int j = 0; j < 5; j++) {
        try {
          carryOut(RESERVATION);
        } catch (FalseCell.Killed e) {
          cell.killAfter(Integer.MAX_VALUE);
        }
      }
      assertEquals("kept4.bob", moving(), "killed after " + i);
      assertEquals(Set.of(), cell.suspended, "killed after " + i);
      assertEquals(Map.of(), cell.marks, "killed after " + i);
      cell.killAfter(Integer.MAX_VALUE);
      cell.jobs.clear();
      carryOut(RESERVATION);
    }
  }

  /** qmaster is away for a moment. */
  @Test
  void whatIsNoRefusalIsTriedAgain() throws Exception {
    cell.jobs.put("4", "all.q@n1");
    cell.refused.put("4", "error: commlib error: got select error (Connection refused)");
    carryOutTimes(2);
    assertEquals("job4.bob", moving());
    cell.refused.clear();
    carryOutTimes(3);
    assertEquals(Map.of("101", "all.q"), cell.jobs);
  }

  @Test
  void accountsOfTheSystemAndStrangeOnesAreNotTouched() throws Exception {
    cell.jobs.putAll(Map.of("4", "all.q@n1", "5", "all.q@n1", "6", "all.q@n1", "7", "all.q@n1"));
    cell.owners.putAll(Map.of("4", "backup", "5", "bob smith", "6", "root", "7", "gone"));
    cell.uids.putAll(Map.of("backup", "34", "gone", ""));
    assertEquals(Optional.empty(), carryOut(RESERVATION));
    assertEquals(List.of(), cell.done);
  }

  @Test
  void runsOfMillraceAndWhatIsNotToRunTwiceStay() throws Exception {
    cell.jobs.putAll(Map.of("4", "all.q@n1", "5", "all.q@n1"));
    cell.once.add("4");
    cell.runs.add("5");
    assertEquals(Optional.empty(), carryOut(RESERVATION));
    assertEquals(List.of(), cell.done);
  }

  @Test
  void whatItsOwnerHasSuspendedStaysSo() throws Exception {
    cell.jobs.putAll(Map.of("4", "all.q@n1", "5", "all.q@n1"));
    cell.suspended.add("4");
    cell.refused.putAll(Map.of("4", "", "5", ""));
    carryOut(RESERVATION);
    assertEquals(Set.of("4", "5"), cell.suspended);
    carryOut();
    carryOut();
    assertEquals(Set.of("4"), cell.suspended);
    assertEquals(Map.of(), cell.marks);
    assertFalse(cell.sets.containsKey("mr.c1.moving"));
  }

  @Test
  void whatWasBegunIsBroughtToItsEndWhenTheKeyIsTakenOut() throws Exception {
    cell.jobs.putAll(Map.of("4", "all.q@n1", "5", "all.q@n1"));
    cell.refused.put("5", "");
    carryOut(RESERVATION);
    assertEquals(Set.of("102"), cell.held);
    start = "suspend";
    carryOutTimes(3);
    assertEquals(Map.of("102", "all.q", "5", "all.q@n1"), cell.jobs);
    assertEquals(Set.of(), cell.held);
    assertEquals(Set.of(), cell.suspended);
    assertFalse(cell.sets.containsKey("mr.c1.moving"));
  }
}
