package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The queue of a reservation, which is a view of it: no object, made when somebody asks. */
public final class ReservationQueue {

  private static final String DEFAULT_PARTITION = "pbs-default";

  private ReservationQueue() {}

  /** Whether a scheduler has confirmed it, so that its queue takes jobs. */
  public static boolean exists(Reservation reservation) {
    return !reservation.getShares().isEmpty();
  }

  /** Whether it is being deleted: it waits for the end of its jobs. */
  public static boolean isClosing(Reservation reservation) {
    return reservation.getState() == ReservationState.BEING_DELETED
        || reservation.getState() == ReservationState.DELETING_JOBS;
  }

  /** Whether its window has begun and its jobs may run. */
  public static boolean runs(Reservation reservation) {
    return reservation.getStartedMs() >= 0 && !isClosing(reservation);
  }

  /** The queue with the names and texts of one that qmgr has made. */
  public static ClusterObject of(Reservation reservation, ResourceTable resources) {
    ReservationSpec spec = reservation.getSpec();
    List<Attribute> shown = new ArrayList<>();
    add(shown, "queue_type", "Execution");
    acl(shown, "user", spec.getUsers());
    acl(shown, "group", spec.getGroups());
    acl(shown, "host", spec.getHosts());
    amounts(spec)
        .forEach(
            (name, amount) ->
                resources
                    .find(name)
                    .ifPresent(
                        it -> {
                          add(shown, "resources_max." + name, Amounts.format(it, amount));
                          add(shown, "resources_available." + name, Amounts.format(it, amount));
                        }));
    add(shown, "enabled", isClosing(reservation) ? "False" : "True");
    add(shown, "started", runs(reservation) ? "True" : "False");
    if (!spec.getPartition().equals(DEFAULT_PARTITION)) {
      add(shown, "partition", spec.getPartition());
    }
    return new ClusterObject(ObjectKind.QUEUE, reservation.getQueue(), 0L, shown, 0L);
  }

  /** What all chunks ask for together; the sums are known to fit. */
  private static Map<String, Long> amounts(ReservationSpec spec) {
    Map<String, Long> sums = new TreeMap<>();
    for (Chunk chunk : spec.getRequest().getChunks()) {
      chunk
          .getAmounts()
          .forEach((name, amount) -> sums.merge(name, amount * chunk.getCount(), Long::sum));
    }
    return sums;
  }

  private static void acl(List<Attribute> shown, String what, List<String> names) {
    if (!names.isEmpty()) {
      add(shown, "acl_" + what + "_enable", "True");
      add(shown, "acl_" + what + "s", String.join(",", names));
    }
  }

  private static void add(List<Attribute> shown, String name, String value) {
    shown.add(new Attribute(name, value));
  }
}
