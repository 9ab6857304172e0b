package io.millrace.schedulers.dialects.schedconfig.replay;

import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.Preempt;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.state.promise.Promise;
import io.millrace.schedulers.dialects.schedconfig.SitePolicy;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import io.millrace.schemas.pbs.schedconfig.options.SitePeriod;
import io.millrace.schemas.state.JobStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Plays one session. */
public final class SitePlayer {

  /** Cycles that one call of the scheduler may bring with it. */
  private static final int CYCLES_MAX = 100;

  private static final String FORMULA = "job_sort_formula";

  private final SiteSession session;
  private final SchedulerState state =
      new SchedulerState(DefaultNames.SCHEDULER, 0, Policies.STANDARD, Integer.MAX_VALUE);
  private final SiteObjects objects = new SiteObjects(state.facts());
  private final Map<String, String> files;
  private final Map<String, SiteJob> jobs = new LinkedHashMap<>();
  private final Map<Long, SiteJob> byNumber = new TreeMap<>();
  private final List<String> startOrder = new ArrayList<>();
  private final List<List<String>> considered = new ArrayList<>();
  private final List<SiteOutcome.ShareAnswer> answers = new ArrayList<>();
  private final List<SiteOutcome.SiteSnapshot> snapshots = new ArrayList<>();
  private final SiteAmounts amounts;
  private final SiteShares shares;
  private SitePolicyFolder folder;
  private long nowMs;
  private boolean scheduling;

  private SitePlayer(SiteSession session) {
    this.session = session;
    this.files = new TreeMap<>(session.files());
    this.nowMs = session.begin().toEpochMilli();
    session.setup().forEach(line -> objects.run(line, "setup.qmgr"));
    this.folder = SitePolicyFolder.read(files);
    this.shares = new SiteShares(folder, nowMs);
    this.amounts = new SiteAmounts(state, objects, session.programs());
    amounts.configure(folder.config());
    state.inputs().waited((number, atMs) -> byNumber.get(number).waitedS(nowMs));
    state.inputs().standard(policy(0));
  }

  /**
   * Plays a session.
   *
   * @throws ConfigurationRefused when something in it is not understood
   */
  public static SiteOutcome play(SiteSession session) {
    SitePlayer player = new SitePlayer(session);
    for (SiteStep step : session.steps()) {
      player.advance(session.begin().toEpochMilli() + step.atMs());
      player.act(step);
    }
    Map<String, SiteOutcome.SiteJobEnd> ends = new LinkedHashMap<>();
    player.jobs.forEach((label, job) -> ends.put(label, job.end()));
    return new SiteOutcome(
        player.startOrder, player.considered, ends, player.answers, player.snapshots);
  }

  private void act(SiteStep step) {
    switch (step.action()) {
      case "submit" -> submit(step);
      case "cycle" -> cycles();
      case "scheduling" -> {
        scheduling = step.amount() != 0;
        if (scheduling) {
          cycles();
        }
      }
      case "wait" -> advance(nowMs + Math.round(step.amount() * 1000));
      case "qdel" -> end(job(step.name()));
      case "qmgr" -> qmgr(step.words());
      case "hup" -> reread();
      case "file" -> {
        files.put(step.name(), String.join("\n", step.words()));
        session.programs().replaced(step.name(), String.join("\n", step.words()));
      }
      case "pbsfs" ->
          answers.add(
              new SiteOutcome.ShareAnswer(
                  step.atS(), step.words(), shares.run(step.words(), step.user(), nowMs)));
      case "snapshot" -> snapshots.add(snapshot(step.atS()));
      default ->
          throw new ConfigurationRefused(
              "steps.json", 0, "there is no step '" + step.action() + "'");
    }
  }

  /** A change of the scheduler object has the scheduler read its files again. */
  private void qmgr(List<String> lines) {
    lines.forEach(line -> objects.run(line, "steps.json"));
    if (lines.stream().anyMatch(line -> line.strip().matches("(set|unset)\\s+sched\\b.*"))) {
      reread();
    }
  }

  private SiteJob job(String label) {
    SiteJob job = jobs.get(label);
    if (job == null) {
      throw new ConfigurationRefused("steps.json", 0, "there is no job '" + label + "'");
    }
    return job;
  }

  private void reread() {
    folder = SitePolicyFolder.read(files);
    shares.reread(folder);
    amounts.configure(folder.config());
    state.inputs().standard(policy(0));
    // What is compared, and whose share a job uses, may be others than when it came.
    byNumber.values().stream()
        .filter(job -> job.record().getStatus() == JobStatus.QUEUED)
        .forEach(job -> state.facts().job(job.record()));
  }

  private SiteOutcome.SiteSnapshot snapshot(double atS) {
    Map<String, String> states = new LinkedHashMap<>();
    Map<String, String> comments = new LinkedHashMap<>();
    jobs.forEach(
        (label, job) -> {
          states.put(label, job.letter());
          if (!job.comment().isEmpty()) {
            comments.put(label, job.comment());
          }
        });
    return new SiteOutcome.SiteSnapshot(atS, states, comments);
  }

  private void submit(SiteStep step) {
    SiteSubmission submission =
        new SiteSubmission(
            objects.resources(), objects.ofServer("default_queue", "workq"), amounts::compared);
    long number = byNumber.size() + 1L;
    SiteJob job = new SiteJob(step, number, submission.spec(step), nowMs);
    jobs.put(step.name(), job);
    byNumber.put(number, job);
    state.facts().job(job.record());
    if (scheduling) {
      cycles();
    }
  }

