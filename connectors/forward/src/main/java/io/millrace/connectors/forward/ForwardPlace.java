package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideReservation;
import io.millrace.connectors.bridge.system.OutsideSubmission.OutsidePlace;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Where in a cluster a run is to run, as the mode of the cluster says. */
final class ForwardPlace {

  /** The queue of a reservation. */
  private static final Pattern RESERVED = Pattern.compile("[RSM][0-9]{1,18}");

  private ForwardPlace() {}

  /**
   * The place of a run.
   *
   * @param hosts which were chosen here, as the cluster calls them
   * @param queue of the job here
   * @throws IllegalArgumentException when the run is in no reservation and has to be
   */
  static OutsidePlace of(ClusterFile file, List<String> hosts, String queue) {
    if (!file.reserves()) {
      return new OutsidePlace(file.given("queue"), file.places() ? hosts : List.of());
    }
    if (!RESERVED.matcher(queue).matches()) {
      throw new IllegalArgumentException(
          "cluster " + file.name() + " takes runs in reservations only");
    }
    return new OutsidePlace(Optional.of(OutsideReservation.queue(file.name(), queue)), hosts);
  }
}
