package io.millrace.server.core.job.depend.waiting;

import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.WaitedJob;
import java.util.ArrayList;
import java.util.List;

/** Lists of dependencies as a job has them; none of these methods changes what it is given. */
public final class DependencyLists {
  /** Jobs that one job may wait for. */
  public static final int JOBS_MAX = 1000;

  /** Jobs that one command may name, however many jobs it is about. */
  public static final int NAMED_MAX = 2000;

  /** Registrations that a job may ask for, and jobs that may wait for one. */
  public static final int DEPENDENTS_MAX = 10_000;

  private DependencyLists() {}

  /** Whether there is anything left to wait for. */
  public static boolean pending(List<Dependency> depend) {
    for (Dependency dependency : depend) {
      if (dependency.getCount() > 0 || !dependency.getJobs().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  public static boolean waits(Job job) {
    return pending(job.getDepend());
  }

  /** How many jobs are named. */
  public static int named(List<Dependency> depend) {
    int named = 0;
    for (Dependency dependency : depend) {
      named += dependency.getJobs().size();
    }
    return named;
  }

  /** Whether each kind stands at most once, with a count for ON and with jobs for all others. */
  public static boolean sound(List<Dependency> depend) {
    if (depend.isEmpty()) {
      return true;
    }
    long kinds = depend.stream().map(Dependency::getKind).distinct().count();
    return kinds == depend.size()
        && named(depend) <= JOBS_MAX
        && depend.stream()
            .allMatch(
                dependency ->
                    dependency.getKind() == DependencyKind.ON
                        ? dependency.getJobs().isEmpty()
                            && dependency.getCount() >= 0
                            && dependency.getCount() <= DEPENDENTS_MAX
                        : dependency.getCount() == 0);
  }

  public static boolean contains(List<Dependency> depend, DependencyKind kind, long number) {
    return depend.stream()
        .filter(dependency -> dependency.getKind() == kind)
        .flatMap(dependency -> dependency.getJobs().stream())
        .anyMatch(job -> job.getNumber() == number);
  }

  /** How many jobs are still to register themselves. */
  public static int expected(List<Dependency> depend) {
    return depend.stream()
        .filter(dependency -> dependency.getKind() == DependencyKind.ON)
        .mapToInt(Dependency::getCount)
        .sum();
  }

  /** The list without one job; a kind without jobs is left out. */
  public static List<Dependency> without(
      List<Dependency> depend, DependencyKind kind, long number) {
    List<Dependency> rest = new ArrayList<>(depend.size());
    for (Dependency dependency : depend) {
      if (dependency.getKind() == kind) {
        List<WaitedJob> jobs = new ArrayList<>(dependency.getJobs());
        jobs.removeIf(job -> job.getNumber() == number);
        if (!jobs.isEmpty() || dependency.getCount() > 0) {
          rest.add(new Dependency(kind, dependency.getCount(), jobs));
        }
      } else {
        rest.add(dependency);
      }
    }
    return rest;
  }

  public static List<Dependency> with(List<Dependency> depend, DependencyKind kind, WaitedJob job) {
    List<Dependency> more = new ArrayList<>(depend.size() + 1);
    boolean added = false;
    for (Dependency dependency : depend) {
      if (dependency.getKind() == kind) {
        List<WaitedJob> jobs = new ArrayList<>(dependency.getJobs());
        jobs.add(job);
        more.add(new Dependency(kind, 0, jobs));
        added = true;
      } else {
        more.add(dependency);
      }
    }
    if (!added) {
      more.add(new Dependency(kind, 0, List.of(job)));
    }
    return more;
  }

  /** One of the jobs that were to register has done so. */
  public static List<Dependency> oneExpectedLess(List<Dependency> depend) {
    List<Dependency> rest = new ArrayList<>(depend.size());
    for (Dependency dependency : depend) {
      if (dependency.getKind() != DependencyKind.ON) {
        rest.add(dependency);
      } else if (dependency.getCount() > 1) {
        rest.add(new Dependency(DependencyKind.ON, dependency.getCount() - 1, List.of()));
      }
    }
    return rest;
  }

  /** The list with the given kinds reduced to what is left of them. */
  public static List<Dependency> altered(
      List<Dependency> asked, List<Dependency> given, List<Dependency> left) {
    List<Dependency> after = new ArrayList<>(asked);
    after.removeAll(given);
    after.addAll(left);
    return after;
  }

  /** The given kinds take the place of those that the job has; without any, all go. */
  public static List<Dependency> altered(List<Dependency> before, List<Dependency> given) {
    List<Dependency> after = new ArrayList<>();
    if (!given.isEmpty()) {
      for (Dependency dependency : before) {
        if (given.stream().noneMatch(other -> other.getKind() == dependency.getKind())) {
          after.add(dependency);
        }
      }
      after.addAll(given);
    }
    return after;
  }
}
