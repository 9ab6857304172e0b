package io.millrace.schedulers.dialects.schedconfig.replay;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A session of a PBS server.
 *
 * @param begin moment of second 0
 * @param zone time zone of the server
 * @param files texts of the scheduler's files, by name
 * @param setup lines of qmgr that were typed before
 * @param steps what was done, in its order
 * @param programs runs the programs of server_dyn_res
 */
public record SiteSession(
    Instant begin,
    ZoneId zone,
    Map<String, String> files,
    List<String> setup,
    List<SiteStep> steps,
    Programs programs) {

  public SiteSession {
    files = Map.copyOf(files);
    setup = List.copyOf(setup);
    steps = List.copyOf(steps);
  }

  /** Runs programs of a session. */
  public interface Programs {

    /**
     * The first line of a program's output.
     *
     * @param commandLine as sched_config names it
     * @param limitS seconds after which it is given up
     * @return empty when it printed nothing, was given up, or may be written by others; null when
     *     there is no such program
     */
    Optional<String> firstLine(String commandLine, int limitS);

    /** A file of the session was replaced. */
    void replaced(String name, String content);
  }
}
