package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.model.ShardFollower;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.WaitingJob;
import io.millrace.schedulers.core.state.job.JobSlots;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.RunSuspended;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongPredicate;

/**
 * Keeps the jobs of best-effort queues away from all others.
 *
 * <p>Simple semantics: there are two states of the same shard. The one of all other jobs never
 * hears of best effort, so that nothing in it can regard that: what such runs use is free there.
 * The other one has the best-effort jobs, and of all other jobs only what they hold. A cycle of the
 * first decides as if there were no best effort; a start that then finds its nodes in use waits
 * until {@link GivingWay} has made room. A cycle of the second follows, on what is left.
 *
 * <p>While there has been no best-effort queue, the second state does not exist, and each fact
 * costs a look at that.
 */
public final class BestEffort implements ShardFollower {

  /** What a run may take from SIGTERM to SIGKILL where its queue says nothing. */
  private static final long KILL_DELAY_S = 10;

  private final SchedulerState local;
  private final ShardFollower toLocal;
  private final int shard;
  private final int proposalsMax;

  /** Best-effort queues, and how long their runs may take to end. */
  private final Map<String, Long> killDelaysMs = new HashMap<>();

  /** Best-effort jobs that wait or run. */
  private final Set<Long> jobs = new HashSet<>();

  private final Map<Long, Reservation> reservations = new TreeMap<>();

  /** The state with the best-effort jobs; null while there has been no queue of such. */
  private SchedulerState rest;

  private ShardFollower toRest;
  private GivingWay giving;
  private OtherHoldings others;

  /**
   * @param local the state of all other jobs
   * @param shard number of the shard whose facts are followed
   * @param proposalsMax most starts that may be proposed and not yet answered
   */
  public BestEffort(SchedulerState local, int shard, int proposalsMax) {
    this.local = local;
    this.toLocal = local.facts();
    this.shard = shard;
    this.proposalsMax = proposalsMax;
  }

  /** True when there is, or has been, a best-effort queue. */
  public boolean on() {
    return rest != null;
  }

  /** The state with the best-effort jobs; null while there is none. */
  public SchedulerState rest() {
    return rest;
  }

  /** The state that has a job. */
  public SchedulerState stateOf(long number) {
    return jobs.contains(number) ? rest : local;
  }

  /** True when a round would do anything. */
  public boolean due(long nowMs) {
    if (rest == null) {
      return false;
    }
    others.bring(Set.of());
    return giving.due(nowMs) || rest.workDue(nowMs);
  }

  /** Time at which a round is due without another fact; {@code Long.MAX_VALUE} for never. */
  public long dueMs() {
    return rest == null ? Long.MAX_VALUE : Math.min(giving.expiryMs(), rest.nextPromiseMs());
  }

  /**
   * What follows from a cycle.
   *
   * @param starts that are to be proposed now
   * @param stops runs that have to give way
   * @param rest what was decided about best-effort jobs; null when nothing was looked at
   */
  public record BestEffortOutcome(List<Start> starts, List<Preempt> stops, CycleDecisions rest) {}

  /**
   * Finds out which starts of a cycle have to wait for the room of best-effort runs, and has
   * best-effort jobs start on what is left.
   *
   * @param starts what the cycle of the other jobs decided
   * @param units work that may be done, at least that of one job
   */
  public BestEffortOutcome round(List<Start> starts, Instant now, long units) {
    if (rest == null) {
      return new BestEffortOutcome(starts, List.of(), null);
    }
    long nowMs = now.toEpochMilli();
    compareAsOthers();
    giving.begin(nowMs);
    List<Start> ready = new ArrayList<>(giving.takeReady(nowMs));
    Set<Long> fresh = new HashSet<>();
    starts.forEach(it -> fresh.add(it.jobNumber()));
    others.bring(fresh);
    List<Preempt> stops = new ArrayList<>();
    for (Start start : starts) {
      others.bring(start.jobNumber());
      if (giving.hasRoom(start, nowMs, stops)) {
        ready.add(start);
      }
    }
    others.bring(Set.of());
    giving.note(nowMs);
    CycleDecisions decided = rest.workDue(nowMs) ? Cycle.run(rest, now, units) : null;
    if (decided != null) {
      decided.starts().forEach(it -> giving.proposed(it.jobNumber()));
      ready.addAll(decided.starts());
    }
    return new BestEffortOutcome(ready, stops, decided);
  }

