package io.millrace.server.core.state;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.NodeSharing;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.NodeAmounts;
import io.millrace.schemas.pbs.resources.PlaceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Sharing;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.ShardState;
import io.millrace.schemas.state.StoredScript;
import io.millrace.schemas.state.Suspension;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Writes jobs together with what is counted from them: queues, nodes, users of scripts. */
public final class JobRecords {
  /** Count of jobs that wait for their time; they have no status of their own. */
  public static final String WAITING = "WAITING";

  /** Count of arrays of which a subjob has begun and more may. */
  public static final String BEGUN = "BEGUN";

  /** Count of the subjobs that wait with a record: their array is counted besides. */
  public static final String NEXT = "NEXT";

  private static final String USERS = "users/";

  private JobRecords() {}

  /**
   * Puts {@code after} in the place of {@code before}; null stands for no job. Followers may write
   * into {@code after}, which must be a copy of its own.
   */
  public static void replace(State state, Job before, Job after) {
    state.jobFollowers().follow(state, before, after);
    count(state, before, -1);
    count(state, after, 1);
    countAssigned(state, before, after);
    if (after == null) {
      state.jobs().remove(Keys.number(before.getNumber()));
      useScript(state, before.getSpec().getScriptHash(), -1);
    } else {
      state.jobs().put(Keys.number(after.getNumber()), after);
      if (before == null) {
        useScript(state, after.getSpec().getScriptHash(), 1);
      }
    }
  }

  private static void count(State state, Job job, int by) {
    if (job == null || job.getStatus() == JobStatus.FINISHED) {
      return;
    }
    String name = job.getSpec().getQueue();
    Queue before = state.queues().get(name);
    Queue after =
        before == null
            ? Queue.newBuilder().setName(name).setCounts(Map.of()).setAssigned(Map.of()).build()
            : before;
    after = Copies.of(after);
    after.getCounts().merge(counted(job), (long) by, Long::sum);
    if (uses(job)) {
      for (NodeShare share : job.getAllocation().getShares()) {
        for (Map.Entry<String, Long> amount : share.getAmounts().entrySet()) {
          after.getAssigned().merge(amount.getKey(), by * amount.getValue(), Long::sum);
        }
        after.getAssigned().merge("nodect", (long) by, Long::sum);
      }
    }
    state.queues().put(name, after);
  }

  private static boolean uses(Job job) {
    return job != null
        && job.getStatus() != JobStatus.FINISHED
        && job.getAllocation() != null
        && job.getSuspension() == Suspension.NONE;
  }

