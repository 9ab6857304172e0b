package io.millrace.ops.installation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What status says of schedulers. */
class StatusTest {

  @Test
  void aServerThatServesAlthoughItIsDrainedIsSaid() {
    assertEquals("serves", Status.serving(false));
    assertEquals("serves, drain unfinished", Status.serving(true));
  }

  @Test
  void aSchedulerThatCannotBeReachedIsNamed() {
    String listed =
        """
        Sched default
            comment = ours
            state = idle

        Sched s2
            comment = Unable to reach scheduler associated with partition P1
            state = down

        Sched s3
            comment = no partition yet
            state = down

        Sched s4
            comment = NEEDS_ATTENTION
            state = idle

        """;
    assertEquals(
        List.of("scheduler s2 is down: Unable to reach scheduler associated with partition P1"),
        Status.unreachable(listed.lines().toList()));
  }

  @Test
  void inputsThatCouldNotBeReadAreNamed() {
    String listed =
        """
        Sched default
            state = idle
            policy_inputs = seats=3

        Sched s2
            policy_inputs = seats=3 (could not be read: /opt/seats is not there), scratch=2gb

        """;
    assertEquals(
        List.of(
            "scheduler s2 goes by old inputs: seats=3 (could not be read: /opt/seats is not there),"
                + " scratch=2gb"),
        Status.unread(listed.lines().toList()));
  }

  @Test
  void filesThatAreNotLoadedAsTheyAreAreNamed() {
    assertEquals(
        List.of("scheduler s1 goes by old files: holidays:3: a day 366"),
        Status.unread(
            List.of("Sched s1", "    policy_problem = holidays:3: a day 366", "Sched s2")));
  }
}
