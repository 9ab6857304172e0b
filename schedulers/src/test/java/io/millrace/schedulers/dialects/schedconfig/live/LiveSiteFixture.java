package io.millrace.schedulers.dialects.schedconfig.live;

import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.InputsRead;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsageFaded;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.schemas.state.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * A scheduler whose object carries a PBS scheduler's files, with a shard that is no more than its
 * facts.
 */
final class LiveSiteFixture {
  private static final FactMeta META = new FactMeta(1L, 0L, new CommandId(new byte[16]), "");

  /** A run that ends. */
  record Run(long number, String user, long fromMs, long endMs) {}

  final SchedulerState state;
  final LiveSitePolicy site;
  final PriorityQueue<Run> running =
      new PriorityQueue<>((a, b) -> Long.compare(a.endMs(), b.endMs()));

  /** What entities have used as a shard keeps it. */
  final Map<String, EntityUsage> records = new TreeMap<>();

  final Map<Long, Job> waiting = new TreeMap<>();
  List<PolicyInput> known = List.of();
  private final Map<String, String> texts = new TreeMap<>();
  private final String scheduler;
  private final String zone;
  double faded;
  long nextNumber = 1;
  long nowMs;

  LiveSiteFixture(String zone, String now, long cpus, String... queues) {
    this("default", zone, now, cpus, queues);
  }

  private LiveSiteFixture(String scheduler, String zone, String now, long cpus, String... queues) {
    this.scheduler = scheduler;
    this.state = new SchedulerState(scheduler, 0, Policies.STANDARD, 1_000_000);
    this.site = new LiveSitePolicy(scheduler, state);
    this.zone = zone;
    this.nowMs = Instant.parse(now).toEpochMilli();
    written(Records.scheduler());
    written(Records.object(ObjectKind.SERVER, "server"));
    for (String queue : queues) {
      written(Records.queue(queue));
    }
    written(Records.object(ObjectKind.NODE, "n1"));
    state.facts().node(Records.node("n1", "h1", cpus, 1L << 40));
  }

  /** A scheduler with another name. */
  static LiveSiteFixture of(
      String scheduler, String zone, String now, long cpus, String... queues) {
    return new LiveSiteFixture(scheduler, zone, now, cpus, queues);
  }

  void written(ClusterObject object) {
    state.facts().written(object);
    site.follow(new ObjectWritten(META, object));
  }

  /** Loads a file; the others stay. */
  LiveSiteFixture file(String name, String text) {
    texts.put(name, text);
    return this;
  }

  void load() {
    written(object());
  }

  /** The scheduler object with all files that were loaded; whatever its name, it has the queues. */
  ClusterObject object() {
    return Records.object(
        ObjectKind.SCHEDULER,
        scheduler,
        "scheduling",
        "True",
        "partition",
        "pbs-default",
        "policy",
        "sched_config",
        "sched_config",
        StoredPolicy.join(texts, zone));
  }

  long submit(String user, String queue, String request) {
    return submit(user, queue, Records.request(request));
  }

  long submit(String user, String queue, ResourceRequest request) {
    long number = nextNumber++;
    JobSpec spec = Records.spec(queue, 0, request);
    spec.setOwner(user + "@h");
    spec.setGroup("g" + user);
    Job job = Records.job(number, number, spec);
    waiting.put(number, job);
    state.facts().job(job);
    return number;
  }

  /** A cycle now; the numbers of the jobs that start, which run for so long. */
  List<Long> cycle(long lengthMs) {
    CycleDecisions decisions = Cycle.run(state, Instant.ofEpochMilli(nowMs), Long.MAX_VALUE);
    List<Long> started = new ArrayList<>();
    for (Start start : decisions.starts()) {
      long number = start.jobNumber();
      state.facts().granted(number, new Allocation(start.shares(), "", "", null), nowMs);
      String owner = waiting.remove(number).getSpec().getOwner();
      running.add(new Run(number, owner.substring(0, owner.indexOf('@')), nowMs, nowMs + lengthMs));
      started.add(number);
    }
    return started;
  }

  /** The time of the next end; the run ends, and its seconds are charged. */
  Run end() {
    Run run = running.poll();
    nowMs = Math.max(nowMs, run.endMs());
    state.facts().gone(run.number());
    charge(run.user(), run.endMs() - run.fromMs());
    return run;
  }

  /** What programs have said is in the ledger now. */
  void read(PolicyInput... inputs) {
    known = List.of(inputs);
    site.follow(new InputsRead(META, "default", known));
  }

  void charge(String user, long milli) {
    EntityUsage before = records.get(user);
    long had =
        before == null
            ? FadedUsage.LEAST_MILLI
            : FadedUsage.now(before.getMilli(), before.getFaded(), faded);
    records.put(user, new EntityUsage("default", user, FadedUsage.plus(had, milli), faded));
    hearCharge("default", user, milli);
  }

  /** A scheduler object's charge is heard by all. */
  void hearCharge(String whose, String user, long milli) {
    site.follow(new UsageCharged(META, whose, List.of(new RunCharge(1L, 1, user, milli)), 0L));
  }

  void fade(double factor) {
    faded += FadedUsage.of(factor);
    site.follow(new UsageFaded(META, "default", faded, nowMs, 0L));
  }

  /** A scheduler that is built anew from what the shard keeps. */
  LiveSiteFixture anew(long cpus, String... queues) {
    LiveSiteFixture other =
        new LiveSiteFixture(zone, Instant.ofEpochMilli(nowMs).toString(), cpus, queues);
    other.texts.putAll(texts);
    other.load();
    other.faded = faded;
    other.nextNumber = nextNumber;
    Scheduler record =
        Scheduler.newBuilder().setName("default").setFaded(faded).setInputs(known).build();
    other.site.scheduler(record);
    records.values().forEach(other.site::usage);
    other.records.putAll(records);
    waiting.values().forEach(other.state.facts()::job);
    other.waiting.putAll(waiting);
    return other;
  }
}
