package io.millrace.connectors.bridge.system;

import java.util.Collection;
import java.util.Optional;

/**
 * What makes reservations real in an outside cluster whose scheduler goes on working. It remembers
 * nothing: what was done stands in the cluster itself.
 */
public interface OutsideReservations {

  /**
   * Brings the cluster to where these reservations are, and no others of ours. May be called at any
   * time again; whoever is killed in the middle leaves nothing that the next call does not see.
   * Where another home has reservations under this cluster's name nothing is done.
   *
   * @param home tells this one from others
   * @return what is not done yet and why, in one line; empty when all is
   */
  Optional<String> carryOut(String home, Collection<OutsideReservation> wanted)
      throws InterruptedException;

  /** What of ours stands there, or why that is not known, in one line; empty for nothing. */
  Optional<String> standing() throws InterruptedException;
}
