package io.millrace.schemas.pbs.jobs;

import io.millrace.schemas.common.NodeShare;
import java.util.ArrayList;
import java.util.List;

/**
 * The lines of a run's node file: one for each MPI process, or one for each chunk when no processes
 * were asked for.
 */
public final class NodeFile {
  private static final String MPIPROCS = "mpiprocs";

  private NodeFile() {}

  /** For each line, the index of the share that it belongs to. */
  public static List<Integer> sharesOf(List<NodeShare> shares) {
    List<Integer> lines = new ArrayList<>();
    for (int i = 0; i < shares.size(); i++) {
      NodeShare share = shares.get(i);
      long processes = Math.max(share.getChunks(), share.getAmounts().getOrDefault(MPIPROCS, 0L));
      for (long line = 0; line < processes; line++) {
        lines.add(i);
      }
    }
    return lines;
  }
}
