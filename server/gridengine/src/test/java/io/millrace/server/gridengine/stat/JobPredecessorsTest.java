package io.millrace.server.gridengine.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeout;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.state.Job;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who waits for whom, by numbers, names and patterns. */
class JobPredecessorsTest {

  private final TreeMap<Long, List<Job>> jobs = new TreeMap<>();
  private final Map<Long, Submission> asked = new HashMap<>();

  private void job(long number, String owner, String name, String after) {
    JobSpec spec = new JobSpec();
    spec.setOwner(owner);
    spec.setName(name);
    Job job = new Job();
    job.setSpec(spec);
    jobs.put(number, List.of(job));
    asked.put(number, Submission.of(after.isEmpty() ? List.of() : List.of("-hold_jid", after)));
  }

  private JobPredecessors dependencies() {
    return new JobPredecessors(jobs, asked);
  }

  @Test
  void numbersMeanAnyonesJobsAndNamesOnesOwn() {
    job(1, "alice", "step", "");
    job(2, "bob", "step", "");
    job(3, "alice", "stop", "");
    job(4, "alice", "last", "st?p,2,77,1");
    job(5, "alice", "step", "4");
    job(6, "bob", "next", "step,last");
    job(7, "alice", "free", "");
    JobPredecessors found = dependencies();
    assertEquals(List.of(1L, 3L, 2L), found.predecessors(4), "5 came later");
    assertEquals(List.of(4L), found.predecessors(5));
    assertEquals(List.of(2L), found.predecessors(6), "4 is another's");
    assertEquals(List.of(), found.predecessors(7));
    assertEquals(List.of(4L), found.successors(1));
    assertEquals(List.of(4L, 6L), found.successors(2));
    assertEquals(List.of(5L), found.successors(4));
    assertTrue(found.depends(4) && found.depends(5) && found.depends(6));
    assertFalse(found.depends(1) || found.depends(7));
  }

  @Test
  void aJobDoesNotWaitForItselfOrForLaterOnes() {
    job(1, "alice", "chain", "chain");
    job(2, "alice", "chain", "chain,9");
    job(9, "alice", "other", "");
    JobPredecessors found = dependencies();
    assertFalse(found.depends(1));
    assertEquals(List.of(1L), found.predecessors(2));
    assertEquals(List.of(), found.successors(9));
  }

  @Test
  void longChainsAreSoonFollowed() {
    for (long number = 1; number <= 20_000; number++) {
      job(number, "alice", "n" + number, number == 1 ? "" : "n" + (number - 1) + ",n*");
    }
    JobPredecessors found = dependencies();
    assertTimeout(
        Duration.ofSeconds(60), () -> jobs.keySet().forEach(number -> found.depends(number)));
    assertEquals(List.of(20_000L), found.successors(19_999));
  }
}
