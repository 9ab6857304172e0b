package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.cluster.WildcardPattern;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.state.Job;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which jobs of a cell wait for which (-hold_jid): numbers, and names of the same owner's jobs that
 * were there before. Each name is looked up once, however many jobs wait for it.
 */
final class JobPredecessors {

  private final TreeMap<Long, List<Job>> jobs;
  private final Map<Long, Submission> asked;

  /** Numbers of jobs by owner and name. */
  private final Map<JobNameOfOwner, NavigableSet<Long>> named = new HashMap<>();

  /** Numbers of the jobs that a pattern means. */
  private final Map<JobNameOfOwner, NavigableSet<Long>> meant = new HashMap<>();

  private record JobNameOfOwner(String owner, String name) {}

  /**
   * @param jobs tasks by the number of their job
   * @param asked what each job asks for
   */
  JobPredecessors(TreeMap<Long, List<Job>> jobs, Map<Long, Submission> asked) {
    this.jobs = jobs;
    this.asked = asked;
    jobs.forEach(
        (number, tasks) -> {
          JobSpec spec = tasks.get(0).getSpec();
          named
              .computeIfAbsent(
                  new JobNameOfOwner(spec.getOwner(), spec.getName()), name -> new TreeSet<>())
              .add(number);
        });
  }

  /** Whether any job must end before this one. */
  boolean depends(long number) {
    return before(number).stream().anyMatch(numbers -> numbers.first() < number);
  }

  /** Jobs that must end before this one. */
  List<Long> predecessors(long number) {
    Set<Long> all = new LinkedHashSet<>();
    before(number).forEach(numbers -> all.addAll(numbers.headSet(number, false)));
    return new ArrayList<>(all);
  }

  /** Jobs that wait for this one. */
  List<Long> successors(long number) {
    return jobs.tailMap(number, false).keySet().stream()
        .filter(other -> before(other).stream().anyMatch(numbers -> numbers.contains(number)))
        .toList();
  }

  /** For each word of a job's -hold_jid the jobs that it means, later ones too; none is empty. */
  private List<NavigableSet<Long>> before(long number) {
    String owner = jobs.get(number).get(0).getSpec().getOwner();
    return asked.get(number).after().stream()
        .map(word -> meant(new JobNameOfOwner(owner, word)))
        .filter(numbers -> !numbers.isEmpty())
        .toList();
  }

  private NavigableSet<Long> meant(JobNameOfOwner word) {
    if (word.name().matches("\\d{1,12}")) {
      long number = Long.parseLong(word.name());
      return jobs.containsKey(number) ? new TreeSet<>(Set.of(number)) : new TreeSet<>();
    }
    return WildcardPattern.isPattern(word.name())
        ? meant.computeIfAbsent(word, this::fitting)
        : named.getOrDefault(word, Collections.emptyNavigableSet());
  }

  private NavigableSet<Long> fitting(JobNameOfOwner word) {
    WildcardPattern pattern = WildcardPattern.of(word.name());
    NavigableSet<Long> fitting = new TreeSet<>();
    named.forEach(
        (name, numbers) -> {
          if (name.owner().equals(word.owner()) && pattern.fits(name.name())) {
            fitting.addAll(numbers);
          }
        });
    return fitting;
  }
}
