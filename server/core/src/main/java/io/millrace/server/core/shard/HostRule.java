package io.millrace.server.core.shard;

import io.millrace.schemas.command.ReportRunAnswered;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.ReportRunMissing;
import io.millrace.schemas.command.ReportRunOutside;
import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.RunTask;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.run.finished.RunEndEffects;
import io.millrace.server.core.run.task.Tasks;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * Which reports of an executor are decided: those that have proven the host that they name, of runs
 * that are on it. What a host tells of runs that are over is decided as ever: it has such a run
 * ended there, and nowhere else.
 */
final class HostRule {
  private static final String FIELD = "host";

  private HostRule() {}

  /**
   * Why a report is not decided; empty when it is: nothing proves its host, it names another one,
   * or the run is on another one.
   *
   * @param proven the host that it comes from; empty when nothing proves it
   */
  static Optional<String> refusal(Context c, String proven, SpecificRecord report) {
    if (proven.isEmpty()) {
      return Optional.of("proof");
    }
    if (!named(report).equals(Optional.of(proven))) {
      return Optional.of("host");
    }
    String place = place(c, report);
    return place.isEmpty() || place.equals(proven) ? Optional.empty() : Optional.of("run");
  }

  /** The host that a report names; empty for what is no report. */
  static Optional<String> named(SpecificRecord report) {
    Schema.Field field = report.getSchema().getField(FIELD);
    return field != null && report.get(field.pos()) instanceof String host
        ? Optional.of(host)
        : Optional.empty();
  }

  /** The host on which the run or task of a report is; empty when there is no such one now. */
  private static String place(Context c, SpecificRecord report) {
    if (report instanceof ReportRunStarted it) {
      return place(c, it.getJobId(), it.getRun(), it.getTask());
    }
    if (report instanceof ReportRunFinished it) {
      return place(c, it.getJobId(), it.getRun(), it.getTask());
    }
    if (report instanceof ReportRunMissing it) {
      return place(c, it.getJobId(), it.getRun(), it.getTask());
    }
    if (report instanceof ReportRunOutside it) {
      return place(c, it.getJobId(), it.getRun(), 0);
    }
    if (report instanceof ReportRunAnswered it) {
      return place(c, it.getJobId(), it.getRun(), 0);
    }
    return "";
  }

  private static String place(Context c, String jobId, int run, int number) {
    Job job = RunEndEffects.current(c, jobId, run);
    if (job == null || job.getAllocation() == null) {
      return "";
    }
    if (number <= 0) {
      return Orders.host(job.getAllocation());
    }
    RunTask task = Tasks.find(job, number);
    return task == null ? "" : job.getAllocation().getShares().get(task.getShare()).getHost();
  }
}
