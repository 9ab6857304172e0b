package io.millrace.server.core.engine;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobHandedOver;
import io.millrace.schemas.fact.JobMoved;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.JobReordered;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.Reservations;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/**
 * What each of a shard's engines is told, where there are several.
 *
 * <p>Simple semantics: every engine hears every fact. Where eight of them share a shard, jobs that
 * wait for one of them would then be kept eight times. So of a job that waits an engine only hears
 * when it is in a queue of its scheduler: it hears of it as of a new one when the job comes to such
 * a queue, and the shard starts it anew when a queue with jobs comes to its scheduler. All else,
 * each run among it, every engine hears. One that has known more, as it was alone, knows it still.
 * Of jobs of Grid Engine's qsub all hear, since {@code -hold_jid} may name one of another scheduler
 * of the shard, and it is the engines that obey it.
 *
 * <p>Used by the shard's thread, after the facts have been applied.
 */
public final class EngineAudience {
  private static final int HERE = -1;

  private final View view;
  private boolean several;

  /** Which scheduler object serves what; kept where there are several. */
  private ServedNames served = new ServedNames(Map.of(), Map.of());

  /**
   * Scheduler objects by what they serve. Queues of reservations are not among the queues: they
   * come without a change of an object, and stay in their partitions.
   */
  private record ServedNames(Map<String, String> queues, Map<String, String> partitions) {}

  public EngineAudience(View view) {
    this.view = view;
  }

  /**
   * So many scheduler objects live in this shard. Where there were several, it is told apart from
   * then on, also when only one is left: that one does not know the others' jobs.
   */
  public void among(int schedulers) {
    if (!several && schedulers > 1) {
      several = true;
      served = allServed();
    }
  }

  /** Whether the engine of a scheduler object has to know a job. */
  public boolean concerns(String scheduler, Job job) {
    return !several || !waits(job) || mayBeAwaited(job) || of(scheduler, job.getSpec().getQueue());
  }

  private static boolean mayBeAwaited(Job job) {
    return job.getSpec().getGridEngine() != null;
  }

  private static boolean waits(Job job) {
    return job.getStatus() != JobStatus.RUNNING
        && job.getStatus() != JobStatus.EXITING
        && job.getSuspension() == Suspension.NONE;
  }

  /** Whether a queue may be the scheduler's; of one that is not known nobody can say. */
  private boolean of(String scheduler, String queue) {
    ClusterObject object = PartitionTable.queue(view, queue);
    return object == null || scheduler.equals(scheduler(PartitionTable.partitionOf(object)));
  }

  /**
   * The scheduler objects that have got a queue with jobs by these facts, of which their engines
   * may know nothing.
   */
  public Set<String> gained(List<? extends SpecificRecord> facts) {
    if (!several || facts.stream().noneMatch(EngineAudience::mayAssign)) {
      return Set.of();
    }
    ServedNames before = served;
    served = allServed();
    Set<String> gained = new HashSet<>();
    served.queues.forEach(
        (queue, scheduler) -> {
          if (!scheduler.equals(before.queues.get(queue)) && hasJobs(queue)) {
            gained.add(scheduler);
          }
        });
    if (!served.partitions.equals(before.partitions)) {
      view.table(Reservation.class).each(it -> gainedWith(it, before, gained));
    }
    return gained;
  }

  private void gainedWith(Reservation reservation, ServedNames before, Set<String> gained) {
    String partition = reservation.getSpec().getPartition();
    String scheduler = scheduler(partition);
    if (Reservations.hasQueue(reservation)
        && !scheduler.equals(before.partitions.get(partition))
        && hasJobs(reservation.getQueue())) {
      gained.add(scheduler);
    }
  }

  private static boolean mayAssign(SpecificRecord fact) {
    ObjectKind kind =
        fact instanceof ObjectWritten written
            ? written.getObject().getKind()
            : fact instanceof ObjectDeleted deleted ? deleted.getKind() : null;
    return kind == ObjectKind.QUEUE || kind == ObjectKind.PARTITION;
  }

