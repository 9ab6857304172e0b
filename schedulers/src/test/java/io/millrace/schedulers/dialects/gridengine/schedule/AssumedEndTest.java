package io.millrace.schedulers.dialects.gridengine.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import org.junit.jupiter.api.Test;

/**
 * When a running task is assumed to end: by its own limits, else by those of its queue instances,
 * else by the default duration. Observed by the start that is promised behind it.
 */
class AssumedEndTest {

  private static final String ALL = "@all.q@node01:2@all.q@node02:2";

  /** The promised start behind a task with these options in a queue with these limits. */
  private static String promised(String limits, String options) {
    return new GridEngineScene()
        .scheduler("queue_sort_method", "seqno")
        .scheduler("default_duration", "0:0:40")
        .queue(
            "qname all.q\nhostlist node01 node02\nslots 2\nseq_no 0,[node01=1],[node02=2]\n"
                + "pe_list mpi\n"
                + limits)
        .running("first", 0, options + " -pe mpi 4")
        .job("A", "-R y -pe mpi 4")
        .decide();
  }

  @Test
  void theLowerLimitOfTheQueueBoundsWhoAsksForNone() {
    assertEquals("A>10" + ALL, promised("h_rt 0:0:10\n", ""));
    assertEquals("A>10" + ALL, promised("s_rt 0:0:10\n", ""));
    assertEquals("A>10" + ALL, promised("s_rt 0:0:10\nh_rt 0:0:20\n", ""));
    assertEquals("A>10" + ALL, promised("s_rt 0:0:20\nh_rt 0:0:10\n", ""));
  }

  @Test
  void ofSeveralInstancesTheLowestLimitCounts() {
    assertEquals("A>10" + ALL, promised("s_rt 0:0:30,[node02=0:0:10]\n", ""));
  }

  @Test
  void whoAsksForALimitIsHeldToThatOneOnly() {
    assertEquals("A>20" + ALL, promised("h_rt 0:0:10\n", "-l s_rt=20"));
    assertEquals("A>20" + ALL, promised("s_rt 0:0:10\n", "-l h_rt=20"));
  }

  @Test
  void withoutAnyLimitTheDefaultDurationCounts() {
    assertEquals("A>40" + ALL, promised("", ""));
    assertEquals("A>40" + ALL, promised("h_rt 1:0:0\n", "-l s_rt=INFINITY"));
  }
}
