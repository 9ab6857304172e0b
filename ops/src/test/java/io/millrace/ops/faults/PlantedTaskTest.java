package io.millrace.ops.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.ops.faults.sabotage.Sabotage;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A planted fault is found only where it was planted. */
class PlantedTaskTest {

  @Test
  void theTaskIsNamed() {
    assertEquals(
        new PlantedTask("LOST", "task 17"),
        PlantedTask.of(
            Sabotage.FORGET_TASK, "seed 3\nplanted: forgot task 17, which runs as 4.host\n"));
    assertEquals(
        new PlantedTask("TWICE", "task 5"),
        PlantedTask.of(Sabotage.SEND_AGAIN, "planted: submitted 1.5.2 again"));
    assertEquals(
        new PlantedTask("COUNTED_TWICE", "task 5"),
        PlantedTask.of(
            Sabotage.COUNT_REPLICA,
            "planted: submitted 1.5.2 of a task that is done, and has it counted"));
    assertThrows(AssertionError.class, () -> PlantedTask.of(Sabotage.SEND_AGAIN, "gave up"));
  }

  @Test
  void anotherTaskIsNotTheOne() {
    PlantedTask planted = new PlantedTask("LOST", "task 17");
    String found = "LOST task 17: was never counted as done";
    String other = "LOST task 1: was never counted as done";
    planted.isFound(List.of(found, "UNEXPLAINED the wait for the end: was given up", found));
    List<List<String>> wrong =
        List.of(List.of(), List.of(other), List.of(found, other), List.of("TWICE task 17: ran"));
    for (List<String> findings : wrong) {
      assertThrows(AssertionError.class, () -> planted.isFound(findings), findings.toString());
    }
  }
}
