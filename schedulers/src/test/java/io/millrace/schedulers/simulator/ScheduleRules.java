package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.state.promise.Promise;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Rules that hold for any simulation, whatever the policy; checked while it runs. */
final class ScheduleRules {

  private final Map<Long, Long> promisedMs = new HashMap<>();
  private final Set<Long> started = new HashSet<>();
  private int promises;

  private ScheduleRules() {}

  /** Runs the simulation and checks it. */
  static Schedule checked(Workload workload, String policy) {
    ScheduleRules rules = new ScheduleRules();
    Schedule schedule =
        Simulation.run(
            workload,
            SimulatedPolicy.named(policy).orElseThrow(),
            (submitted, jobs) -> {},
            rules::heard);
    assertEquals(workload.jobs().size(), rules.started.size());
    judge(schedule);
    if (policy.equals("conservative")) {
      assertTrue(rules.promises >= rules.waited(schedule), "not everybody who waits is promised");
    }
    return schedule;
  }

  /** No promise moves later, and no start is later than promised. */
  private void heard(CycleDecisions decisions) {
    long nowMs = decisions.at().toEpochMilli();
    for (Start start : decisions.starts()) {
      long number = start.jobNumber();
      assertTrue(started.add(number), "job " + number + " started twice");
      Long promised = promisedMs.remove(number);
      assertTrue(promised == null || nowMs <= promised, "job " + number + " started too late");
    }
    for (Promise promise : decisions.promises()) {
      promises++;
      Long before = promisedMs.put(promise.jobNumber(), promise.fromMs());
      assertTrue(promise.dated() && promise.fromMs() > nowMs, "a promise without a future");
      assertTrue(
          before == null || promise.fromMs() <= before,
          "the promise of job " + promise.jobNumber() + " moved later");
    }
  }

  private long waited(Schedule schedule) {
    long waited = 0;
    for (int i = 0; i < schedule.startS().length; i++) {
      waited += schedule.waitS(i) > 0 ? 1 : 0;
    }
    return waited;
  }

  /**
   * Checks that all jobs ran, none before its submission, and that never more processors are in use
   * than exist.
   */
  static void judge(Schedule schedule) {
    Workload workload = schedule.workload();
    TreeMap<Long, Long> changes = new TreeMap<>();
    for (int i = 0; i < schedule.startS().length; i++) {
      TraceJob job = workload.jobs().get(i);
      assertTrue(schedule.waitS(i) >= 0, "job " + job.id() + " started before its submission");
      changes.merge(schedule.startS()[i], (long) job.processors(), Long::sum);
      changes.merge(schedule.endS(i), -(long) job.processors(), Long::sum);
    }
    long used = 0;
    for (Map.Entry<Long, Long> change : changes.entrySet()) {
      used += change.getValue();
      assertTrue(used <= workload.processors(), used + " processors in use at " + change.getKey());
    }
    assertEquals(0, used);
  }
}
