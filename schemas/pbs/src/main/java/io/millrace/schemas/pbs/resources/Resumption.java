package io.millrace.schemas.pbs.resources;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Suspension;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Turns a suspended run into a request: the amounts that it held, on the same nodes, for its
 * remaining time.
 */
public final class Resumption {

  private static final String NODE = "vnode";

  private Resumption() {}

  /** The request with which the job's suspended run waits to be resumed. */
  public static ResourceRequest of(Job job) {
    List<NodeShare> shares = job.getAllocation().getShares();
    return of(job.getSpec().getRequest(), shares, job.getRanMs());
  }

  /**
   * @param request what the job asked for
   * @param shares what its run held
   * @param ranMs how long it has run
   */
  public static ResourceRequest of(ResourceRequest request, List<NodeShare> shares, long ranMs) {
    Map<String, Map<String, Long>> byNode = new TreeMap<>();
    for (NodeShare share : shares) {
      Map<String, Long> sum = byNode.computeIfAbsent(share.getNode(), node -> new TreeMap<>());
      NodeAmounts.add(sum, share.getAmounts());
    }
    List<Chunk> chunks = new ArrayList<>();
    byNode.forEach((node, amounts) -> chunks.add(new Chunk(1, amounts, Map.of(NODE, node))));
    String place =
        switch (PlaceRequest.of(request.getPlace()).sharing()) {
          case UNSAID -> "";
          case SHARED -> "shared";
          case EXCL -> "excl";
          case EXCLHOST, WHOLE -> "exclhost";
        };
    return new ResourceRequest(
        chunks, place, walltimeS(request.getWalltimeS(), ranMs), request.getJobWide());
  }

  /** Remaining walltime in seconds, rounded up and at least 1; -1 without a limit, as 0 is. */
  public static long walltimeS(long walltimeS, long ranMs) {
    return walltimeS <= 0 ? -1 : Math.max(1, walltimeS - Math.max(0, ranMs) / 1000);
  }

  /** The same of a limit in milliseconds; {@link Long#MAX_VALUE} without one. */
  public static long leftMs(long walltimeMs, long ranMs) {
    return walltimeMs == Long.MAX_VALUE ? walltimeMs : 1000 * walltimeS(walltimeMs / 1000, ranMs);
  }

  /**
   * How long a job's run has been running, suspensions not counted. One that has not begun has not
   * run, however long it has had its nodes: its host counts from its begin.
   */
  public static long ranMs(Job job, long nowMs) {
    if (job.getSessionId() == 0) {
      return 0;
    }
    if (job.getSuspension() != Suspension.NONE) {
      return job.getRanMs();
    }
    long sinceMs = job.getResumedMs() >= 0 ? job.getResumedMs() : job.getStartedMs();
    return job.getRanMs() + Math.max(0, nowMs - sinceMs);
  }
}
