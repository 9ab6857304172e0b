package io.millrace.connectors.local.run;

import java.nio.file.Path;

/**
 * Settings of the execution on a host.
 *
 * @param spool directory of the runs; must stay between restarts, and jobs' owners must be able to
 *     pass through it
 * @param supervisor the program or shell script that starts and watches runs
 * @param tmp where a job's TMPDIR is made
 * @param allowRootJobs whether root's jobs are run; PBS refuses them
 * @param durable whether claims and outcomes are forced to the disk: without it they survive the
 *     death of any process, with it also a power cut, for some milliseconds per run
 * @param bounds how much may be under way
 */
public record LocalSettings(
    Path spool,
    Path supervisor,
    Path tmp,
    boolean allowRootJobs,
    boolean durable,
    LocalRunBounds bounds) {

  /**
   * @param starting runs handed to the supervisor program that have not started yet
   * @param waiting runs with a directory that wait for their turn; beyond it {@link
   *     LocalExecution#start} blocks
   */
  public record LocalRunBounds(int starting, int waiting) {
    public static final LocalRunBounds DEFAULT = new LocalRunBounds(16, 1000);
  }

  public LocalSettings {
    spool = spool.toAbsolutePath().normalize();
    supervisor = supervisor.toAbsolutePath().normalize();
    tmp = tmp.toAbsolutePath().normalize();
  }

  /** The usual settings for a spool and a supervisor program. */
  public static LocalSettings of(Path spool, Path supervisor) {
    return new LocalSettings(
        spool, supervisor, Path.of("/tmp"), false, false, LocalRunBounds.DEFAULT);
  }
}
