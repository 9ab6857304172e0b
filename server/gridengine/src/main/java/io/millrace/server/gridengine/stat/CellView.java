package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.Priorities;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob.Behaviour;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellJobs;
import io.millrace.server.gridengine.cell.Texts;
import io.millrace.server.gridengine.stat.StatOptions.Show;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The jobs of a cell at a moment: their states, dependencies and priorities. */
final class CellView {

  private final Cell cell;
  private final long nowS;
  private final Predicate<Job> seen;
  private final TreeMap<Long, List<Job>> jobs;
  private final Map<Long, Submission> asked = new HashMap<>();
  private final Map<Long, PriorityParts> figures = new HashMap<>();
  private final JobPredecessors dependencies;

  /**
   * @param all jobs of all owners: priorities depend on each other, and all runs take slots
   * @param seen those that may be told of
   */
  CellView(Cell cell, List<Job> all, Predicate<Job> seen, long nowS) {
    this.cell = cell;
    this.seen = seen;
    this.nowS = nowS;
    this.jobs = CellJobs.byNumber(all);
    jobs.forEach(
        (number, tasks) ->
            asked.put(number, Submission.of(tasks.get(0).getSpec().getGridEngine().getOptions())));
    this.dependencies = new JobPredecessors(jobs, asked);
    prioritise();
  }

  /** Normalised over the jobs that the scheduler reckons with, as it does. */
  private void prioritise() {
    List<GridEngineJob> all = new ArrayList<>();
    jobs.forEach(
        (number, tasks) -> {
          try {
            if (counts(number, tasks)) {
              all.add(decided(number, tasks.get(0)));
            }
          } catch (RequestRefused e) {
            // The configuration has changed under it: its priority stays 0, and -j says why.
          }
        });
    Priorities found =
        new Priorities(cell.configuration().cluster(), cell.configuration().scheduler(), all, nowS);
    all.forEach(job -> figures.put(job.number(), PriorityParts.of(found.of(job))));
  }

  /** Whether a task runs, may start, or could if its error were mended. */
  private boolean counts(long number, List<Job> tasks) {
    return tasks.stream().anyMatch(job -> CellJobs.runs(job) || job.getError() != null)
        || considered(number, tasks, dependencies.depends(number));
  }

  private GridEngineJob decided(long number, Job job) {
    Submission request = asked.get(number);
    return new GridEngineJob(
        new GridEngineJob.Identity(
            number, job.getSpec().getName(), job.getSpec().getOwner(), request.project()),
        request.needs(cell.configuration().cluster().complexes()),
        request.reserve(),
        new GridEngineJob.Urge(job.getSpec().getPriority(), job.getQueuedMs() / 1000, 0),
        request.tasks(),
        Behaviour.PLAIN);
  }

  /** What a job asks for. */
  Submission asked(long number) {
    return asked.get(number);
  }

  /** Whether one who asks may be told of a job. */
  boolean sees(long number) {
    return seen.test(jobs.get(number).get(0));
  }

  /** Jobs that wait for this one and may be told of. */
  List<Long> successors(long number) {
    return dependencies.successors(number).stream().filter(this::sees).toList();
  }

  /** All tasks by the number of their job. */
  TreeMap<Long, List<Job>> jobs() {
    return jobs;
  }

  /** Which of the jobs wait for which. */
  JobPredecessors dependencies() {
    return dependencies;
  }

  /** The attributes that can be requested. */
  Complexes complexes() {
    return cell.configuration().cluster().complexes();
  }

  /** Requests of -l in this cell's terms; none when it does not know one of them any more. */
  List<AttributeRequest> requests(String list) {
    try {
      return AttributeRequest.list(list, complexes());
    } catch (RequestRefused e) {
      return List.of(); // -j says why the job waits
    }
  }

  /** How many slots count for a request's urgency. */
  int urgencySlots(Submission request) {
    Cluster cluster = cell.configuration().cluster();
    return request.environment().map(it -> it.urgencySlots(cluster)).orElse(1);
  }

