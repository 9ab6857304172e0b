package io.millrace.ops.bench;

import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.dialects.schedconfig.live.LiveSitePolicy;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsageFaded;
import io.millrace.schemas.pbs.schedconfig.share.FadedUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A cluster on which everything is taken, and a queue of jobs, a hundred of them with promises. */
final class FullCluster {

  private static final int DEPTH = 100;
  private static final double HALF = 0.5;
  private static final long GB = 1L << 30;
  private static final int CPUS = 32;
  private static final int COLLECTIONS = 3;

  /** Queues of which two are of each Priority; without a policy all jobs are in the first one. */
  private static final String[] QUEUES = {"workq", "night", "large", "test"};

  private final Random random = new Random(1);
  private final SchedulerState state =
      new SchedulerState("default", 0, Policies.STANDARD, Integer.MAX_VALUE);
  private final List<Long> running = new ArrayList<>();
  private Instant now = Instant.ofEpochSecond(1_795_000_000);
  private final LiveSitePolicy site = new LiveSitePolicy("default", state);
  private final CyclePolicy policy;
  private long next = 1;
  private final double bytesPerJob;

  FullCluster(int nodes, int jobs, int classes) {
    this(nodes, jobs, classes, CyclePolicy.NONE);
  }

  FullCluster(int nodes, int jobs, int classes, CyclePolicy policy) {
    this.policy = policy;
    for (int i = 0; i < QUEUES.length; i++) {
      String priority = Integer.toString(i % 2);
      written(
          object(
              ObjectKind.QUEUE,
              QUEUES[i],
              "queue_type",
              "Execution",
              "started",
              "True",
              "Priority",
              priority));
    }
    strict(false);
    for (int i = 0; i < nodes; i++) {
      String name = node(i);
      written(object(ObjectKind.NODE, name));
      state
          .facts()
          .node(
              Node.newBuilder()
                  .setName(name)
                  .setHost(name)
                  .setUp(true)
                  .setMeasured(Map.of("ncpus", (long) CPUS, "mem", 128 * GB))
                  .setHoldings(List.of())
                  .build());
    }
    for (int i = 0; i < 2 * nodes; i++) {
      // Two jobs fill most of a node; the rest is too small for other jobs.
      submit(request(1, 14 + random.nextInt(2), 32, 600 + random.nextInt(172_800)));
    }
    take(Cycle.run(state, now, Long.MAX_VALUE));
    long before = heap();
    List<ResourceRequest> requests = new ArrayList<>();
    for (int i = 0; i < classes; i++) {
      int walltimeS = 1_800 + 7 * i % 86_400;
      requests.add(request(1 + i * 31 % 64, 4 + i % 29, 1 + i % 60, walltimeS));
    }
    for (int i = 0; i < jobs; i++) {
      submit(requests.get(i % classes));
    }
    strict(true);
    take(Cycle.run(state, now, Long.MAX_VALUE));
    bytesPerJob = (heap() - before) / (double) (state.waiting().jobCount() - running.size());
  }

  /** Name of a node by its number, from 0. */
  static String node(int number) {
    return String.format("n%05d", number);
  }

  /** Has the nodes make placement sets of so many each. */
  FullCluster inSets(int nodes, int perSet) {
    written(object(ObjectKind.RESOURCE, "switch", "type", "string", "flag", "h"));
    for (int i = 0; i < nodes; i++) {
      String value = "s" + i / perSet;
      written(object(ObjectKind.NODE, node(i), "resources_available.switch", value));
    }
    written(
        object(
            ObjectKind.SERVER, "server", "node_group_key", "switch", "node_group_enable", "True"));
    return this;
  }

  /** A reservation is there. */
  void follow(Reservation reservation) {
    state.facts().reservation(reservation);
  }

  double bytesPerJob() {
    return bytesPerJob;
  }

  int promises() {
    return state.promises().size();
  }

  /** Nanoseconds of a cycle that tries all classes and makes all promises from scratch. */
  long everything() {
    strict(false);
    take(Cycle.run(state, now, Long.MAX_VALUE));
    strict(true);
    return timed();
  }

  /** Nanoseconds of the cycle after a run has ended. */
  long oneEnd(int seed) {
    now = now.plusSeconds(1);
    timed();
    Random pick = new Random(seed);
    state.facts().gone(running.remove(pick.nextInt(running.size())));
    return timed();
  }

  private long timed() {
    long begin = System.nanoTime();
    CycleDecisions decisions = Cycle.run(state, now, Long.MAX_VALUE);
    long nanos = System.nanoTime() - begin;
    take(decisions);
    return nanos;
  }

  private void take(CycleDecisions decisions) {
    for (Start start : decisions.starts()) {
      state.given().started(start.jobNumber());
      running.add(start.jobNumber());
    }
    while (state.reasons().hasChanges()) {
      state.reasons().take(100);
    }
  }

  private void strict(boolean on) {
    written(new ClusterObject(ObjectKind.SCHEDULER, "default", 1L, policy.of(on, DEPTH), 1L));
  }

  private void written(ClusterObject object) {
    state.facts().written(object);
    site.written(object);
  }

  /** Nanoseconds that it takes when what so many entities have used fades. */
  long fade(int entities) {
    List<RunCharge> charges = new ArrayList<>();
    for (int i = 0; i < entities; i++) {
      charges.add(new RunCharge(1L, 1, "e" + i, 1_000_000L + i));
    }
    FactMeta meta = new FactMeta(1L, 0L, new CommandId(new byte[16]), "");
    site.follow(new UsageCharged(meta, "default", charges, 0L));
    long begin = System.nanoTime();
    site.follow(new UsageFaded(meta, "default", FadedUsage.of(HALF), 0L, 0L));
    return System.nanoTime() - begin;
  }

  private void submit(ResourceRequest request) {
    boolean none = policy.equals(CyclePolicy.NONE);
    int turn = (int) (next % policy.owners().size());
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("j")
            .setOwner(policy.owners().get(turn))
            .setSubmitHost("h")
            .setQueue(none ? QUEUES[0] : QUEUES[turn % QUEUES.length])
            .setRequest(request)
            .setResourceList(List.of())
            .setOutputPath("o")
            .setErrorPath("e")
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of())
            .setExtra(List.of())
            .build();
    long number = next++;
    state
        .facts()
        .job(
            Job.newBuilder()
                .setId(number + ".bench")
                .setNumber(number)
                .setRank(number)
                .setSpec(spec)
                .setStatus(JobStatus.QUEUED)
                .setCreatedMs(0)
                .setQueuedMs(0)
                .setModifiedMs(0)
                .setEvents(List.of())
                .build());
  }

  private static ResourceRequest request(int chunks, long cpus, long memoryGb, long walltimeS) {
    Chunk chunk = new Chunk(chunks, Map.of("ncpus", cpus, "mem", memoryGb * GB), Map.of());
    return new ResourceRequest(List.of(chunk), "", walltimeS, Map.of());
  }

  private static ClusterObject object(ObjectKind kind, String name, String... pairs) {
    List<Attribute> attributes = new ArrayList<>();
    for (int i = 0; i < pairs.length; i += 2) {
      attributes.add(new Attribute(pairs[i], pairs[i + 1]));
    }
    return new ClusterObject(kind, name, 1L, attributes, 1L);
  }

  static long heap() {
    for (int i = 0; i < COLLECTIONS; i++) {
      // Objects of the earlier measurement may still be on the heap.
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }
}
