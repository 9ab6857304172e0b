package io.millrace.ops.bench;

import io.millrace.schedulers.core.cycle.Cycle;
import io.millrace.schedulers.core.cycle.CycleDecisions;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.cycle.Start;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
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
  private static final long GB = 1L << 30;
  private static final int CPUS = 32;
  private static final int COLLECTIONS = 3;

  private final Random random = new Random(1);
  private final SchedulerState state =
      new SchedulerState("default", 0, Policies.STANDARD, Integer.MAX_VALUE);
  private final List<Long> running = new ArrayList<>();
  private Instant now = Instant.ofEpochSecond(1_795_000_000);
  private long next = 1;
  private final double bytesPerJob;

  FullCluster(int nodes, int jobs, int classes) {
    state
        .facts()
        .written(object(ObjectKind.QUEUE, "workq", "queue_type", "Execution", "started", "True"));
    strict(false);
    for (int i = 0; i < nodes; i++) {
      String name = node(i);
      state.facts().written(object(ObjectKind.NODE, name));
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
    state.facts().written(object(ObjectKind.RESOURCE, "switch", "type", "string", "flag", "h"));
    for (int i = 0; i < nodes; i++) {
      String value = "s" + i / perSet;
      state.facts().written(object(ObjectKind.NODE, node(i), "resources_available.switch", value));
    }
    state
        .facts()
        .written(
            object(
                ObjectKind.SERVER,
                "server",
                "node_group_key",
                "switch",
                "node_group_enable",
                "True"));
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
    state
        .facts()
        .written(
            object(
                ObjectKind.SCHEDULER,
                "default",
                "scheduling",
                "True",
                "strict_ordering",
                on ? "True" : "False",
                "backfill_depth",
                Integer.toString(DEPTH)));
  }

  private void submit(ResourceRequest request) {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("j")
            .setOwner("u")
            .setSubmitHost("h")
            .setQueue("workq")
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
