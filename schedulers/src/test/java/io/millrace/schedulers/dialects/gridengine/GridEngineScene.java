package io.millrace.schedulers.dialects.gridengine;

import io.millrace.schedulers.dialects.gridengine.replay.CaseJob;
import io.millrace.schedulers.dialects.gridengine.replay.ReplaySession;
import io.millrace.schedulers.dialects.gridengine.replay.SessionOutcome;
import io.millrace.schedulers.dialects.gridengine.replay.SessionReplay;
import io.millrace.schedulers.dialects.gridengine.schedule.GridEngineScheduler;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.BookedAmount;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ClusterState;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.TaskDecision;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.OutsideLimits;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.RunningTask;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ClusterText;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.options.AccessListOptions;
import io.millrace.schedulers.gridengine.language.options.EnvironmentOptions;
import io.millrace.schedulers.gridengine.language.options.HostOptions;
import io.millrace.schedulers.gridengine.language.options.OptionTable;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.QueueOptions;
import io.millrace.schedulers.gridengine.language.options.SchedulerOptions;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.Submission;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A small cluster and its jobs: two hosts with one queue of two slots unless a test says more. */
public final class GridEngineScene {

  /** Time of every decision. */
  public static final long NOW = SessionReplay.BEGIN_S;

  private static final String COMPLEX =
      """
      slots       s      INT     <= YES YES 1     1000
      qname       q      STRING  == YES NO  NONE  0
      hostname    h      HOST    == YES NO  NONE  0
      license     lic    INT     <= YES YES 0     10
      hmem        hm     MEMORY  <= YES YES 0     0
      scratch     sc     DOUBLE  <= YES YES 0     0
      token       tok    INT     <= YES JOB 0     0
      alone       al     BOOL    EXCL YES YES 0   0
      fast        f      BOOL    == YES NO  0     0
      secret      sec    BOOL    == FORCED NO 0   0
      kind        k      RESTRING == YES NO NONE  0
      num_proc    p      INT     == YES NO  0     0
      mem_used    mu     MEMORY  >= YES NO  0     0
      np_load_avg nla    DOUBLE  >= NO  NO  0     0
      load_avg    la     DOUBLE  >= NO  NO  0     0
      """
          + QueueOptions.LIMIT_NAMES.stream()
              .map(
                  name ->
                      name
                          + " "
                          + name
                          + (name.endsWith("_rt") || name.endsWith("_cpu") ? " TIME" : " MEMORY")
                          + " <= YES NO 0 0\n")
              .collect(Collectors.joining());

  private OptionValues scheduler =
      SchedulerOptions.TABLE.parse(
          "sched", "max_reservation 10\nparams MONITOR=1,DURATION_OFFSET=0\nschedule_interval 1\n");
  private final Map<String, OptionValues> queues = new LinkedHashMap<>();
  private final Map<String, OptionValues> environments = new LinkedHashMap<>();
  private final Map<String, OptionValues> hosts = new LinkedHashMap<>();
  private final Map<String, OptionValues> groups = new LinkedHashMap<>();
  private final Map<String, List<String>> accessLists = new LinkedHashMap<>();
  private Complexes complexes = Complexes.parse("complex", COMPLEX);
  private final List<RunningTask> running = new ArrayList<>();
  private final List<GridEngineJob> jobs = new ArrayList<>();
  private final List<CaseJob> session = new ArrayList<>();
  private final List<BookedAmount> booked = new ArrayList<>();

  public GridEngineScene() {
    queue("qname all.q\nhostlist node01 node02\nslots 2\npe_list mpi rr smp two\n");
    environment("pe_name mpi\nslots 99\nallocation_rule $fill_up\n");
    environment("pe_name rr\nslots 99\nallocation_rule $round_robin\n");
    environment("pe_name smp\nslots 99\nallocation_rule $pe_slots\n");
    environment("pe_name two\nslots 99\nallocation_rule 2\n");
  }

  public GridEngineScene queue(String text) {
    return set(QueueOptions.TABLE.parse("queue", text));
  }

  public GridEngineScene environment(String text) {
    return set(EnvironmentOptions.TABLE.parse("pe", text));
  }

  public GridEngineScene host(String text) {
    return set(HostOptions.TABLE.parse("host", text));
  }

  public GridEngineScene group(String text) {
    return set(HostOptions.GROUP.parse("group", text));
  }

  public GridEngineScene scheduler(String option, String value) {
    scheduler = scheduler.with(option, value);
    return this;
  }

  /**
   * Takes settings of whatever kind of object; a second one of the same name replaces the first.
   */
  public GridEngineScene set(OptionValues settings) {
    OptionTable table = settings.table();
    if (table == SchedulerOptions.TABLE) {
      scheduler = settings;
    } else if (table == QueueOptions.TABLE) {
      queues.put(settings.get("qname"), settings);
    } else if (table == EnvironmentOptions.TABLE) {
      environments.put(settings.get("pe_name"), settings);
    } else if (table == AccessListOptions.TABLE) {
      members(settings.get("name"), settings.get("entries").split("[,\\s]+"));
    } else if (table == HostOptions.TABLE) {
      hosts.put(settings.get("hostname"), settings);
    } else {
      groups.put(settings.get("group_name"), settings);
    }
    return this;
  }

  public GridEngineScene without(String queue) {
    queues.remove(queue);
    return this;
  }

