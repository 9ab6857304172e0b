package io.millrace.server.campaigns.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.ShownTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.ShownCampaign;
import io.millrace.server.campaigns.ask.TaskAddition;
import io.millrace.server.campaigns.ask.TaskNumber;
import io.millrace.server.campaigns.jdl.JdlRefused;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.route.Problem;
import io.millrace.server.web.route.RouteRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Tasks of a campaign, which CiGri calls jobs. */
final class CigriJobs {

  private static final Set<TaskStatus> OVER =
      EnumSet.of(TaskStatus.DONE, TaskStatus.EVENT, TaskStatus.FAILED);

  private static final double MS_PER_S = 1_000;

  private CigriJobs() {}

  private static String tasks(Campaign campaign, long first, int most) {
    return "/campaigns/" + campaign.getId() + "/tasks/" + first + "/" + most;
  }

  /**
   * A task.
   *
   * @param full with its parameters, if they are known still
   */
  static ObjectNode shown(Campaign campaign, ShownTask task, boolean full) {
    ObjectNode node = CigriJson.object();
    String line = full ? task.getParameters() : null;
    node.put("id", task.getTask());
    node.put("name", line == null ? null : TaskNumber.name(line));
    node.put("parameters", line);
    node.put("state", TaskNumber.state(task.getStatus()));
    node.put("cluster", task.getCluster().isEmpty() ? null : task.getCluster());
    node.put("cigri_job_id", new TaskNumber(campaign.getId(), task.getTask()).toString());
    node.put("remote_id", task.getJobId().isEmpty() ? null : task.getJobId());
    node.put("attempt", task.getAttempt());
    node.put("run_time", task.getRunMs() < 0 ? null : task.getRunMs() / MS_PER_S);
    OpenTask replica = task.getReplica();
    if (replica != null) {
      node.putObject("replica")
          .put("state", TaskNumber.state(replica.getStatus()))
          .put("cluster", replica.getCluster())
          .put("remote_id", replica.getJobId().isEmpty() ? null : replica.getJobId())
          .put("attempt", replica.getAttempt())
          .put("dropped", replica.getDropped());
    }
    return node;
  }

  static HttpAnswer list(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, Problem, InterruptedException {
    CigriJson.PageRequest page = CigriJson.PageRequest.of(asked);
    Campaign campaign = CigriCampaigns.campaign(asked, call);
    boolean full = ShownCampaign.isSeenInFull(call, campaign);
    String path = "/campaigns/" + campaign.getId() + "/jobs";
    ObjectNode body = CigriJson.object();
    ArrayNode items = body.putArray("items");
    String asks = tasks(campaign, page.offset(), page.limit());
    List<ShownTask> tasks = new DoorCall(call).list(asks, ShownTask.class);
    for (ShownTask task : tasks) {
      items.add(shown(campaign, task, full).put("href", path + "/" + task.getTask()));
    }
    ArrayNode links = CigriJson.links(body, path, "/campaigns/" + campaign.getId());
    page.complete(body, tasks.size(), campaign.getTasks(), path, links);
    return CigriJson.answer(200, asked, body);
  }

  /** Further ones: a list of their lines. They run as the owner, so that nobody else adds any. */
  static HttpAnswer add(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    Campaign campaign = CigriCampaigns.campaign(asked, call);
    if (!campaign.getOwner().equals(call.invocation().user())) {
      throw CigriRefusal.forbidden("campaign " + campaign.getId() + " is not yours");
    }
    try {
      Reply reply = new TaskAddition(call).add(campaign, new ByteArrayInputStream(asked.body()));
      CigriRefusal.checkSubmission(reply);
    } catch (JdlRefused e) {
      throw CigriRefusal.of(e);
    } catch (IOException e) {
      throw CigriRefusal.wrong("the list cannot be read: " + e.getMessage());
    }
    return CigriCampaigns.created(asked, call, "/campaigns/" + campaign.getId());
  }

  /** Those that are over, of some neighbouring tasks; CiGri's gridclean looks at them. */
  static HttpAnswer finished(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, Problem, InterruptedException {
    CigriJson.PageRequest page = CigriJson.PageRequest.of(asked);
    Campaign campaign = CigriCampaigns.campaign(asked, call);
    boolean full = ShownCampaign.isSeenInFull(call, campaign);
    String path = "/campaigns/" + campaign.getId() + "/jobs";
    ObjectNode body = CigriJson.object();
    ArrayNode items = body.putArray("items");
    String asks = tasks(campaign, page.offset(), page.limit());
    List<ShownTask> tasks = new DoorCall(call).list(asks, ShownTask.class);
    for (ShownTask task : tasks) {
      if (OVER.contains(task.getStatus())) {
        ObjectNode shown = shown(campaign, task, full).put("href", path + "/" + task.getTask());
        items.add(shown.set("cluster_id", shown.get("cluster")));
      }
    }
    ArrayNode links = CigriJson.links(body, path + "/finished", path);
    page.complete(body, tasks.size(), campaign.getTasks(), path + "/finished", links);
    return CigriJson.answer(200, asked, body);
  }

  static HttpAnswer one(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    Campaign campaign = CigriCampaigns.campaign(asked, call);
    String number = asked.variables().get("job");
    ShownTask task = null;
    if (number.matches("\\d{1,9}") && Integer.parseInt(number) < campaign.getTasks()) {
      String asks = tasks(campaign, Integer.parseInt(number), 1);
      // The campaign can be forgotten since it was found.
      task = new DoorCall(call).find(asks, ShownTask.class).orElse(null);
    }
    if (task == null) {
      String what = "there is no job " + number + " of campaign " + campaign.getId();
      throw CigriRefusal.notFound(what);
    }
    ObjectNode body = shown(campaign, task, ShownCampaign.isSeenInFull(call, campaign));
    String jobs = "/campaigns/" + campaign.getId() + "/jobs";
    CigriJson.links(body, jobs + "/" + task.getTask(), jobs);
    return CigriJson.answer(200, asked, body);
  }
}