  /** The sum over all queues, which are too many to be asked for each run that is proposed. */
  private static void countAssigned(State state, Job before, Job after) {
    boolean used = uses(before);
    boolean uses = uses(after);
    if (!used && !uses || used && uses && before.getAllocation() == after.getAllocation()) {
      return;
    }
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    numbers.setAssigned(new HashMap<>(numbers.getAssigned()));
    addAssigned(numbers, used ? before.getAllocation().getShares() : List.of(), -1);
    addAssigned(numbers, uses ? after.getAllocation().getShares() : List.of(), 1);
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  private static void addAssigned(ShardState numbers, List<NodeShare> shares, int by) {
    for (NodeShare share : shares) {
      for (Map.Entry<String, Long> amount : share.getAmounts().entrySet()) {
        long sum = numbers.getAssigned().getOrDefault(amount.getKey(), 0L) + by * amount.getValue();
        if (sum == 0) {
          numbers.getAssigned().remove(amount.getKey());
        } else {
          numbers.getAssigned().put(amount.getKey(), sum);
        }
      }
    }
  }

  /** The counter for a job: its status, or one of the counts above. */
  public static String counted(Job job) {
    if (job.getStatus() == JobStatus.QUEUED) {
      boolean begun = ArrayStates.is(job) && job.getStartedMs() >= 0;
      return begun ? BEGUN : JobNumbers.isSubjob(job.getNumber()) ? NEXT : job.getStatus().name();
    }
    boolean waits = job.getStatus() == JobStatus.HELD && job.getHolds().equals(Holds.WAIT);
    return waits ? WAITING : job.getStatus().name();
  }

  private static void useScript(State state, ByteBuffer hash, int by) {
    if (!hash.hasRemaining()) {
      return;
    }
    String key = Keys.script(hash);
    StoredScript users = state.scripts().get(USERS + key);
    long count = (users == null ? 0 : users.getUsers()) + by;
    if (count > 0) {
      state.scripts().put(USERS + key, new StoredScript(hash, ByteBuffer.allocate(0), count));
    } else {
      state.scripts().remove(USERS + key);
      state.scripts().remove(key);
    }
  }

  /** The place request of the job. */
  public static PlaceRequest placement(Job job) {
    return PlaceRequest.of(job.getSpec().getRequest().getPlace());
  }

  /** The sharing that applies to a run of the job on a node. */
  public static Sharing sharing(Job job, Allocation run, ClusterObject node) {
    return sharing(placement(job).sharing(), run.getGridEngine() != null, node);
  }

  /**
   * The same.
   *
   * @param gridEngine whether the run is one of Grid Engine's: what it shares is said by its own
   *     configuration, not by the nodes
   */
  public static Sharing sharing(Sharing asked, boolean gridEngine, ClusterObject node) {
    return asked.on(gridEngine ? NodeSharing.DEFAULT_SHARED : NodeAmounts.sharing(node));
  }

  private static Sharing sharing(State state, Job job, Allocation run, NodeShare share) {
    String node = Keys.object(ObjectKind.NODE, share.getNode());
    return sharing(job, run, state.objects().get(node));
  }

  /**
   * Notes how many runs have hosts for themselves; the request of a job that runs is fixed, and so
   * is what its nodes say.
   */
  private static void countExclusiveHosts(State state, Job job, Allocation run, int by) {
    if (run.getShares().stream()
        .anyMatch(share -> sharing(state, job, run, share) == Sharing.EXCLHOST)) {
      ShardState numbers = Copies.of(ShardNumbers.of(state));
      numbers.setExclusiveHosts(numbers.getExclusiveHosts() + by);
      state.numbers().put(Keys.NUMBERS, numbers);
    }
  }

  /** Adds the run's allocation to its nodes. */
  public static void hold(State state, Job job, int run, Allocation allocation, long nowMs) {
    countExclusiveHosts(state, job, allocation, 1);
    List<Integer> slots = Slots.of(allocation);
    for (int i = 0; i < slots.size(); i++) {
      NodeShare share = allocation.getShares().get(i);
      Node node = Copies.of(state.nodes().get(share.getNode()));
      List<Holding> holdings = new ArrayList<>(node.getHoldings());
      holdings.add(holding(state, job, run, allocation, i, slots.get(i)));
      node.setHoldings(holdings);
      node.setLastUsedMs(nowMs);
      state.nodes().put(node.getName(), node);
    }
  }

  private static Holding holding(
      State state, Job job, int run, Allocation allocation, int index, int slot) {
    NodeShare share = allocation.getShares().get(index);
    boolean exclusive = sharing(state, job, allocation, share) != Sharing.SHARED;
    return Holding.newBuilder()
        .setJobId(job.getId())
        .setNumber(job.getNumber())
        .setRun(run)
        .setAmounts(share.getAmounts())
        .setChunks(share.getChunks())
        .setSlot(slot)
        .setExclusive(exclusive)
        .build();
  }

  /** Frees the amounts of a suspended run; its nodes keep a record of them. */
  public static void setAside(State state, Job job, long nowMs) {
    countExclusiveHosts(state, job, job.getAllocation(), -1);
    release(state, job, nowMs);
    List<Integer> slots = Slots.of(job.getAllocation());
    for (int i = 0; i < slots.size(); i++) {
      NodeShare share = job.getAllocation().getShares().get(i);
      Node node = Copies.of(state.nodes().get(share.getNode()));
      List<Holding> suspended = new ArrayList<>(node.getSuspended());
      suspended.add(holding(state, job, job.getRun(), job.getAllocation(), i, slots.get(i)));
      node.setSuspended(suspended);
      state.nodes().put(node.getName(), node);
    }
  }

  /** Takes the amounts of a resumed run again. */
  public static void takeUp(State state, Job job, long nowMs) {
    release(state, job, nowMs);
    hold(state, job, job.getRun(), job.getAllocation(), nowMs);
  }

  /** Clears what is kept of suspensions, for the next run. */
  public static void forgetSuspensions(Job job) {
    job.setSuspension(Suspension.NONE);
    job.setRanMs(0L);
    job.setResumedMs(-1L);
    job.setOrders(0);
  }

  /** Runs on the node, those that are suspended there included. */
  public static int runs(Node node) {
    return node.getHoldings().size() + node.getSuspended().size();
  }

  /** Frees the allocation of a run that ended; of a suspended one the record is removed. */
  public static void free(State state, Job job, long nowMs) {
    if (job.getSuspension() == Suspension.NONE) {
      countExclusiveHosts(state, job, job.getAllocation(), -1);
    }
    release(state, job, nowMs);
  }

  private static void release(State state, Job job, long nowMs) {
    for (NodeShare share : job.getAllocation().getShares()) {
      Node before = state.nodes().get(share.getNode());
      if (before != null) {
        Node node = Copies.of(before);
        node.setHoldings(without(node.getHoldings(), job));
        node.setSuspended(without(node.getSuspended(), job));
        node.setLastUsedMs(nowMs);
        state.nodes().put(node.getName(), node);
      }
    }
  }

  private static List<Holding> without(List<Holding> holdings, Job job) {
    if (holdings.isEmpty()) {
      return holdings;
    }
    List<Holding> rest = new ArrayList<>(holdings);
    rest.removeIf(holding -> holding.getNumber() == job.getNumber());
    return rest;
  }
}
