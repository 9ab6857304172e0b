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

  /** Most lines: the numbers of chunks and processes are what somebody has written. */
  private static final int LINES_MAX = 100_000;

  private NodeFile() {}

  private static long processes(NodeShare share) {
    return Math.max(share.getChunks(), share.getAmounts().getOrDefault(MPIPROCS, 0L));
  }

  /** Whether the file has no more lines than it may have. */
  public static boolean fits(List<NodeShare> shares) {
    long left = LINES_MAX;
    for (NodeShare share : shares) {
      long processes = processes(share);
      if (processes > left) {
        return false;
      }
      left -= Math.max(0, processes);
    }
    return true;
  }

  /**
   * For each line, the index of the share that it belongs to.
   *
   * @throws IllegalArgumentException in one line when it does not fit
   */
  public static List<Integer> sharesOf(List<NodeShare> shares) {
    if (!fits(shares)) {
      throw new IllegalArgumentException(
          "the node file of the run would have more than " + LINES_MAX + " lines");
    }
    List<Integer> lines = new ArrayList<>();
    for (int i = 0; i < shares.size(); i++) {
      long processes = processes(shares.get(i));
      for (long line = 0; line < processes; line++) {
        lines.add(i);
      }
    }
    return lines;
  }
}
