package io.millrace.ops.bench.campaigns;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Replicas end a campaign earlier whose last tasks take long, and cost little. */
class LateTasksTest {

  private static final int PROCESSORS = 32;

  @Test
  void itEndsAThirdEarlierAtATenthOfTheWork() {
    LateTasks.LateTasksResult without = LateTasks.run(PROCESSORS, false, 1);
    LateTasks.LateTasksResult with = LateTasks.run(PROCESSORS, true, 1);
    assertEquals(0, without.replicas());
    assertTrue(with.replicas() > 0, with.toString());
    assertTrue(with.endS() <= 0.7 * without.endS(), with + " after " + without);
    assertTrue(with.workS() <= 1.1 * without.workS(), with + " after " + without);
    assertTrue(with.replicasS() <= 0.1 * without.workS(), with + " after " + without);
  }
}