  /** Runs by number and task, then jobs that wait, the most important first. */
  List<StatRow> rows(StatOptions options) {
    List<StatRow> running = new ArrayList<>();
    List<StatRow> waiting = new ArrayList<>();
    jobs.forEach(
        (number, tasks) -> {
          if (sees(number) && options.wantsUser(tasks.get(0).getSpec().getOwner())) {
            rows(number, tasks, options, running, waiting);
          }
        });
    if (options.byQueue()) {
      running.sort(Comparator.comparing(StatRow::master));
    }
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
    boolean depends = dependencies.depends(number);
    PriorityParts figures = figures(number);
    PriorityParts ofRuns = considered(number, tasks, depends) ? figures : figures.left();
    Map<String, List<Job>> alike = new LinkedHashMap<>();
    for (Job job : tasks) {
      if (CellJobs.runs(job)) {
        if (options.wants(stands(job) ? "s" : "r")) {
          running.add(new StatRow(job, ofRuns, runState(job), task(job), true));
        }
      } else if (shown(options, job, depends)) {
        String state = state(job, depends);
        String key = options.shows(Show.TASKS) ? state + job.getNumber() : state;
        alike.computeIfAbsent(key, s -> new ArrayList<>()).add(job);
      }
    }
    boolean looked = canStart(number, tasks);
    alike.forEach(
        (key, some) -> {
          String state = state(some.get(0), depends);
          boolean looks = looked && state.equals("qw") || state.startsWith("E");
          PriorityParts of = looks ? figures : PriorityParts.NONE;
          waiting.add(new StatRow(some.get(0), of, state, ranges(number, some), false));
        });
  }

  /** All runs, whoever owns them. */
  List<StatRow> runs() {
    List<StatRow> all = new ArrayList<>();
    jobs.forEach(
        (number, tasks) ->
            tasks.stream()
                .filter(CellJobs::runs)
                .map(job -> new StatRow(job, figures(number), runState(job), task(job), true))
                .forEach(all::add));
    return all;
  }

  private static String state(Job job, boolean depends) {
    String waits = CellJobs.held(job) || depends ? "hqw" : "qw";
    return job.getError() == null ? waits : "E" + waits;
  }

  private boolean shown(StatOptions options, Job job, boolean depends) {
    boolean early = asked.get(Texts.number(job)).earliest_s() > nowS;
    return options.wants("p")
        || (CellJobs.held(job) && holdWanted(options, job.getHolds()))
        || (depends && options.wantsHold("hj"))
        || (early && options.wantsHold("ha"));
  }

  private String ranges(long number, List<Job> tasks) {
    List<Integer> numbers =
        tasks.stream().map(job -> job.getSpec().getGridEngine().getTask()).toList();
    return Texts.isTask(tasks.get(0)) ? Texts.ranges(numbers, asked.get(number).tasks()) : "";
  }

  /** Whether the time has come and as many tasks as may run at once (-tc) do not run yet. */
  private boolean canStart(long number, List<Job> tasks) {
    Submission request = asked.get(number);
    long running = tasks.stream().filter(CellJobs::runs).count();
    int allowed = cell.configuration().limits().instances();
    int limit = allowed == 0 ? Integer.MAX_VALUE : allowed;
    int most = request.concurrent() == 0 ? limit : Math.min(limit, request.concurrent());
    return request.earliest_s() <= nowS && running < most;
  }

  /** Whether the scheduler still reckons with the job: a task may start, or none waits. */
  private boolean considered(long number, List<Job> tasks, boolean depends) {
    List<Job> waiting = tasks.stream().filter(job -> !CellJobs.runs(job)).toList();
    return waiting.isEmpty()
        || (canStart(number, tasks)
            && waiting.stream().anyMatch(job -> state(job, depends).equals("qw")));
  }

  /** Jobs that have ended, by number; Grid Engine shows no priority of theirs. */
  List<StatRow> finished(StatOptions options, List<Job> all) {
    List<StatRow> rows = new ArrayList<>();
    CellJobs.byNumber(all)
        .forEach(
            (number, tasks) -> {
              Job first = tasks.get(0);
              if (options.wantsUser(first.getSpec().getOwner())) {
                Submission request = Submission.of(first.getSpec().getGridEngine().getOptions());
                asked.putIfAbsent(number, request);
                rows.add(new StatRow(first, PriorityParts.NONE, "z", ranges(number, tasks), false));
              }
            });
    return rows;
  }

  private static boolean holdWanted(StatOptions options, String holds) {
    return holds.chars().anyMatch(letter -> options.wantsHold("h" + (char) letter));
  }

  /** What the priority of a job is made of. */
  PriorityParts figures(long number) {
    return figures.getOrDefault(number, PriorityParts.NONE);
  }

  private static String task(Job job) {
    return Texts.isTask(job) ? Integer.toString(job.getSpec().getGridEngine().getTask()) : "";
  }

  private static boolean stands(Job job) {
    return job.getSuspension() != Suspension.NONE;
  }

  static String runState(Job job) {
    String state = stands(job) ? "s" : job.getSessionId() > 0 ? "r" : "t";
    state = CellJobs.held(job) ? "h" + state : state;
    return job.getKilling() == KillPurpose.DELETE ? "d" + state : state;
  }
}
