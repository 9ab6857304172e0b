package io.millrace.server.core.job.depend.waiting;

import io.millrace.schemas.command.SettleDependencies;
import io.millrace.schemas.command.SettledDependency;
import io.millrace.schemas.fact.DependentForgotten;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.DependencyVerdict;
import io.millrace.schemas.state.Dependent;
import io.millrace.schemas.state.Job;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The records of those that wait for a job. They go where the job goes, and stay until it is
 * forgotten, so that its history shows them.
 */
public final class Dependents {
  /** Jobs in one message: each means two facts at most. */
  static final int AT_ONCE = 100;

  private Dependents() {}

  public static String key(long number, long child, DependencyKind kind) {
    return prefix(number) + Keys.number(child) + "/" + kind.ordinal();
  }

  private static String prefix(long number) {
    return Keys.number(number) + "/";
  }

  /** All that wait, or waited, for the job. */
  public static List<Dependent> of(View view, Job job) {
    List<Dependent> all = new ArrayList<>(job.getDependents());
    if (job.getDependents() > 0) {
      String prefix = prefix(job.getNumber());
      view.dependents()
          .scan(
              prefix,
              prefix + Character.MAX_VALUE,
              (key, dependent) -> {
                all.add(dependent);
                return true;
              });
    }
    return all;
  }

  /** Adds the records of a job that is handed over to this shard. */
  public static void arrive(State state, List<Dependent> dependents) {
    for (Dependent one : dependents) {
      state.dependents().put(key(one.getNumber(), one.getChild(), one.getKind()), one);
    }
  }

  /** Removes the records of a job that has left this shard or is forgotten. */
  public static void leave(State state, Job job) {
    for (Dependent one : of(state, job)) {
      state.dependents().remove(key(one.getNumber(), one.getChild(), one.getKind()));
    }
  }

  /** The job has begun: whoever waited for that is told and not shown any more. */
  public static void begun(Context c, Job job, Decision decision) {
    List<Dependent> all = of(c.view(), job);
    if (all.stream().anyMatch(one -> one.getKind() == DependencyKind.AFTER)) {
      tell(c, job, all, kind -> kind == DependencyKind.AFTER, kind -> true, decision);
      decision.fact(new DependentForgotten(c.stamp(), job.getNumber(), 0L, DependencyKind.AFTER));
    }
  }

  /** The job has ended: each one that waits for it may run now or never will. */
  public static void ended(Context c, Job job, JobEnd end, Decision decision) {
    tell(c, job, of(c.view(), job), kind -> true, end::satisfies, decision);
  }

  private static void tell(
      Context c,
      Job job,
      List<Dependent> all,
      Predicate<DependencyKind> wanted,
      Predicate<DependencyKind> satisfied,
      Decision decision) {
    List<SettledDependency> settled = new ArrayList<>(all.size());
    for (Dependent one : all) {
      if (wanted.test(one.getKind())) {
        boolean good = satisfied.test(one.getKind());
        settled.add(
            new SettledDependency(
                DependencyAddress.child(one),
                one.getKind(),
                good ? DependencyVerdict.SATISFIED : DependencyVerdict.IMPOSSIBLE,
                good ? "" : "Job deleted as result of dependency on job " + job.getId()));
      }
    }
    send(c, job.getNumber(), settled, 0, decision);
  }

  /**
   * Sends each result to the shard of its job; results for jobs that do not exist are dropped.
   *
   * @param hops how many shards have passed them on
   */
  public static void send(
      Context c, long on, List<SettledDependency> settled, int hops, Decision decision) {
    Map<Integer, List<SettledDependency>> byShard = new TreeMap<>();
    for (SettledDependency one : settled) {
      int shard = DependencyAddress.to(c, one.getJob());
      if (shard != DependencyAddress.NOWHERE) {
        byShard.computeIfAbsent(shard, s -> new ArrayList<>()).add(one);
      }
    }
    byShard.forEach(
        (shard, some) -> {
          for (int from = 0; from < some.size(); from += AT_ONCE) {
            int to = Math.min(some.size(), from + AT_ONCE);
            List<SettledDependency> part = new ArrayList<>(some.subList(from, to));
            decision.tell(shard, new SettleDependencies(c.asShard(), on, part, hops));
          }
        });
  }
}
