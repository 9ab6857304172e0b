package io.millrace.connectors.local.run;

import io.millrace.schemas.common.NodeShare;
import java.util.List;

/**
 * How much memory the processes of a run may use together on its host, in kilobytes; 0 for no
 * limit.
 *
 * @param memKb memory that is there
 * @param vmemKb addresses, used or not
 */
public record MemoryLimits(long memKb, long vmemKb) {
  public static final MemoryLimits NONE = new MemoryLimits(0, 0);

  private static final long KB = 1024;

  /**
   * What was set aside on a host for a run is what it may use there. For a supervisor 0 means no
   * limit, so the least is 1.
   */
  public static MemoryLimits of(List<NodeShare> shares, String host) {
    return new MemoryLimits(sum(shares, host, "mem"), sum(shares, host, "vmem"));
  }

  private static long sum(List<NodeShare> shares, String host, String resource) {
    boolean asked = false;
    long bytes = 0;
    for (NodeShare share : shares) {
      Long amount = share.getHost().equals(host) ? share.getAmounts().get(resource) : null;
      asked |= amount != null;
      long more = amount == null ? 0 : amount;
      bytes = bytes > Long.MAX_VALUE - more ? Long.MAX_VALUE : bytes + more;
    }
    return asked ? Math.max(1, bytes / KB) : 0;
  }
}
