package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Limits in PBS's old form, without brackets, and resources_available act like those with brackets.
 */
class OldLimitsTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  @DisplayName("of a queue, of the server")
  @ParameterizedTest(name = "{0} is {2}={3}")
  @CsvSource({
    "max_running,2,max_run,[o:PBS_ALL=2]",
    "resources_available.ncpus,2,max_run_res.ncpus,[o:PBS_ALL=2]",
    "max_user_run,1,max_run,[u:PBS_GENERIC=1]",
    "max_group_run,1,max_run,[g:PBS_GENERIC=1]",
    "max_user_res.ncpus,1,max_run_res.ncpus,[u:PBS_GENERIC=1]",
    "max_group_res.ncpus,1,max_run_res.ncpus,[g:PBS_GENERIC=1]",
    "max_user_run_soft,1,max_run_soft,[u:PBS_GENERIC=1]",
    "max_group_run_soft,1,max_run_soft,[g:PBS_GENERIC=1]",
    "max_user_res_soft.ncpus,1,max_run_res_soft.ncpus,[u:PBS_GENERIC=1]",
    "max_group_res_soft.ncpus,1,max_run_res_soft.ncpus,[g:PBS_GENERIC=1]"
  })
  void isTheSame(String old, String value, String bracketed, String entry) {
    for (ObjectKind kind : List.of(ObjectKind.QUEUE, ObjectKind.SERVER)) {
      List<Long> starts = starts(kind, old, value);
      assertEquals(starts(kind, bracketed, entry), starts, kind + " " + old);
      assertNotEquals(starts(kind, "comment", ""), starts, kind + " " + old);
    }
  }

  /** Six jobs of three users in two groups for four processors; the order of their starts. */
  private static List<Long> starts(ObjectKind kind, String attribute, String value) {
    SchedulerState state = new SchedulerState("default", 0, new Priority(), 100);
    String levels = "normal_jobs, server_softlimits, queue_softlimits";
    state
        .facts()
        .written(
            Records.object(
                ObjectKind.SCHEDULER, "default", "scheduling", "True", "preempt_prio", levels));
    boolean queue = kind == ObjectKind.QUEUE;
    String[] none = {"started", "True"};
    String[] limit = {"started", "True", attribute, value};
    state.facts().written(Records.object(ObjectKind.QUEUE, "workq", queue ? limit : none));
    state
        .facts()
        .written(Records.object(ObjectKind.SERVER, "server", queue ? new String[0] : limit));
    state.facts().written(Records.object(ObjectKind.NODE, "n1"));
    state.facts().node(Records.node("n1", "h1", 4, 1L << 40));
    String[] owners = {"alice", "alice", "alice", "bob", "carol", "carol"};
    for (int i = 0; i < owners.length; i++) {
      JobSpec spec =
          JobSpec.newBuilder(Records.spec("workq", 0, Records.request("ncpus=1"))).build();
      spec.setOwner(owners[i] + "@h");
      spec.setGroup(owners[i].equals("carol") ? "guests" : "staff");
      state.facts().job(Records.job(i + 1, i + 1, spec));
    }
    List<Long> started = new ArrayList<>();
    CycleDecisions decisions;
    do {
      decisions = Cycle.run(state, NOW, Long.MAX_VALUE);
      for (Start start : decisions.starts()) {
        started.add(start.jobNumber());
        state
            .facts()
            .granted(start.jobNumber(), Records.allocation(start.shares()), NOW.toEpochMilli());
      }
    } while (!decisions.starts().isEmpty());
    return started;
  }
}
