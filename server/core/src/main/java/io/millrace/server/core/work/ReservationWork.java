package io.millrace.server.core.work;

import io.millrace.schemas.command.ReserveRun;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Continued work on reservations. */
public final class ReservationWork {
  /** Name of the work that looks at the reservations that have booked a node. */
  public static final String NODES = "reservation-nodes";

  /** Name of the work that books a new node for those who have its host for themselves. */
  private static final String HOSTS = "reservation-hosts";

  /** Name of the work that has runs of others give way to a reservation. */
  public static final String OTHERS = "reservation-others";

  /** Name of the work that ends the reservations of a partition. */
  private static final String PARTITION = "reservation-partition";

  /** Name of the work that deletes the jobs of a reservation; see {@link #deleteJobs}. */
  public static final String JOBS = "reserved-jobs";

  /** Name of the work that deletes the runs of an occurrence; see {@link #deleteRuns}. */
  private static final String RUNS = "reserved-runs";

  /** What a reservation keeps of the environment of its job. */
  private static final Set<String> KEPT = Set.of("PBS_O_LOGNAME", "PBS_O_HOST", "PBS_O_MAIL");

  private ReservationWork() {}

  /** Looks at a node's reservations again, if it has any, once this decision is carried out. */
  public static void node(Context c, String name, Decision decision) {
    if (c.view().bookings().any(name)) {
      decision.goOn(c, NODES, name);
    }
  }

  /** Books a node that is new here for those who have its host, once this is carried out. */
  public static void newNode(Context c, String name, Decision decision) {
    newNode(c, name, "", decision);
  }

  /** The same for those behind a key of what is booked of the host's other nodes. */
  public static void newNode(Context c, String name, String key, Decision decision) {
    if (c.view().bookings().any()) {
      decision.goOn(c, HOSTS, name + " " + key);
    }
  }

  /** Looks again at the other reservations of all nodes that one has booked. */
  public static void nodes(Context c, Reservation reservation, Decision decision) {
    reservation.getBooked().forEach(it -> node(c, it.getNode(), decision));
  }

  /** Ends the reservations of a partition that goes to another shard with this decision. */
  public static void partition(Context c, String name, Decision decision) {
    decision.goOn(c, PARTITION, name);
  }

  /**
   * Deletes the jobs of a reservation, those behind a key of their table.
   *
   * @param key of the last job that was looked at, or what the keys of all of them begin with
   * @param by who wants it, as user@host
   */
  public static void deleteJobs(Context c, String key, String by, Decision decision) {
    decision.goOn(c, JOBS, key + " " + by);
  }

  /** Asks for a reservation of the run of a job that wants it so, once this is carried out. */
  public static void run(Context c, Job job, Decision decision) {
    JobSpec asked = job.getSpec();
    List<Attribute> variables = new ArrayList<>(asked.getVariables());
    variables.removeIf(it -> !KEPT.contains(it.getName()));
    ReservationSpec spec =
        ReservationSpec.newBuilder()
            .setOwner(asked.getOwner())
            .setSubmitHost(asked.getSubmitHost())
            .setStartMs(0)
            .setEndMs(0)
            .setRequest(asked.getRequest())
            .setResourceList(List.of())
            .setVariables(variables)
            .build();
    decision.tell(c.shard(), new ReserveRun(c.asOwner(job), job.getId(), spec));
  }

  /** As {@link #deleteJobs}, for those that run; the others stay. */
  public static void deleteRuns(Context c, String key, String by, Decision decision) {
    decision.goOn(c, RUNS, key + " " + by);
  }
}