  private ServedNames allServed() {
    ServedNames all = new ServedNames(new HashMap<>(), new HashMap<>());
    Nodes.each(
        view,
        ObjectKind.QUEUE,
        it -> all.queues.put(it.getName(), scheduler(PartitionTable.partitionOf(it))));
    Nodes.each(
        view,
        ObjectKind.PARTITION,
        it -> all.partitions.put(it.getName(), scheduler(it.getName())));
    return all;
  }

  private String scheduler(String partition) {
    return PartitionTable.schedulerOf(view, partition);
  }

  private boolean hasJobs(String queue) {
    Queue counts = view.queues().get(queue);
    return counts != null && counts.getCounts().values().stream().anyMatch(it -> it > 0);
  }

  /**
   * The facts as the engine of each scheduler object is to hear them.
   *
   * @param schedulers those with an engine beside the shard
   */
  public Map<String, List<SpecificRecord>> divide(
      List<? extends SpecificRecord> facts, Collection<String> schedulers) {
    Map<String, List<SpecificRecord>> told = new HashMap<>();
    if (!several || facts.stream().noneMatch(EngineAudience::isOfOneJob)) {
      List<SpecificRecord> all = List.copyOf(facts);
      schedulers.forEach(it -> told.put(it, all));
      return told;
    }
    schedulers.forEach(it -> told.put(it, new ArrayList<>(facts.size())));
    for (SpecificRecord fact : facts) {
      Job now = job(fact);
      told.forEach((scheduler, to) -> tell(scheduler, fact, now, to));
    }
    return told;
  }

  private static boolean isOfOneJob(SpecificRecord fact) {
    return fact instanceof JobQueued
        || fact instanceof JobAccepted
        || fact instanceof JobMoved
        || fact instanceof JobReordered
        || fact instanceof RunGranted;
  }

  /** A job that has gone from one queue to another. */
  private record JobMove(FactMeta meta, String jobId, String from, String queue) {

    /** Null for any other fact. */
    static JobMove of(SpecificRecord fact) {
      return fact instanceof JobMoved it
          ? new JobMove(it.getMeta(), it.getJobId(), it.getFromQueue(), it.getQueue())
          : fact instanceof JobReordered it
              ? new JobMove(it.getMeta(), it.getJobId(), it.getFromQueue(), it.getQueue())
              : null;
    }
  }

  /** The job as it is now, where an engine may have to be told of it; else null. */
  private Job job(SpecificRecord fact) {
    JobMove move = JobMove.of(fact);
    String id =
        move != null
            ? move.jobId()
            : fact instanceof RunGranted granted ? granted.getJobId() : null;
    return id == null ? null : view.jobs().get(Keys.number(Keys.jobNumber(id)));
  }

  private void tell(String scheduler, SpecificRecord fact, Job now, List<SpecificRecord> to) {
    if (fact instanceof JobQueued queued && !concerns(scheduler, queued.getJob())
        || fact instanceof JobAccepted accepted && !concerns(scheduler, accepted.getJob())) {
      return;
    }
    JobMove move = JobMove.of(fact);
    boolean known = now == null || mayBeAwaited(now);
    if (move != null && !known && comes(scheduler, move)) {
      // It may have known the job, as one that ran in a queue of others.
      to.add(new JobHandedOver(move.meta(), move.jobId(), HERE));
      to.add(arrival(move.meta(), now));
      return;
    }
    if (fact instanceof RunGranted granted && !known && !of(scheduler, now.getSpec().getQueue())) {
      to.add(arrival(granted.getMeta(), waiting(now)));
    }
    to.add(fact);
  }

  /** Where the queue that it left is gone, the engine may not have known the job. */
  private boolean comes(String scheduler, JobMove move) {
    boolean gone = PartitionTable.queue(view, move.from()) == null;
    return of(scheduler, move.queue()) && (gone || !of(scheduler, move.from()));
  }

  private static JobAccepted arrival(FactMeta meta, Job job) {
    return JobAccepted.newBuilder().setMeta(meta).setFrom(HERE).setJob(job).build();
  }

  /** As it was before its run was granted. */
  private static Job waiting(Job job) {
    Job before = Copies.of(job);
    before.setStatus(JobStatus.QUEUED);
    before.setAllocation(null);
    return before;
  }
}
