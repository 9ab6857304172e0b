package io.millrace.server.core.state;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobEvent;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.OpenChange;
import io.millrace.schemas.state.Queue;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.Scheduler;
import io.millrace.schemas.state.ShardState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/**
 * Copies one level deep, for appliers to change. Field by field through the schema: Avro's own
 * builders copy the whole tree, which costs ten times as much for a job.
 */
public final class Copies {
  /** The event of a signal that somebody sent. */
  public static final String SIGNAL = "signal";

  /** The event of an answer of an outside system to an order about a run. */
  public static final String ANSWERED = "answered";

  /** The event of a run that is to end before it would by itself. */
  public static final String KILL = "kill";

  private static final int EVENTS_MAX = 64;

  /** Most characters of what an event says: the job's record has to stay one. */
  private static final int DETAIL_MAX = 1_000;

  private Copies() {}

  private static <R extends org.apache.avro.specific.SpecificRecord> R fields(R from, R to) {
    int size = from.getSchema().getFields().size();
    for (int i = 0; i < size; i++) {
      to.put(i, from.get(i));
    }
    return to;
  }

  public static Job of(Job job) {
    return fields(job, new Job());
  }

  /**
   * A copy whose history has one line more. When it is full the oldest but the first go, and of
   * them signals and answers to them before all others: those can be many, and say least of what
   * became of the job.
   */
  public static Job withEvent(Job job, long atMs, String what, String detail) {
    Job copy = of(job);
    List<JobEvent> events = new ArrayList<>(job.getEvents().size() + 1);
    events.addAll(job.getEvents());
    if (events.size() >= EVENTS_MAX) {
      events.remove(leastWanted(events));
    }
    events.add(new JobEvent(atMs, what, CutText.of(detail, DETAIL_MAX)));
    copy.setEvents(events);
    copy.setModifiedMs(atMs);
    return copy;
  }

  private static int leastWanted(List<JobEvent> events) {
    for (int i = 1; i < events.size(); i++) {
      String what = events.get(i).getWhat();
      if (what.equals(SIGNAL) || what.equals(ANSWERED)) {
        return i;
      }
    }
    return 1;
  }

  public static JobSpec of(JobSpec spec) {
    return fields(spec, new JobSpec());
  }

  /** A copy of the specification with another queue. */
  public static JobSpec inQueue(JobSpec before, String queue) {
    JobSpec spec = of(before);
    spec.setQueue(queue);
    return spec;
  }

  public static Node of(Node node) {
    return fields(node, new Node());
  }

  /** A copy whose maps may be changed too. */
  public static Queue of(Queue queue) {
    Queue copy = fields(queue, new Queue());
    copy.setCounts(new HashMap<>(queue.getCounts()));
    copy.setAssigned(new HashMap<>(queue.getAssigned()));
    return copy;
  }

  public static Scheduler of(Scheduler scheduler) {
    return fields(scheduler, new Scheduler());
  }

  public static ShardState of(ShardState numbers) {
    return fields(numbers, new ShardState());
  }

  public static Reservation of(Reservation reservation) {
    return fields(reservation, new Reservation());
  }

  public static ReservationSpec of(ReservationSpec spec) {
    return fields(spec, new ReservationSpec());
  }

  public static OpenChange of(OpenChange change) {
    return fields(change, new OpenChange());
  }
}