  public GridEngineScene members(String accessList, String... users) {
    accessLists.put(accessList, List.of(users));
    return this;
  }

  public GridEngineScene complex(String row) {
    Complexes more = Complexes.parse("complex", "slots s INT <= YES YES 1 1000\n" + row);
    more.all().forEach(each -> complexes = complexes.with(each));
    return this;
  }

  /** A waiting job of user "someone", submitted now, with options as qsub takes them. */
  public GridEngineScene job(String name, String options) {
    return job(name, "someone", NOW, options);
  }

  public GridEngineScene job(String name, String user, long submitted, String options) {
    jobs.add(parse(name, user, submitted, options, GridEngineJob.Waits.NO));
    return this;
  }

  /** A job with unusual circumstances. */
  public GridEngineScene job(GridEngineJob job) {
    jobs.add(job);
    return this;
  }

  public GridEngineJob parse(
      String name, String user, long submitted, String options, GridEngineJob.Waits waits) {
    Submission submission = Submission.of(OptionLineWords.of("-N " + name + " " + options));
    return new GridEngineJob(
        new GridEngineJob.Identity(
            jobs.size() + session.size() + running.size() + 1, name, user, submission.project()),
        submission.needs(complexes),
        submission.reserve(),
        new GridEngineJob.Urge(submission.priority(), submitted, 0),
        submission.tasks(),
        new GridEngineJob.Behaviour(submission.immediate(), waits, submission.concurrent(), 0));
  }

  /** Running jobs, started so many seconds ago where the scheduler would have put them. */
  public GridEngineScene running(String name, long since, String options) {
    GridEngineJob job = parse(name, "someone", NOW - since, options, GridEngineJob.Waits.NO);
    Cluster cluster = cluster();
    ClusterState before =
        new ClusterState(
            cluster, scheduler, List.copyOf(running), List.of(new PendingJob(job, List.of(1))));
    TaskDecision start =
        GridEngineScheduler.decide(before, Instant.ofEpochSecond(NOW - since)).starts().get(0);
    running.add(new RunningTask(job, 1, start.assignment(), RunningTask.Phase.RUNNING));
    return this;
  }

  /** A job of a session, with arrival and run time. */
  public GridEngineScene comes(String name, long arrival, long runs, String options) {
    GridEngineJob job = parse(name, "someone", NOW + arrival, options, GridEngineJob.Waits.NO);
    session.add(new CaseJob(job, arrival, runs, false, List.of()));
    return this;
  }

  public Cluster cluster() {
    ClusterText text = new ClusterText(complexes);
    groups.values().forEach(each -> text.group(each));
    hosts.values().forEach(each -> text.host(each));
    environments.values().forEach(each -> text.environment(each));
    queues.values().forEach(each -> text.queue(each));
    accessLists.forEach(text::accessList);
    return text.cluster();
  }

  public ClusterState state() {
    return new ClusterState(
        cluster(),
        scheduler,
        List.copyOf(running),
        jobs.stream().map(job -> new PendingJob(job, job.tasks().numbers())).toList(),
        OutsideLimits.OPEN,
        List.copyOf(booked));
  }

  /** A reservation has slots of a host between two times, in seconds from now. */
  public GridEngineScene booked(String host, int slots, long from, long to) {
    booked.add(BookedAmount.slots(host, slots, NOW + from, NOW + to));
    return this;
  }

  public Decisions decisions() {
    return GridEngineScheduler.decide(state(), Instant.ofEpochSecond(NOW));
  }

  /**
   * Starts as {@code A@all.q@node01:2} and promises as {@code B>10@...}, in the order of decision.
   */
  public String decide() {
    Decisions decisions = decisions();
    List<String> words = new ArrayList<>();
    decisions.starts().forEach(start -> words.add(name(start) + place(start)));
    decisions
        .promises()
        .forEach(
            promise ->
                words.add(
                    name(promise) + ">" + (promise.assignment().start() - NOW) + place(promise)));
    return String.join(" ", words);
  }

  private String name(TaskDecision decision) {
    GridEngineJob job =
        jobs.stream().filter(each -> each.number() == decision.job()).findFirst().orElseThrow();
    String task = job.tasks().numbers().size() > 1 ? "." + decision.task() : "";
    return job.identity().name() + task;
  }

  private static String place(TaskDecision decision) {
    return decision.assignment().grants().stream()
        .map(grant -> "@" + grant.queue().name() + (grant.slots() > 1 ? ":" + grant.slots() : ""))
        .collect(Collectors.joining());
  }

  /** Why a job waits, as text; empty when it does not. */
  public String reason(String name) {
    Decisions decisions = decisions();
    return jobs.stream()
        .filter(job -> job.identity().name().equals(name))
        .map(job -> decisions.waiting().get(job.number()))
        .filter(java.util.Objects::nonNull)
        .map(waiting -> waiting.reason().text())
        .findFirst()
        .orElse("");
  }

  /** When the session's jobs start: {@code A=0 B=15}. */
  public String play() {
    SessionOutcome outcome =
        SessionReplay.of(
            new ReplaySession(cluster(), scheduler, session, List.of(), Map.of(), 1000));
    return outcome.jobs().stream()
        .map(
            job ->
                job.job().identity().name()
                    + "="
                    + job.tasks().get(1).start().map(start -> "" + start.at_s()).orElse("never"))
        .collect(Collectors.joining(" "));
  }
}
