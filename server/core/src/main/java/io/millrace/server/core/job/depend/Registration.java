package io.millrace.server.core.job.depend;

import io.millrace.schemas.command.AddDependency;
import io.millrace.schemas.command.NoteDependent;
import io.millrace.schemas.command.SettledDependency;
import io.millrace.schemas.fact.DependentForgotten;
import io.millrace.schemas.fact.DependentNoted;
import io.millrace.schemas.fact.JobDepends;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.DependencyVerdict;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.WaitedJob;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.job.depend.waiting.DependencyAddress;
import io.millrace.server.core.job.depend.waiting.DependencyLists;
import io.millrace.server.core.job.depend.waiting.Dependents;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Registers dependencies of jobs within one decision. Those on jobs of this shard are decided at
 * once, so that the next query shows them; those on other jobs are sent to their shards.
 */
public final class Registration {
  /** With more facts than this the rest is sent to this shard as a further command. */
  private static final int FACTS_MAX = 120;

  private final Context c;
  private final Decision decision;

  /** Dependencies of jobs that changed in this decision. */
  private final Map<Long, List<Dependency>> changed = new HashMap<>();

  public Registration(Context c, Decision decision) {
    this.c = c;
    this.decision = decision;
  }

  /** Whether the dependencies are well-formed. */
  public static boolean sound(List<Dependency> depend, List<Dependency> before) {
    if (depend.isEmpty() && before.isEmpty()) {
      return true;
    }
    return DependencyLists.sound(depend)
        && DependencyLists.sound(before)
        && before.stream().noneMatch(wish -> wish.getKind() == DependencyKind.ON);
  }

  /** The effects of one job's dependencies. */
  public final class DependencyPlan {
    private final Job job;
    private final List<Runnable> steps = new ArrayList<>();
    private final Map<Long, List<Dependency>> made = new HashMap<>(changed);
    private List<Dependency> left;
    private String impossible = "";

    private DependencyPlan(Job job) {
      this.job = job;
    }

    /** The dependencies without those that are satisfied already. */
    public List<Dependency> left() {
      return left;
    }

    /** Why the job can never run; empty when it may. */
    public String impossible() {
      return impossible;
    }

    /**
     * Adds the effects on other jobs; called after the fact of the job itself, and does nothing
     * when the job can never run.
     */
    public void carryOut() {
      if (impossible.isEmpty()) {
        steps.forEach(Runnable::run);
        changed.putAll(made);
      }
    }

    private void settle(SettledDependency settled, long on) {
      if (settled.getVerdict() == DependencyVerdict.SATISFIED) {
        left = DependencyLists.without(left, settled.getKind(), on);
      } else {
        impossible = settled.getWhy();
      }
    }

    private void waitFor(WaitedJob on, DependencyKind kind) {
      Dependent me = DependencyAddress.dependent(on, DependencyAddress.name(job), kind);
      boolean full = full();
      int shard = full ? c.shard() : DependencyAddress.to(c, on);
      Job other = !full && shard == c.shard() ? DependencyAddress.job(c, on.getNumber()) : null;
      if (on.getNumber() == job.getNumber()) {
        impossible = rejection(on, kind, PbsError.BAD_DEPENDENCY.text());
      } else if (shard == DependencyAddress.NOWHERE || !isMeant(other, on)) {
        impossible = rejection(on, kind, PbsError.UNKNOWN_JOB.text());
      } else if (other == null) {
        steps.add(
            () ->
                decision.tell(
                    shard, new NoteDependent(c.asShard(), me, on.getBirthShard(), false, 0)));
      } else if (other.getStatus() == JobStatus.FINISHED || !noted(me)) {
        // The note stays after the other job ended and does not say how it ended.
        SettledDependency settled =
            DependencyCheck.waiting(c.view(), other, DependencyAddress.name(job), kind);
        if (settled != null) {
          settle(settled, on.getNumber());
        } else {
          steps.add(() -> decision.fact(new DependentNoted(c.stamp(), me)));
        }
      }
    }

    private boolean full() {
      return decision.facts().size() + steps.size() > FACTS_MAX;
    }

