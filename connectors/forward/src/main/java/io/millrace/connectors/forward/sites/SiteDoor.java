package io.millrace.connectors.forward.sites;

import java.util.List;
import java.util.UUID;

/** The door of another installation, as far as parts of reservations need it. */
interface SiteDoor {

  /** What a door says. */
  sealed interface SiteReply {
    /**
     * A command was carried out there.
     *
     * @param status its exit status
     */
    record Said(int status, String out, String err) implements SiteReply {}

    /**
     * A reservation is there.
     *
     * @param state without PBS's prefix, such as RUNNING
     * @param open kind of a transaction that is open; empty for none
     */
    record ShownThere(String state, String open, List<String> lost) implements SiteReply {}

    /** There is no such reservation. */
    record Absent() implements SiteReply {}

    /**
     * What became of it is not known.
     *
     * @param hopeless whether it would be the same again
     * @param undone whether this attempt has surely done nothing
     */
    record Unknown(String why, boolean hopeless, boolean undone) implements SiteReply {}
  }

  /** Whether it is set up; of others nothing is sent, and their answer comes at once. */
  boolean knows(String site);

  /**
   * Has a command carried out, once however often it is sent with this id.
   *
   * @param seconds that an answer may take
   */
  SiteReply command(String site, UUID id, int seconds, List<String> words)
      throws InterruptedException;

  /** A reservation as it is there now. */
  SiteReply look(String site, String reservation) throws InterruptedException;
}
