package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.ShownTask;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.ShownCampaign;
import io.millrace.server.campaigns.ask.TaskNumber;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import java.util.List;

/** Tasks of a campaign as gridstat -f prints them, with CiGri's lines. */
final class JobLines {

  private static final int PAGE = 100;

  /** As many follow on the first as CiGri's gridstat asks for. */
  private static final int PAGES = 11;

  private static final String NOTHING = "*";

  private JobLines() {}

  /** Prints tasks from one on, and says where the next ones begin. */
  static void append(Call call, DoorCall door, Campaign campaign, int offset, StringBuilder out)
      throws Failure, InterruptedException {
    boolean full = ShownCampaign.isSeenInFull(call, campaign);
    int next = offset;
    for (int page = 0; page < PAGES && next < campaign.getTasks(); page++) {
      String path = "/campaigns/" + campaign.getId() + "/tasks/" + next + "/" + PAGE;
      List<ShownTask> tasks = door.list(path, ShownTask.class);
      tasks.forEach(task -> append(campaign, task, full, out));
      if (tasks.isEmpty()) {
        return; // it is forgotten since
      }
      next += tasks.size();
    }
    if (next < campaign.getTasks()) {
      call.complain("there are more: -o " + next + " shows the next ones");
    }
  }

  private static void append(Campaign campaign, ShownTask task, boolean full, StringBuilder out) {
    String line = full ? task.getParameters() : null;
    String end = line == null ? "*,*" : TaskNumber.name(line) + "," + line;
    String number = new TaskNumber(campaign.getId(), task.getTask()).toString();
    String head = "  " + task.getTask() + ": " + number + ",";
    out.append(head).append(known(task.getJobId()));
    out.append(',').append(TaskNumber.state(task.getStatus()));
    out.append(',').append(known(task.getCluster())).append(',').append(end);
    out.append(task.getLead() < 0 ? "" : " (after " + task.getLead() + ")");
    out.append(task.getAttempt() > 1 ? " (attempt " + task.getAttempt() + ")" : "").append('\n');
    OpenTask replica = task.getReplica();
    if (replica != null) {
      out.append(head).append(known(replica.getJobId()));
      out.append(',').append(TaskNumber.state(replica.getStatus()));
      out.append(',').append(known(replica.getCluster())).append(',').append(end);
      out.append(replica.getDropped() ? " (dropped)" : " (replica)").append('\n');
    }
  }

  private static String known(String text) {
    return text.isEmpty() ? NOTHING : text;
  }
}
