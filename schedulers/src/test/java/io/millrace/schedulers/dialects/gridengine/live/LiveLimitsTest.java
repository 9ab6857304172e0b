package io.millrace.schedulers.dialects.gridengine.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.model.ShardFollower;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Suspension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Limits of the server and of queues hold for Grid Engine's jobs too. */
class LiveLimitsTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_000_000_000L);

  private SchedulerState core = new SchedulerState("default", 0, Policies.STANDARD, 100);
  private LiveState live = new LiveState("default", 0);
  private LiveScheduler scheduler = new LiveScheduler(live, 100, core.limits());
  private final Map<Long, Job> jobs = new TreeMap<>();
  private final Map<String, ClusterObject> objects = new LinkedHashMap<>();

  LiveLimitsTest() {
    configure("qname all.q\nhostlist n1\nslots 20\npe_list mpi\n");
    write(Records.queue("workq"));
    write(Records.object(ObjectKind.NODE, "n1"));
    each(it -> it.node(Records.node("n1", "host", 20, 1L << 32)));
  }

  private void configure(String queue) {
    Map<String, String> files = new LinkedHashMap<>();
    files.put("complex", "slots s INT <= YES YES 1 1000\ns_rt s_rt TIME <= YES NO 0:0:0 0\n");
    files.put(
        "sched",
        "schedule_interval 0:0:1\n"
            + "max_reservation 5\n"
            + "default_duration 0:10:0\n"
            + "schedd_job_info true\n"
            + "params MONITOR=1\n");
    files.put("queue.all.q", queue);
    files.put("pe.mpi", "pe_name mpi\nslots 99\nallocation_rule $fill_up\n");
    write(
        Records.object(
            ObjectKind.SCHEDULER,
            "default",
            "scheduling",
            "True",
            "policy",
            "gridengine",
            AttributeTable.GRID_ENGINE_CONFIGURATION,
            Configuration.join(files)));
  }

  @Test
  void nothingStartsWhileTheServerIsBeingEnded() {
    submit(1, "alice", "");
    write(Records.object(ObjectKind.SERVER, "server", "terminating", "immediate"));
    assertEquals(List.of(), run(1));
    write(Records.object(ObjectKind.SERVER, "server"));
    assertEquals(List.of(1L), run(2));
  }

  @Test
  void eachUserHasItsOwnCount() {
    queue("max_run", "[u:PBS_GENERIC=2],[u:bob=1]");
    submit(1, "alice", "");
    submit(2, "alice", "");
    submit(3, "alice", "");
    submit(4, "bob", "");
    submit(5, "bob", "");
    assertEquals(List.of(1L, 2L, 4L), run(1));
    assertEquals(
        List.of(
            "SGE_LIMIT: cannot run because it exceeds limit "
                + "\"max_run [u:PBS_GENERIC=2] of queue workq\": 2 of 2 in use",
            "SGE_LIMIT: cannot run because it exceeds limit "
                + "\"max_run [u:bob=1] of queue workq\": 1 of 1 in use"),
        reasons());
    assertTrue(run(2).isEmpty());
    end(4);
    assertEquals(List.of(5L), run(3));
  }

  @Test
  void aRunMayLastAsLongAsItsQueueSays() {
    submit(1, "alice", "");
    run(1);
    assertEquals(0, jobs.get(1L).getAllocation().getGridEngine().getWalltimeS());
    end(1);
    configure("qname all.q\nhostlist n1\nslots 20\nh_rt 0:0:3,[n1=0:0:7]\ns_rt 0:0:2\n");
    submit(2, "alice", "");
    run(2);
    assertEquals(7, jobs.get(2L).getAllocation().getGridEngine().getWalltimeS());
    configure("qname all.q\nhostlist n1\nslots 20\nh_rt 0:0:0\n");
    submit(3, "alice", "");
    run(3);
    assertEquals(1, jobs.get(3L).getAllocation().getGridEngine().getWalltimeS());
  }

  @Test
  void aRunIsWarnedWhenItsJobOrItsQueueSays() {
    submit(1, "alice", "");
    run(1);
    assertEquals(0, warnedAfterS(1));
    submit(2, "alice", "-l s_rt=0:0:9");
    run(2);
    assertEquals(9, warnedAfterS(2));
    configure("qname all.q\nhostlist n1\nslots 20\ns_rt 0:0:20,[n1=0:0:5]\n");
    submit(3, "alice", "");
    submit(4, "alice", "-l s_rt=0:0:3");
    run(3);
    assertEquals(List.of(5L, 3L), List.of(warnedAfterS(3), warnedAfterS(4)));
    configure("qname all.q\nhostlist n1\nslots 20\ns_rt 0:0:0\n");
    submit(5, "alice", "");
    run(4);
    assertEquals(1, warnedAfterS(5));
  }

  private long warnedAfterS(long number) {
    return jobs.get(number).getAllocation().getGridEngine().getSoftWalltimeS();
  }

  @Test
  void whatIsProposedCounts() {
    queue("max_running", "1");
    submit(1, "alice", "");
    submit(2, "bob", "");
    assertEquals(1, scheduler.run(NOW, Long.MAX_VALUE).launches().size());
    assertTrue(run(1).isEmpty());
  }

  @Test
  void jobsOfPbsCountToo() {
    queue("max_run", "[u:alice=1]");
    Job job = job(1, "alice");
    job.setStatus(JobStatus.RUNNING);
    job.setAllocation(new Allocation(List.of(), "", "", null));
    each(it -> it.job(job));
    submit(2, "alice", "");
    submit(3, "bob", "");
    assertEquals(List.of(3L), run(1));
  }

  @Test
  void aParallelJobGetsTheSlotsThatAreLeft() {
    queue("max_run_res.ncpus", "[o:PBS_ALL=12]");
    submit(1, "alice", "-pe mpi 2-8");
    submit(2, "alice", "-pe mpi 2-8");
    submit(3, "bob", "-pe mpi 2");
    assertEquals(List.of(1L, 2L), run(1));
    assertEquals(8, chunks(1));
    assertEquals(4, chunks(2));
    assertTrue(reasons().get(0).contains("max_run_res.ncpus [o:PBS_ALL=12]"));
    restart();
    assertTrue(run(2).isEmpty());
    end(2);
    assertEquals(List.of(3L), run(3));
    end(1);
    submit(4, "alice", "-pe mpi 1-");
    assertEquals(List.of(4L), run(4));
    assertEquals(10, chunks(4));
  }

  @Test
  void aSuspendedRunCountsSinceItKeepsWhatItHas() {
    queue("max_run", "[u:PBS_GENERIC=1]", "max_run_res.ncpus", "[o:PBS_ALL=12]");
    submit(1, "alice", "-pe mpi 10");
    assertEquals(List.of(1L), run(1));
    suspend(1);
    submit(2, "alice", "");
    submit(3, "bob", "-pe mpi 4");
    submit(4, "bob", "-pe mpi 2");
    assertEquals(List.of(4L), run(2));
    restart();
    assertTrue(run(3).isEmpty());
    each(it -> it.resumable(1));
    assertEquals(Map.of(1L, 1), live.takeToResume());
    each(it -> it.resumed(1, NOW.toEpochMilli()));
    jobs.get(1L).setSuspension(Suspension.NONE);
    assertTrue(run(4).isEmpty());
    end(1);
    assertEquals(List.of(2L), run(5));
  }

  @Test
  void theFileScheduleTellsSuspendedRunsApart() {
    submit(1, "alice", "");
    submit(2, "bob", "");
    assertEquals(List.of(1L, 2L), run(1));
    assertEquals(List.of("1:1:RUNNING", "2:1:RUNNING"), section(2));
    suspend(1);
    assertEquals(List.of("2:1:RUNNING", "1:1:SUSPENDED"), section(3));
    restart();
    assertEquals(List.of("2:1:RUNNING", "1:1:SUSPENDED"), section(4));
    each(it -> it.resumed(1, NOW.toEpochMilli()));
    assertEquals(List.of("1:1:RUNNING", "2:1:RUNNING"), section(5));
  }

  /** The first three fields of the lines that a run adds to the file schedule. */
  private List<String> section(long second) {
    return scheduler.run(NOW.plusSeconds(second), Long.MAX_VALUE).section().stream()
        .map(line -> line.replaceFirst("^((?:[^:]*:){2}[^:]*).*", "$1"))
        .toList();
  }

  private void suspend(long number) {
    Job job = jobs.get(number);
    job.setRun(1);
    job.setSuspension(Suspension.OPERATOR);
    RunSuspended fact = new RunSuspended();
    fact.setRun(1);
    fact.setShares(job.getAllocation().getShares());
    fact.setRanMs(0L);
    fact.setSuspension(Suspension.OPERATOR);
    each(it -> it.suspended(number, fact));
  }

  @Test
  void aPromiseCounts() {
    queue("max_run", "[u:alice=2]");
    submit(1, "alice", "-pe mpi 12");
    assertEquals(List.of(1L), run(1));
    submit(2, "alice", "-pe mpi 12 -R y");
    submit(3, "alice", "");
    submit(4, "bob", "");
    assertEquals(List.of(4L), run(2));
    end(1);
    assertEquals(List.of(2L, 3L), run(3));
  }

  private void each(Consumer<ShardFollower> told) {
    List.of(core.facts(), live).forEach(told);
  }

  private void write(ClusterObject object) {
    objects.put(object.getName(), object);
    each(it -> it.written(object));
  }

  private void queue(String... limits) {
    List<String> pairs = new ArrayList<>(List.of("started", "True"));
    pairs.addAll(List.of(limits));
    write(Records.object(ObjectKind.QUEUE, "workq", pairs.toArray(String[]::new)));
  }

  private Job job(long number, String user) {
    JobSpec spec = Records.spec("workq", 0, Records.request("ncpus=1"));
    spec.setOwner(user + "@h");
    return Records.job(number, number, spec);
  }

  private void submit(long number, String user, String options) {
    Job job = job(number, user);
    String slots = options.matches("-pe mpi \\d.*") ? options.split("[ -]+")[3] : "1";
    job.getSpec().setRequest(Records.request("select=" + slots + ":ncpus=1"));
    job.getSpec()
        .setGridEngine(
            GridEngineRequest.newBuilder()
                .setOptions(OptionLineWords.of(options))
                .setCategory(options + user)
                .setSlotsMax(100)
                .setArray(0)
                .setTask(0)
                .build());
    jobs.put(number, job);
    each(it -> it.job(job));
  }

  private List<Long> run(long second) {
    List<Long> started = new ArrayList<>();
    Instant at = NOW.plusSeconds(second);
    for (ProposedStart launch : scheduler.run(at, Long.MAX_VALUE).launches()) {
      Allocation allocation = new Allocation(launch.shares(), "", "", launch.grant());
      Job job = jobs.get(launch.number());
      job.setStatus(JobStatus.RUNNING);
      job.setAllocation(allocation);
      job.setStartedMs(at.toEpochMilli());
      each(it -> it.granted(launch.number(), allocation, at.toEpochMilli()));
      started.add(launch.number());
    }
    return started.stream().sorted().toList();
  }

  private int chunks(long number) {
    return jobs.get(number).getAllocation().getShares().stream()
        .mapToInt(it -> it.getChunks())
        .sum();
  }

  private void end(long number) {
    jobs.remove(number);
    each(it -> it.gone(number));
  }

  private void restart() {
    core = new SchedulerState("default", 0, Policies.STANDARD, 100);
    live = new LiveState("default", 0);
    objects.values().forEach(object -> each(it -> it.written(object)));
    each(it -> it.node(Records.node("n1", "host", 20, 1L << 32)));
    jobs.values().forEach(job -> each(it -> it.job(job)));
    scheduler = new LiveScheduler(live, 100, core.limits());
  }

  private List<String> reasons() {
    return scheduler.takeReasons(100).stream()
        .map(it -> it.getCode() + ": " + it.getSubject())
        .filter(it -> it.startsWith("SGE_LIMIT"))
        .sorted((a, b) -> b.contains("GENERIC") ? 1 : -1)
        .toList();
  }
}
