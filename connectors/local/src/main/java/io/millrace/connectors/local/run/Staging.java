package io.millrace.connectors.local.run;

import io.millrace.schemas.pbs.jobs.StagingPair;
import java.util.List;

/**
 * The files that come to a run before its start and leave after its end, and its directory.
 *
 * @param node name of the host, under which its files are meant
 * @param ownDirectory whether the job has a directory of its own
 * @param in what to bring; the other file is the source
 * @param out what to take away; the other file is the target
 */
public record Staging(
    String node, boolean ownDirectory, List<StagingPair> in, List<StagingPair> out) {

  /** The staging of a run that brings no files and has no directory of its own. */
  public static final Staging NONE = new Staging("", false, List.of(), List.of());

  public Staging {
    in = List.copyOf(in);
    out = List.copyOf(out);
  }

  /** Whether there is nothing to do. */
  public boolean none() {
    return !ownDirectory && in.isEmpty() && out.isEmpty();
  }
}