  /** What a policy says of resources holds for all jobs. */
  private void compareAsOthers() {
    rest.inputs().uncompared(local.books().names().uncompared());
    rest.inputs().endless(local.books().nodes().endless());
  }

  /** Starts that are decided and wait until best-effort runs are gone. */
  public int waitingStarts() {
    return rest == null ? 0 : giving.waiting();
  }

  /**
   * The shard did not stop a job.
   *
   * @return the jobs that do not start for that reason
   */
  public List<Long> notStopped(long number) {
    return jobs.contains(number) ? giving.notStopped(number) : local.answers().notStopped(number);
  }

  /** Has second thoughts about all that waits. */
  public void retryAll() {
    eachInputs(SchedulerInputs::retryAll);
  }

  /** Tells both states the same. */
  public void eachInputs(Consumer<SchedulerInputs> told) {
    told.accept(local.inputs());
    if (rest != null) {
      told.accept(rest.inputs());
    }
  }

  /** Ends the pause of a class. */
  public void endBackOff(String classKey) {
    local.answers().endBackOff(classKey);
    if (rest != null) {
      rest.answers().endBackOff(classKey);
    }
  }

  private boolean isBestEffort(String queue) {
    return !killDelaysMs.isEmpty() && killDelaysMs.containsKey(queue);
  }

  private boolean has(long number) {
    return rest != null && jobs.contains(number);
  }

  private ShardFollower of(long number) {
    return has(number) ? toRest : toLocal;
  }

  private void both(Consumer<ShardFollower> told) {
    told.accept(toLocal);
    if (rest != null) {
      told.accept(toRest);
    }
  }

  /** The first best-effort queue has come: the second state is made of what the first one knows. */
  private void open() {
    SchedulerBooks books = local.books();
    rest = new SchedulerState(books.scheduler(), shard, Policies.STANDARD, proposalsMax);
    rest.inputs().waited(books.keys().waited());
    toRest = rest.facts();
    giving = new GivingWay(local, rest, new GivingWay.Ours(jobs, this::killDelayMs));
    books.cluster().retell(this::tellRest);
    books
        .nodes()
        .retell(
            this::tellRest,
            node -> toRest.node(Node.newBuilder(node).setHoldings(List.of()).build()));
    others = new OtherHoldings(books, rest.books(), jobs);
    reservations.values().forEach(toRest::reservation);
  }

  private long killDelayMs(long number) {
    int slot = rest.books().book().jobs().find(number);
    String queue = slot == JobSlots.NONE ? "" : rest.books().book().classOf(slot).queue().name();
    return killDelaysMs.getOrDefault(queue, KILL_DELAY_S * 1000);
  }

  private void tellRest(ClusterObject object) {
    ClusterObject told = RestOfCluster.seen(object, local.books().scheduler());
    if (told != null) {
      toRest.written(told);
    }
  }

  @Override
  public void written(ClusterObject object) {
    toLocal.written(object);
    if (object.getKind() == ObjectKind.QUEUE) {
      if (ObjectAttributes.text(object, AttributeTable.BEST_EFFORT, "").equals("True")) {
        long delayS = ObjectAttributes.number(object, "kill_delay", KILL_DELAY_S);
        killDelaysMs.put(object.getName(), delayS * 1000);
        if (rest == null) {
          open();
        }
      } else {
        killDelaysMs.remove(object.getName());
      }
    }
    if (rest != null) {
      tellRest(object);
    }
  }

  @Override
  public void deleted(ObjectKind kind, String name) {
    both(it -> it.deleted(kind, name));
    if (kind == ObjectKind.QUEUE) {
      killDelaysMs.remove(name);
    }
  }

  /** In a snapshot nodes come before the jobs that hold them; {@link #job} sorts that out. */
  @Override
  public void node(Node node) {
    if (rest == null) {
      toLocal.node(node);
      return;
    }
    toLocal.node(with(node, number -> !jobs.contains(number)));
    toRest.node(with(node, number -> true));
  }

  private static Node with(Node node, LongPredicate kept) {
    List<Holding> holdings = new ArrayList<>(node.getHoldings());
    holdings.removeIf(it -> !kept.test(it.getNumber()));
    return Node.newBuilder(node).setHoldings(holdings).build();
  }

  @Override
  public void nodeUp(String name, String host, Map<String, Long> measured) {
    both(it -> it.nodeUp(name, host, measured));
  }

