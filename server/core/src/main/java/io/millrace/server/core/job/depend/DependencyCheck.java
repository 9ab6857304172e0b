package io.millrace.server.core.job.depend;

import io.millrace.schemas.command.SettledDependency;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.DependencyVerdict;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.job.array.Subjobs;
import io.millrace.server.core.job.depend.waiting.DependencyLists;
import io.millrace.server.core.job.depend.waiting.JobEnd;
import io.millrace.server.core.state.View;
import java.util.List;

/** Checks of a new dependency against the job that it names. */
final class DependencyCheck {
  private DependencyCheck() {}

  /**
   * The immediate result of a dependency on a job of this shard; null when the other job has to
   * wait.
   */
  static SettledDependency waiting(View view, Job on, WaitedJob who, DependencyKind kind) {
    if (on.getStatus() == JobStatus.FINISHED) {
      boolean good = JobEnd.ofFinished(on).satisfies(kind);
      return new SettledDependency(
          who,
          kind,
          good ? DependencyVerdict.SATISFIED : DependencyVerdict.IMPOSSIBLE,
          good ? "" : "Job deleted as result of dependency on job " + on.getId());
    }
    boolean begun =
        on.getArray() == null
            ? on.getStatus() == JobStatus.RUNNING && on.getSessionId() > 0
            : Subjobs.started(view, on);
    if (kind == DependencyKind.AFTER && begun) {
      return new SettledDependency(who, kind, DependencyVerdict.SATISFIED, "");
    }
    return on.getDependents() < DependencyLists.DEPENDENTS_MAX
        ? null
        : rejected(
            who,
            kind,
            on.getId(),
            DependencyLists.DEPENDENTS_MAX + " jobs depend on it, more than that cannot");
  }

  /** Why a job may not be made to wait for one that asks so; null when it may. */
  static String whyNot(Job job, List<Dependency> depend, String owner) {
    if (job.getStatus() == JobStatus.FINISHED) {
      return PbsError.JOB_FINISHED.text();
    }
    if (!job.getSpec().getOwner().equals(owner)) {
      return PbsError.UNAUTHORIZED.text().strip();
    }
    return DependencyLists.expected(depend) > 0 ? null : PbsError.BAD_DEPENDENCY.text();
  }

  static SettledDependency rejected(WaitedJob who, DependencyKind kind, String by, String why) {
    String text = "Dependency request for job rejected by " + by + " " + why;
    return new SettledDependency(who, kind, DependencyVerdict.REJECTED, text);
  }
}