    /**
     * Whether the number is of the named kind of job; for a job of another shard that shard checks
     * it.
     */
    private static boolean isMeant(Job other, WaitedJob name) {
      return other == null || DependencyAddress.isMeant(other, name.getArray());
    }

    private String rejection(WaitedJob by, DependencyKind kind, String why) {
      String id = DependencyAddress.id(c, by.getNumber(), by.getArray());
      return DependencyCheck.rejected(DependencyAddress.name(job), kind, id, why).getWhy();
    }

    private void haveWait(WaitedJob who, DependencyKind kind) {
      WaitedJob me = DependencyAddress.name(job);
      String owner = job.getSpec().getOwner();
      boolean full = full();
      int shard = full ? c.shard() : DependencyAddress.to(c, who);
      Job other = !full && shard == c.shard() ? DependencyAddress.job(c, who.getNumber()) : null;
      if (shard == DependencyAddress.NOWHERE || !isMeant(other, who)) {
        impossible = rejection(who, kind, PbsError.UNKNOWN_JOB.text());
        return;
      }
      Dependent row = DependencyAddress.dependent(me, who, kind);
      steps.add(
          () -> {
            if (full) {
              int birth = job.getBirthShard();
              decision.tell(c.shard(), new NoteDependent(c.asShard(), row, birth, false, 0));
            } else {
              decision.fact(new DependentNoted(c.stamp(), row));
            }
          });
      if (other == null) {
        steps.add(
            () -> decision.tell(shard, new AddDependency(c.asShard(), who, me, kind, owner, 0)));
        return;
      }
      List<Dependency> has = made.getOrDefault(other.getNumber(), other.getDepend());
      if (DependencyLists.contains(has, kind, job.getNumber())) {
        return;
      }
      String why = DependencyCheck.whyNot(other, has, owner);
      if (why != null) {
        impossible = rejection(who, kind, why);
        return;
      }
      List<Dependency> more = DependencyLists.with(DependencyLists.oneExpectedLess(has), kind, me);
      made.put(other.getNumber(), more);
      steps.add(() -> decision.fact(new JobDepends(c.stamp(), other.getId(), more)));
    }
  }

  private boolean noted(Dependent one) {
    String key = Dependents.key(one.getNumber(), one.getChild(), one.getKind());
    return c.view().dependents().get(key) != null;
  }

  /**
   * Works out the effects of a job's dependencies.
   *
   * @param job new, or as it is
   * @param depend what it is to wait for
   * @param before the jobs that are to wait for it
   */
  public DependencyPlan plan(Job job, List<Dependency> depend, List<Dependency> before) {
    DependencyPlan plan = new DependencyPlan(job);
    plan.left = depend.stream().filter(one -> DependencyLists.pending(List.of(one))).toList();
    for (Dependency wish : depend) {
      wish.getJobs().stream().distinct().forEach(on -> plan.waitFor(on, wish.getKind()));
    }
    for (Dependency wish : before) {
      wish.getJobs().stream().distinct().forEach(who -> plan.haveWait(who, wish.getKind()));
    }
    return plan;
  }

  /** Withdraws dependencies that a job no longer has, also at the jobs that it waited for. */
  public void withdraw(Job job, List<Dependency> after) {
    for (Dependency dependency : job.getDepend()) {
      DependencyKind kind = dependency.getKind();
      for (WaitedJob on : dependency.getJobs()) {
        if (!DependencyLists.contains(after, kind, on.getNumber())) {
          withdraw(
              DependencyAddress.dependent(on, DependencyAddress.name(job), kind),
              on.getBirthShard());
        }
      }
    }
  }

  private void withdraw(Dependent one, int birthShard) {
    int shard = DependencyAddress.to(c, one.getNumber(), birthShard);
    if (shard == c.shard() && decision.facts().size() <= FACTS_MAX) {
      if (noted(one)) {
        decision.fact(
            new DependentForgotten(c.stamp(), one.getNumber(), one.getChild(), one.getKind()));
      }
    } else if (shard != DependencyAddress.NOWHERE) {
      decision.tell(shard, new NoteDependent(c.asShard(), one, birthShard, true, 0));
    }
  }
}
