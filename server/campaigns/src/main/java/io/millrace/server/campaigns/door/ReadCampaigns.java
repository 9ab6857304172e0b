package io.millrace.server.campaigns.door;

import io.millrace.server.campaigns.core.CampaignState;
import io.millrace.server.campaigns.core.table.CampaignTable;

/** All campaigns as they were a moment ago: many ask, and to read them takes time. */
final class ReadCampaigns {

  private static final long FRESH_MS = 2_000;

  private CampaignState state;
  private long readMs;

  /** Those of the table of this process; not to be changed. */
  CampaignState of(CampaignTable table, long nowMs) {
    if (state == null || nowMs < readMs || nowMs >= readMs + FRESH_MS) {
      state = new CampaignState(table);
      readMs = nowMs;
    }
    return state;
  }
}
