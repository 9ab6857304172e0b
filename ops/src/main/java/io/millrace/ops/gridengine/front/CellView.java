package io.millrace.ops.gridengine.front;

import io.millrace.schedulers.dialects.gridengine.request.Job.Behaviour;
import io.millrace.schedulers.dialects.gridengine.request.RequestRefused;
import io.millrace.schedulers.dialects.gridengine.request.Submission;
import io.millrace.schedulers.dialects.gridengine.schedule.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.PendingJob;
import io.millrace.schedulers.dialects.gridengine.schedule.Priorities;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The jobs of a cell at a moment: their states, dependencies and priorities. */
final class CellView {

  private final Cell cell;
  private final long nowS;
  private final TreeMap<Long, List<Job>> jobs;
  private final Map<Long, Submission> asked = new HashMap<>();
  private final Map<Long, Double> priorities = new HashMap<>();

  /**
   * @param all jobs of all owners: priorities depend on each other
   */
  CellView(Cell cell, List<Job> all, long nowS) {
    this.cell = cell;
    this.nowS = nowS;
    this.jobs = CellJobs.byNumber(all);
    jobs.forEach(
        (number, tasks) ->
            asked.put(number, Submission.of(tasks.get(0).getSpec().getGridEngine().getOptions())));
    prioritise();
  }

  private void prioritise() {
    List<PendingJob> all = new ArrayList<>();
    jobs.forEach(
        (number, tasks) -> {
          try {
            all.add(new PendingJob(decided(number, tasks.get(0)), List.of(1)));
          } catch (RequestRefused e) {
            // The configuration has changed under it: its priority stays 0, and -j says why.
          }
        });
    ClusterState state =
        new ClusterState(
            cell.configuration().cluster(), cell.configuration().scheduler(), List.of(), all);
    Priorities found = Priorities.of(state, nowS);
    all.forEach(each -> priorities.put(each.job().number(), found.of(each.job()).total()));
  }

  private io.millrace.schedulers.dialects.gridengine.request.Job decided(long number, Job job) {
    Submission request = asked.get(number);
    return new io.millrace.schedulers.dialects.gridengine.request.Job(
        new io.millrace.schedulers.dialects.gridengine.request.Job.Identity(
            number, job.getSpec().getName(), job.getSpec().getOwner(), request.project()),
        request.needs(cell.configuration().cluster().complexes()),
        request.reserve(),
        new io.millrace.schedulers.dialects.gridengine.request.Job.Urge(
            job.getSpec().getPriority(), job.getQueuedMs() / 1000, 0),
        request.tasks(),
        Behaviour.PLAIN);
  }

  /** What a job asks for. */
  Submission asked(long number) {
    return asked.get(number);
  }

  /** All tasks by the number of their job. */
  TreeMap<Long, List<Job>> jobs() {
    return jobs;
  }

  /** Jobs that must end before this one. */
  List<Long> predecessors(long number) {
    List<Long> before = new ArrayList<>();
    String owner = jobs.get(number).get(0).getSpec().getOwner();
    for (String name : asked.get(number).after()) {
      for (Map.Entry<Long, List<Job>> other : jobs.headMap(number).entrySet()) {
        Job first = other.getValue().get(0);
        boolean mine = name.matches("\\d+") || first.getSpec().getOwner().equals(owner);
        if (mine && CellJobs.meant(name, first) && !before.contains(other.getKey())) {
          before.add(other.getKey());
        }
      }
    }
    return before;
  }

  /** Jobs that wait for this one. */
  List<Long> successors(long number) {
    return jobs.tailMap(number, false).keySet().stream()
        .filter(other -> !asked.get(other).after().isEmpty())
        .filter(other -> predecessors(other).contains(number))
        .toList();
  }

  /** Runs by number and task, then jobs that wait, the most important first. */
  List<StatRow> rows(StatOptions options) {
    List<StatRow> running = new ArrayList<>();
    List<StatRow> waiting = new ArrayList<>();
    jobs.forEach(
        (number, tasks) -> {
          if (options.wantsUser(tasks.get(0).getSpec().getOwner())) {
            rows(number, tasks, options, running, waiting);
          }
        });
    waiting.sort(
        Comparator.comparingDouble(StatRow::priority)
            .reversed()
            .thenComparingLong(StatRow::number));
    running.addAll(waiting);
    return running;
  }

  private void rows(
      long number,
      List<Job> tasks,
      StatOptions options,
      List<StatRow> running,
      List<StatRow> waiting) {
    boolean depends = !predecessors(number).isEmpty();
    boolean early = asked.get(number).earliest_s() > nowS;
    Map<String, List<Job>> alike = new LinkedHashMap<>();
    for (Job job : tasks) {
      if (runs(job)) {
        if (options.wants("r")) {
          running.add(new StatRow(job, priority(number), runState(job), task(job), true));
        }
      } else {
        boolean held = !job.getHolds().equals("n");
        String state = held || depends ? "hqw" : "qw";
        boolean shown =
            options.wants("p")
                || (held && holdWanted(options, job.getHolds()))
                || (depends && options.wantsHold("hj"))
                || (early && options.wantsHold("ha"));
        if (shown) {
          String key = options.selection().grouped() ? state : state + job.getNumber();
          alike.computeIfAbsent(key, s -> new ArrayList<>()).add(job);
        }
      }
    }
    alike.forEach(
        (key, some) -> {
          String state = key.startsWith("h") ? "hqw" : "qw";
          double priority = state.equals("qw") && !early ? priority(number) : 0;
          List<Integer> numbers =
              some.stream().map(job -> job.getSpec().getGridEngine().getTask()).toList();
          String text =
              Texts.isTask(some.get(0)) ? Texts.ranges(numbers, asked.get(number).tasks()) : "";
          waiting.add(new StatRow(some.get(0), priority, state, text, false));
        });
  }

  private static boolean holdWanted(StatOptions options, String holds) {
    return holds.chars().anyMatch(letter -> options.wantsHold("h" + (char) letter));
  }

  private double priority(long number) {
    return priorities.getOrDefault(number, 0.0);
  }

  private static String task(Job job) {
    return Texts.isTask(job) ? Integer.toString(job.getSpec().getGridEngine().getTask()) : "";
  }

  static boolean runs(Job job) {
    return job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING;
  }

  private static String runState(Job job) {
    String state = job.getSessionId() > 0 ? "r" : "t";
    state = job.getHolds().equals("n") ? state : "h" + state;
    return job.getKilling() == KillPurpose.DELETE ? "d" + state : state;
  }
}