  @Override
  public void nodeDown(String name) {
    both(it -> it.nodeDown(name));
  }

  @Override
  public void nodeOffered(String name, int to) {
    both(it -> it.nodeOffered(name, to));
  }

  @Override
  public void nodeClosing(String name) {
    both(it -> it.nodeClosing(name));
  }

  @Override
  public void nodeGone(String name) {
    both(it -> it.nodeGone(name));
  }

  @Override
  public void reservation(Reservation reservation) {
    ReservationState state = reservation.getState();
    if (state == ReservationState.FINISHED || state == ReservationState.DELETED) {
      reservations.remove(reservation.getNumber());
    } else {
      reservations.put(reservation.getNumber(), reservation);
    }
    both(it -> it.reservation(reservation));
  }

  @Override
  public void forgotten(long reservation) {
    toLocal.forgotten(reservation);
  }

  @Override
  public void job(Job job) {
    long number = job.getNumber();
    if (isBestEffort(job.getSpec().getQueue())) {
      if (job.getStatus() != JobStatus.FINISHED && job.getArray() == null) {
        jobs.add(number);
        if (local.books().holdings().get(number) != null) {
          // What the records of its nodes say that it holds is nothing to others.
          toLocal.gone(number);
        }
        toRest.job(job);
      }
      return;
    }
    leave(number);
    toLocal.job(job);
  }

  /** A start that waits for room is given up: its job is not what it was any more. */
  private void giveUp(long number) {
    if (rest != null) {
      giving.giveUp(number);
    }
  }

  private void leave(long number) {
    if (has(number)) {
      toRest.gone(number);
      jobs.remove(number);
      giving.gone(number);
    }
  }

  @Override
  public void holds(long number, String holds) {
    giveUp(number);
    of(number).holds(number, holds);
  }

  @Override
  public void transit(long number, boolean on) {
    giveUp(number);
    of(number).transit(number, on);
  }

  @Override
  public void altered(long number, JobSpec spec, boolean askedAnew) {
    giveUp(number);
    of(number).altered(number, spec, askedAnew);
  }

  @Override
  public void moved(long number, String queue, long rank) {
    giveUp(number);
    boolean to = isBestEffort(queue);
    if (to != has(number)) {
      cross(number, queue, to);
    }
    of(number).moved(number, queue, rank);
  }

  /** A waiting job goes from one state to the other. */
  private void cross(long number, String queue, boolean toBestEffort) {
    SchedulerState from = toBestEffort ? local : rest;
    SchedulerState to = toBestEffort ? rest : local;
    WaitingJob job = from.books().jobFacts().take(number);
    if (job == null) {
      return;
    }
    if (toBestEffort) {
      // It may have held the nodes of a start that was given up just now.
      rest.books().holdings().release(number);
      jobs.add(number);
    } else {
      jobs.remove(number);
      giving.gone(number);
    }
    to.books().jobFacts().put(number, queue, job);
  }

  @Override
  public void gone(long number) {
    if (has(number)) {
      leave(number);
    } else {
      if (rest != null) {
        giving.forget(number);
      }
      toLocal.gone(number);
    }
  }

  @Override
  public void granted(long number, Allocation allocation, long atMs) {
    if (rest != null) {
      giving.granted(number);
    }
    of(number).granted(number, allocation, atMs);
  }

  @Override
  public void began(long number, long beganMs) {
    of(number).began(number, beganMs);
  }

  @Override
  public void shortened(long number, long beganMs, long walltimeS) {
    of(number).shortened(number, beganMs, walltimeS);
  }

  @Override
  public void suspended(long number, RunSuspended fact) {
    of(number).suspended(number, fact);
    made(number);
  }

  @Override
  public void resumable(long number) {
    of(number).resumable(number);
  }

  @Override
  public void resumed(long number, long atMs) {
    if (rest != null) {
      giving.granted(number);
    }
    of(number).resumed(number, atMs);
  }

  @Override
  public void ending(long number, long atMs) {
    of(number).ending(number, atMs);
  }

  @Override
  public void requeued(long number) {
    of(number).requeued(number);
    made(number);
  }

  /** The job no longer holds what it held. */
  private void made(long number) {
    if (has(number)) {
      giving.gone(number);
    }
  }

  @Override
  public void withdraw(long number) {
    if (rest != null) {
      giving.forget(number);
    }
    of(number).withdraw(number);
    made(number);
  }
}
