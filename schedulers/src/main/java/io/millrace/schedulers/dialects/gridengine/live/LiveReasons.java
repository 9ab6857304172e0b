package io.millrace.schedulers.dialects.gridengine.live;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schemas.pbs.reasons.ReasonCode;
import io.millrace.schemas.pbs.resources.RequestClass;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Why jobs wait, as a run has found out, in the form in which reasons are reported. */
final class LiveReasons {

  static final String PREFIX = "SGE_";

  /** Reasons that concern a single job rather than its class. */
  private static final Set<Reason.Code> OWN =
      EnumSet.of(
          Reason.Code.DEPENDS,
          Reason.Code.TOO_EARLY,
          Reason.Code.TASK_LIMIT,
          Reason.Code.NOT_AT_ONCE);

  private final LiveJobs jobs;
  private final ReasonNotes notes = new ReasonNotes();

  LiveReasons(LiveJobs jobs) {
    this.jobs = jobs;
  }

  ReasonNotes notes() {
    return notes;
  }

  /** Gives all waiting jobs the same reason. */
  void allWait(String code, String text, Instant now) {
    for (LiveTask task : jobs.allTasks()) {
      if (!task.holds()) {
        notes.found(classOf(task), code, List.of(text), now.toEpochMilli());
      }
    }
  }

  /** Gives a job the reason that the configuration does not allow its request. */
  void refused(LiveJob live, Instant now) {
    String key = RequestClass.gridEngineJob(live.number);
    notes.found(key, PREFIX + "REQUEST", List.of(live.refusal()), now.toEpochMilli());
  }

  void queueNotStarted(LiveTask task, Instant now) {
    notes.found(
        classOf(task),
        ReasonCode.QUEUE_NOT_STARTED.name(),
        List.of(task.spec.getQueue()),
        now.toEpochMilli());
  }

  /** Records why each job of a run waits, and the reasons that concern all of them. */
  void explain(Decisions decisions, List<Reason> unavailable, Instant now) {
    List<Reason> queues = new ArrayList<>(unavailable);
    queues.addAll(decisions.information());
    if (!queues.isEmpty()) {
      String code = PREFIX + queues.get(0).code().name();
      notes.found(
          RequestClass.GRID_ENGINE_QUEUES,
          code,
          queues.stream().map(Reason::text).toList(),
          now.toEpochMilli());
    }
    explainJobs(decisions, now);
  }

  /** Records why each job of a run waits. */
  void explainJobs(Decisions decisions, Instant now) {
    decisions.waiting().entrySet().stream()
        .sorted(
            Comparator.comparing((Map.Entry<Long, Decisions.WaitingReasons> it) -> unreached(it))
                .thenComparing(Map.Entry.comparingByKey()))
        .forEach(
            waits ->
                note(waits.getKey(), waits.getValue().reason(), waits.getValue().details(), now));
  }

  /** Within a class, a reason found for one job wins over "not reached in this run" for another. */
  static boolean unreached(Map.Entry<Long, Decisions.WaitingReasons> waits) {
    return waits.getValue().reason().code() == Reason.Code.WORK_LIMIT;
  }

  /** Records why one job waits. */
  void note(long number, Reason decisive, List<Reason> details, Instant now) {
    LiveJob live = jobs.job(number).orElseThrow();
    String key =
        OWN.contains(decisive.code())
            ? RequestClass.gridEngineJob(number)
            : classOf(live.tasks.firstEntry().getValue());
    notes.found(
        key,
        PREFIX + decisive.code().name(),
        ReasonNotes.lines(decisive, details),
        now.toEpochMilli());
  }

  private static String classOf(LiveTask task) {
    return RequestClass.gridEngine(task.spec.getGridEngine());
  }
}
