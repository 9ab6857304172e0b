package io.millrace.schedulers.core.cycle;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schemas.common.NodeShare;
import java.util.List;
import java.util.Map;

/** Amounts that runs and promises take of each node over time, by "node resource". */
final class UsedAmounts {

  private UsedAmounts() {}

  static void debit(
      Map<String, UsageProfile> used, List<NodeShare> shares, long fromMs, long toMs) {
    for (NodeShare share : shares) {
      share
          .getAmounts()
          .forEach(
              (resource, amount) ->
                  used.computeIfAbsent(share.getNode() + " " + resource, it -> new UsageProfile())
                      .debit(fromMs, toMs, amount));
    }
  }
}
