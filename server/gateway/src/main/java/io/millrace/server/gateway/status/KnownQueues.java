package io.millrace.server.gateway.status;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.jobs.ReservationIds;
import io.millrace.schemas.pbs.resources.ReservationQueue;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.Reservation;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Queues that qmgr has made, and those of confirmed reservations. */
final class KnownQueues {

  private KnownQueues() {}

  /** A queue by its name. */
  static Optional<ClusterObject> find(Site site, String name)
      throws LinkException, QueryException, InterruptedException {
    return ReservationIds.isReserved(name)
        ? ofReservation(site, name)
        : site.find(ObjectKind.QUEUE, name);
  }

  /** As far as it is known here, without asking for changes that were committed before. */
  static Optional<ClusterObject> known(Site site, String name)
      throws QueryException, InterruptedException {
    return ReservationIds.isReserved(name)
        ? ofReservation(site, name)
        : site.cluster().find(ObjectKind.QUEUE, name);
  }

  private static Optional<ClusterObject> ofReservation(Site site, String name)
      throws QueryException, InterruptedException {
    long number = ReservationIds.number(name);
    if (number < 0) {
      return Optional.empty();
    }
    return site.queries()
        .reservation(number)
        .filter(ReservationQueue::exists)
        .filter(it -> it.getQueue().equals(name))
        .map(it -> ReservationQueue.of(it, site.resources()));
  }

  /** The queues of all reservations, in the order of their numbers. */
  static List<ClusterObject> ofReservations(Site site) throws QueryException, InterruptedException {
    List<Reservation> reservations = new ArrayList<>(site.queries().reservations());
    reservations.removeIf(it -> !ReservationQueue.exists(it));
    reservations.sort(Comparator.comparingLong(Reservation::getNumber));
    ResourceTable resources = site.resources();
    return reservations.stream().map(it -> ReservationQueue.of(it, resources)).toList();
  }
}
