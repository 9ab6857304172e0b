package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.CampaignEvidence;
import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.TaskStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks that each task of a campaign was counted as done once, and that gridstat says so. */
final class TaskCheck {

  private static final String GRIDSTAT = "gridstat";
  private static final Pattern PROGRESS = Pattern.compile("Progress: (\\d+)/(\\d+) ");
  private static final Pattern FINISHED = Pattern.compile("finished_jobs: (\\d+)");
  private static final Pattern STATE = Pattern.compile("State: (.*)");

  private final CampaignEvidence campaign;
  private final Defects defects;

  TaskCheck(CampaignEvidence campaign, Defects defects) {
    this.campaign = campaign;
    this.defects = defects;
  }

  static String subject(int task) {
    return "task " + task;
  }

  void run() {
    Map<Integer, List<LedgerEntry>> done = new TreeMap<>();
    boolean over = false;
    for (LedgerEntry entry : campaign.facts()) {
      if (entry.fact() instanceof AttemptEnded end && end.getCampaign() == campaign.id()) {
        if (end.getStatus() == TaskStatus.DONE) {
          done.computeIfAbsent(end.getTask(), task -> new ArrayList<>()).add(entry);
        } else if (end.getStatus() != TaskStatus.WAITING) {
          failed(entry, end);
        }
      } else if (entry.fact() instanceof CampaignEnded end && end.getCampaign() == campaign.id()) {
        over = true;
      }
    }
    for (int task = 0; task < campaign.tasks(); task++) {
      if (!done.containsKey(task)) {
        defects.lost(subject(task), "was never counted as done");
      }
    }
    done.forEach(
        (task, ends) -> {
          if (ends.size() > 1) {
            defects.countedTwice(
                subject(task), "was counted as done " + ends.size() + " times: " + ends);
          }
          if (task >= campaign.tasks()) {
            defects.unexplained(subject(task), "was counted, and there is no such task: " + ends);
          }
        });
    shown(done.values().stream().mapToInt(List::size).sum(), over);
  }

  private void failed(LedgerEntry entry, AttemptEnded end) {
    String how = "attempt " + end.getAttempt() + " ended as " + end.getStatus() + ": " + entry;
    String why = end.getWhy().isEmpty() ? "" : ", " + end.getWhy();
    defects.unexplained(subject(end.getTask()), how + ", exit status " + end.getExitStatus() + why);
  }

  /** What a user is told agrees with the ledger. */
  private void shown(int counted, boolean over) {
    int done = number(PROGRESS);
    int finished = 0;
    Matcher clusters = FINISHED.matcher(campaign.shown());
    while (clusters.find()) {
      finished += Integer.parseInt(clusters.group(1));
    }
    if (done != counted || finished != counted) {
      String told = GRIDSTAT + " says " + done + ", of its clusters " + finished;
      defects.unexplained(GRIDSTAT, told + "; the campaign ledger has " + counted + " tasks done");
    }
    if (done > campaign.tasks()) {
      defects.countedTwice(GRIDSTAT, "says " + done + " of " + campaign.tasks() + " tasks");
    }
    Matcher state = STATE.matcher(campaign.shown());
    String told = state.find() ? state.group(1).strip() : "nothing";
    if (over != told.equals("terminated")) {
      String truth = over ? "has ended" : "has not ended";
      defects.unexplained(GRIDSTAT, "says '" + told + "', and the campaign " + truth);
    }
  }

  private int number(Pattern pattern) {
    Matcher found = pattern.matcher(campaign.shown());
    return found.find() ? Integer.parseInt(found.group(1)) : -1;
  }
}
