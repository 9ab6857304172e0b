package io.millrace.schedulers.core.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.pbs.attributes.PreemptLevels.Mark;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The level of a job, by its marks and the priority of its queue. */
class PreemptionLevelTest {
  private static final Preemption RULE =
      Preemption.of(
              "express_queue, normal_jobs, express_queue+server_softlimits, server_softlimits",
              150,
              "SCR")
          .orElseThrow();

  private static final Set<Mark> EXPRESS = EnumSet.of(Mark.EXPRESS_QUEUE);
  private static final Set<Mark> NORMAL = EnumSet.noneOf(Mark.class);
  private static final Set<Mark> BOTH = EnumSet.of(Mark.EXPRESS_QUEUE, Mark.SERVER_SOFTLIMITS);
  private static final Set<Mark> SERVER = EnumSet.of(Mark.SERVER_SOFTLIMITS);

  private static int level(Set<Mark> marks, long priority) {
    return RULE.level(marks, priority);
  }

  @Test
  void theOneOfTheMostMarksThatItHas() {
    assertTrue(level(EXPRESS, 150) < level(NORMAL, 0));
    assertTrue(level(NORMAL, 0) < level(BOTH, 150), "though it is in an express queue");
    assertTrue(level(BOTH, 150) < level(SERVER, 0));
    Set<Mark> all = EnumSet.copyOf(BOTH);
    all.add(Mark.QUEUE_SOFTLIMITS);
    assertEquals(level(BOTH, 150), level(all, 150), "a mark that no level has does not count");
    assertEquals(level(NORMAL, 0), level(EnumSet.of(Mark.QUEUE_SOFTLIMITS), 0));
  }

  @Test
  void priorityOfTheQueueAmongExpressQueuesOnly() {
    assertTrue(level(EXPRESS, 200) < level(EXPRESS, 150));
    assertTrue(level(BOTH, 200) < level(BOTH, 150));
    assertTrue(level(EXPRESS, -1024) < level(NORMAL, 1023), "never as low as the next level");
    assertEquals(level(NORMAL, 0), level(NORMAL, 100));
    assertEquals(level(SERVER, -7), level(SERVER, 100));
  }
}
