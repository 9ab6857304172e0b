package io.millrace.server.core.job.depend;

import io.millrace.schemas.command.AddDependency;
import io.millrace.schemas.command.NoteDependent;
import io.millrace.schemas.command.SettleDependencies;
import io.millrace.schemas.command.SettledDependency;
import io.millrace.schemas.fact.DependencySatisfied;
import io.millrace.schemas.fact.DependentForgotten;
import io.millrace.schemas.fact.DependentNoted;
import io.millrace.schemas.fact.JobDepends;
import io.millrace.schemas.fact.JobReleased;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Dependency;
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
import io.millrace.server.core.state.Holds;
import io.millrace.server.core.work.ArrayWork;
import io.millrace.server.core.work.RoutingWork;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Decides the messages between shards about dependencies. */
public final class Deciders {

  public Decision decide(Context c, NoteDependent command) {
    Dependent one = command.getDependent();
    int next = DependencyAddress.to(c, one.getNumber(), command.getBirthShard());
    int shard = next == c.shard() ? next : DependencyAddress.onward(next, command.getHops());
    Decision decision = Decision.none();
    WaitedJob who = DependencyAddress.child(one);
    Job waited = shard == c.shard() ? DependencyAddress.job(c, one.getNumber()) : null;
    if (shard == DependencyAddress.NOWHERE
        || (waited != null && !DependencyAddress.isMeant(waited, one.getArray()))) {
      String id = DependencyAddress.id(c, one.getNumber(), one.getArray());
      String why = PbsError.UNKNOWN_JOB.text();
      return command.getGone()
          ? decision
          : answer(c, one, DependencyCheck.rejected(who, one.getKind(), id, why), decision);
    }
    if (shard != c.shard()) {
      int birth = command.getBirthShard();
      return decision.tell(
          shard,
          new NoteDependent(c.asShard(), one, birth, command.getGone(), command.getHops() + 1));
    }
    String key = Dependents.key(one.getNumber(), one.getChild(), one.getKind());
    boolean noted = c.view().dependents().get(key) != null;
    if (command.getGone()) {
      return noted
          ? decision.fact(
              new DependentForgotten(c.stamp(), one.getNumber(), one.getChild(), one.getKind()))
          : decision;
    }
    if (noted && waited.getStatus() != JobStatus.FINISHED) {
      // Said again; it is one of those that a job may have, however many they are.
      return decision;
    }
    SettledDependency settled = DependencyCheck.waiting(c.view(), waited, who, one.getKind());
    return settled != null
        ? answer(c, one, settled, decision)
        : decision.fact(new DependentNoted(c.stamp(), one));
  }

  private static Decision answer(
      Context c, Dependent one, SettledDependency settled, Decision decision) {
    Dependents.send(c, one.getNumber(), List.of(settled), 0, decision);
    return decision;
  }

  public Decision decide(Context c, AddDependency command) {
    WaitedJob on = command.getOn();
    Decision decision = Decision.none();
    int next = DependencyAddress.to(c, command.getJob());
    int shard = next == c.shard() ? next : DependencyAddress.onward(next, command.getHops());
    if (shard != c.shard() && shard != DependencyAddress.NOWHERE) {
      return decision.tell(
          shard,
          new AddDependency(
              c.asShard(),
              command.getJob(),
              on,
              command.getKind(),
              command.getOwner(),
              command.getHops() + 1));
    }
    Job found =
        shard == DependencyAddress.NOWHERE
            ? null
            : DependencyAddress.job(c, command.getJob().getNumber());
    Job job =
        found != null && DependencyAddress.isMeant(found, command.getJob().getArray())
            ? found
            : null;
    if (job != null
        && DependencyLists.contains(job.getDepend(), command.getKind(), on.getNumber())) {
      return decision;
    }
    String why =
        job == null
            ? PbsError.UNKNOWN_JOB.text()
            : DependencyCheck.whyNot(job, job.getDepend(), command.getOwner());
    if (why != null) {
      String id =
          DependencyAddress.id(c, command.getJob().getNumber(), command.getJob().getArray());
      SettledDependency no = DependencyCheck.rejected(on, command.getKind(), id, why);
      Dependents.send(c, command.getJob().getNumber(), List.of(no), 0, decision);
      return decision;
    }
    List<Dependency> less = DependencyLists.oneExpectedLess(job.getDepend());
    List<Dependency> more = DependencyLists.with(less, command.getKind(), on);
    // What the other job said when it began or ended may have come here by a shorter way, and
    // before this: it says so again if it has.
    Dependent row = DependencyAddress.dependent(on, command.getJob(), command.getKind());
    int other = DependencyAddress.to(c, on);
    return decision
        .fact(new JobDepends(c.stamp(), job.getId(), more))
        .tell(
            other == DependencyAddress.NOWHERE ? c.shard() : other,
            new NoteDependent(c.asShard(), row, on.getBirthShard(), false, 0));
  }

  public Decision decide(Context c, SettleDependencies command) {
    Decision decision = Decision.none();
    long on = command.getOn();
    List<SettledDependency> elsewhere = new ArrayList<>();
    Map<Long, List<Dependency>> left = new LinkedHashMap<>();
    for (SettledDependency settled : command.getSettled()) {
      if (DependencyAddress.to(c, settled.getJob()) != c.shard()) {
        elsewhere.add(settled);
        continue;
      }
      Job job = DependencyAddress.job(c, settled.getJob().getNumber());
      if (job.getStatus() == JobStatus.FINISHED || left.get(job.getNumber()) == GONE) {
        continue;
      }
      List<Dependency> depend = left.getOrDefault(job.getNumber(), job.getDepend());
      boolean waits = DependencyLists.contains(depend, settled.getKind(), on);
      if (settled.getVerdict() == DependencyVerdict.SATISFIED) {
        if (waits) {
          decision.fact(new DependencySatisfied(c.stamp(), job.getId(), settled.getKind(), on));
          left.put(job.getNumber(), DependencyLists.without(depend, settled.getKind(), on));
        }
      } else if (waits || settled.getVerdict() == DependencyVerdict.REJECTED) {
        Removal.remove(c, job, settled.getWhy(), decision);
        left.put(job.getNumber(), GONE);
      }
    }
    left.forEach(
        (number, depend) -> release(c, DependencyAddress.job(c, number), depend, decision));
    if (DependencyAddress.onward(c.shard(), command.getHops()) != DependencyAddress.NOWHERE) {
      Dependents.send(c, on, elsewhere, command.getHops() + 1, decision);
    }
    return decision;
  }

  /** Marks a job that was deleted in this decision; compared by identity. */
  private static final List<Dependency> GONE = new ArrayList<>(0);

  private static void release(Context c, Job job, List<Dependency> depend, Decision decision) {
    boolean held = job.getHolds().indexOf('s') >= 0;
    if (depend != GONE && held && !DependencyLists.pending(depend)) {
      String holds = Holds.minus(job.getHolds(), "s");
      decision.fact(new JobReleased(c.stamp(), job.getId(), holds, "s"));
      RoutingWork.soon(c, job, decision);
      ArrayWork.soon(c, job, decision);
    }
  }
}
