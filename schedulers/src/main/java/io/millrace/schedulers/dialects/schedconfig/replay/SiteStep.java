package io.millrace.schedulers.dialects.schedconfig.replay;

import java.util.List;

/**
 * One thing that was done in a session.
 *
 * @param atS seconds since the beginning
 * @param action submit, cycle, scheduling, wait, qdel, qmgr, hup, file, pbsfs or snapshot
 * @param name label of a job, or name of a file; else empty
 * @param words arguments of a command, lines of qmgr, or the content of a file
 * @param user who did it; empty for root
 * @param amount how long a job sleeps or the session waits, in seconds; 1 for scheduling that is
 *     switched on, 0 for off
 */
public record SiteStep(
    double atS, String action, String name, List<String> words, String user, double amount) {

  public SiteStep {
    words = List.copyOf(words);
  }

  long atMs() {
    return Math.round(atS * 1000);
  }
}
