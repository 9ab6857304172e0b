package io.millrace.ops.faults.evidence;

import io.millrace.schemas.campaign.SentTask;
import io.millrace.schemas.campaign.TasksSent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Attempts at tasks of a campaign that run in the job of another one, after it. */
public final class SentGroups {

  private final Map<String, String> leads = new HashMap<>();

  /**
   * @param facts the campaign ledger
   */
  public SentGroups(long campaign, List<LedgerEntry> facts) {
    for (LedgerEntry entry : facts) {
      if (entry.fact() instanceof TasksSent sent && sent.getCampaign() == campaign) {
        note(sent);
      }
    }
  }

  private void note(TasksSent sent) {
    Map<Integer, Integer> attempts = new HashMap<>();
    sent.getTasks().forEach(it -> attempts.put(it.getTask(), it.getAttempt()));
    for (SentTask task : sent.getTasks()) {
      if (task.getLead() >= 0) {
        int lead = task.getLead();
        leads.put(
            tag(sent.getCampaign(), task.getTask(), task.getAttempt()),
            tag(sent.getCampaign(), lead, attempts.getOrDefault(lead, 0)));
      }
    }
  }

  /** Campaign, task and attempt, as jobs have it. */
  public static String tag(long campaign, int task, int attempt) {
    return campaign + "." + task + "." + attempt;
  }

  /** The tag of the job of an attempt, which is its own in most cases. */
  public String job(String tag) {
    return leads.getOrDefault(tag, tag);
  }
}