  /** Lets the clock go on; runs that are over by then end at their time. */
  private void advance(long toMs) {
    while (true) {
      SiteJob next = null;
      for (SiteJob job : byNumber.values()) {
        if (job.endMs() <= toMs && (next == null || job.endMs() < next.endMs())) {
          next = job;
        }
      }
      if (next == null) {
        nowMs = Math.max(nowMs, toMs);
        return;
      }
      nowMs = Math.max(nowMs, next.endMs());
      end(next);
    }
  }

  private void end(SiteJob job) {
    if (!job.isGone()) {
      if (job.runs()) {
        String nowS = Long.toString(Math.floorDiv(nowMs, 1000));
        job.shares()
            .forEach(it -> objects.put(ObjectKind.NODE, it.getNode(), "last_used_time", nowS));
      }
      job.ends(nowMs);
      state.facts().gone(job.number());
      if (scheduling) {
        cycles();
      }
    }
  }

  /** The server calls the scheduler: a cycle, and another one after each with a suspension. */
  private void cycles() {
    int left = CYCLES_MAX;
    while (cycle() && left-- > 0) {
      // The suspension was one more reason to call it.
    }
  }

  /**
   * One cycle of PBS, whose clock goes by whole seconds: a job may end in the second in which it
   * has to.
   *
   * @return true when a run was suspended in it
   */
  private boolean cycle() {
    amounts.beginCycle(byNumber.values());
    SitePolicy policy = policy(0);
    if (policy.site().sequence().byShares() || !objects.ofServer(FORMULA, "").isEmpty()) {
      shares.beginCycle(byNumber.values(), objects.resources(), nowMs);
    }
    objects.put(
        ObjectKind.SCHEDULER,
        DefaultNames.SCHEDULER,
        "preemptive_sched",
        policy.preempts() ? "True" : "False");
    state.inputs().standard(policy);
    state.inputs().retryAll();
    List<String> looked = new ArrayList<>();
    considered.add(looked);
    SiteComments comments =
        new SiteComments(state, folder.config(), objects.resources(), amounts.free());
    boolean suspended = false;
    int passes = 0;
    int attempts = 0;
    boolean more = true;
    while (more && passes++ < CYCLES_MAX) {
      CycleDecisions decisions =
          Cycle.run(
              state,
              Instant.ofEpochSecond(nowS()),
              Long.MAX_VALUE,
              number -> looked(looked, number));
      decisions.starts().forEach(this::start);
      more = stop(decisions.preempted());
      suspended |= more;
      if (more) {
        attempts += (int) decisions.preempted().stream().map(Preempt::forNumber).distinct().count();
        state.inputs().standard(policy(attempts));
      }
    }
    comments.write(byNumber.values(), looked);
    promises();
    shares.endCycle(byNumber.values(), objects.resources(), nowMs);
    return suspended;
  }

  private long nowS() {
    return Math.floorDiv(nowMs, 1000);
  }

  private void looked(List<String> list, long number) {
    String label = byNumber.get(number).label();
    if (!list.contains(label)) {
      list.add(label);
    }
  }

  /**
   * @param attempts for how many jobs others were stopped in this cycle before
   */
  private SitePolicy policy(int attempts) {
    String depth = objects.ofServer("backfill_depth", "1");
    SitePolicy.PolicySite site =
        new SitePolicy.PolicySite(
            session.zone(),
            shares.tree(),
            new SitePolicy.BackfillDepths(
                depth.matches("\\d{1,9}") ? Integer.parseInt(depth) : 1,
                objects.anyQueue("backfill_depth")),
            name -> objects.resources().find(name).isPresent(),
            true,
            attempts);
    boolean prime = SitePolicy.calendar(folder, site).isPrime(nowS() * 1000);
    return new SitePolicy(folder, prime ? SitePeriod.PRIME : SitePeriod.NON_PRIME, site);
  }

  private void start(Start start) {
    SiteJob job = byNumber.get(start.jobNumber());
    if (state.answers().suspendedRun(job.number()) > 0) {
      state.facts().resumed(job.number(), nowMs);
      job.resumes(nowMs);
    } else {
      state.facts().granted(job.number(), new Allocation(start.shares(), "", "", null), nowMs);
      job.starts(start.shares(), nowMs);
    }
    startOrder.add(job.label());
    job.started(
        new SiteOutcome.SiteStart(
            startOrder.size(), considered.size(), seconds(nowMs), amounts.nodes(job)));
  }

  /** Runs that are to be stopped stand still at once; true when there are any. */
  private boolean stop(List<Preempt> stops) {
    for (Preempt stop : stops) {
      SiteJob job = byNumber.get(stop.jobNumber());
      state.facts().ending(job.number(), nowMs);
      state.facts().suspended(job.number(), job.suspended(nowMs));
    }
    return !stops.isEmpty();
  }

  private void promises() {
    byNumber.values().forEach(job -> job.promised(null));
    for (Promise promise : state.promises()) {
      if (promise.dated()) {
        byNumber
            .get(promise.jobNumber())
            .promised(
                new SiteOutcome.Promised(
                    seconds(promise.fromMs()),
                    amounts.nodes(byNumber.get(promise.jobNumber()), promise.shares())));
      }
    }
  }

  private double seconds(long atMs) {
    return (atMs - session.begin().toEpochMilli()) / 1000.0;
  }
}
