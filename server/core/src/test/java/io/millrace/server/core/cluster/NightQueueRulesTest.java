package io.millrace.server.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The ordinary queue to which jobs of a best-effort queue go by night stays one. */
class NightQueueRulesTest extends DirectiveFixture {

  private static final String NOT_ORDINARY =
      "15014 Illegal attribute or resource value: night_queue is an ordinary queue, and ";

  @BeforeEach
  void queues() {
    shards.must(CREATE, QUEUE, "be", "queue_type=e", "best_effort=True", "night_queue=work");
    shards.must(CREATE, QUEUE, "work", "queue_type=e");
  }

  @Test
  void itDoesNotBecomeBestEffortAndIsNotDeleted() {
    refused(
        "15014 Illegal attribute or resource value: best_effort is not for work, which is the"
            + " night_queue of be",
        SET,
        QUEUE,
        "work",
        "best_effort=True");
    refused(
        "15027 Cannot delete busy object: work, which is the night_queue of be",
        DELETE,
        QUEUE,
        "work");
    shards.must(UNSET, QUEUE, "be", "night_queue");
    shards.must(SET, QUEUE, "work", "best_effort=True");
    shards.must(DELETE, QUEUE, "work");
    assertFalse(exists(QUEUE, "work"));
  }

  @Test
  void itIsNoneThatIsBestEffort() {
    shards.must(CREATE, QUEUE, "other", "queue_type=e", "best_effort=True");
    refused(NOT_ORDINARY + "other is not", SET, QUEUE, "be", "night_queue=other");
    refused(NOT_ORDINARY + "be is not", SET, QUEUE, "be", "night_queue=be");
    refused(NOT_ORDINARY + "other is not", CREATE, QUEUE, "q", "night_queue=other");
    // As a file of qmgr has them that somebody reads in again: by name.
    shards.must(SET, QUEUE, "be", "night_queue=zebra");
    shards.must(CREATE, QUEUE, "zebra", "queue_type=e");
    assertEquals("zebra", get(QUEUE, "be", "night_queue"));
  }
}
