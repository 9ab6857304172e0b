package io.millrace.ops.faults.evidence;

import java.util.ArrayList;
import java.util.List;

/**
 * What is known of a campaign.
 *
 * @param id its number
 * @param tasks how many it has
 * @param lines what its tasks wrote
 * @param facts the campaign ledger
 * @param shown what {@code gridstat} says of it at the end
 */
public record CampaignEvidence(
    long id, int tasks, List<TaskLine> lines, List<LedgerEntry> facts, String shown) {

  public CampaignEvidence {
    lines = List.copyOf(lines);
    facts = List.copyOf(facts);
  }

  /**
   * The lines of all jobs, those of the campaign's tasks among them; of several that run in one job
   * the line of the first.
   */
  public List<JobLine> with(List<JobLine> others) {
    List<JobLine> all = new ArrayList<>(others);
    SentGroups groups = new SentGroups(id, facts);
    for (TaskLine line : lines) {
      String tag = SentGroups.tag(id, line.task(), line.attempt());
      if (groups.job(tag).equals(tag)) {
        all.add(line.ofJob(id));
      }
    }
    return all;
  }
}
