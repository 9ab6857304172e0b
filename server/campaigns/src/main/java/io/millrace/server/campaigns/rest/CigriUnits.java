package io.millrace.server.campaigns.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.DeleteTask;
import io.millrace.schemas.campaign.ShownTask;
import io.millrace.schemas.campaign.StopCluster;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.ShownCampaign;
import io.millrace.server.campaigns.ask.TaskNumber;
import io.millrace.server.campaigns.ask.TaskOutput;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.route.RouteRequest;
import java.util.List;

/** CiGri's paths that name a job or a cluster without its campaign. */
final class CigriUnits {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** The second is what CiGri's gridevents sends. */
  private static final List<String> STOPS = List.of("BLACKLIST", "CLUSTER_MANUALLY_DISABLED");

  private CigriUnits() {}

  /** A task with its campaign. */
  private record Unit(Campaign campaign, ShownTask task) {}

  private static Unit unit(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    String id = asked.variables().get("id");
    TaskNumber number = TaskNumber.parse(id).orElse(null);
    DoorCall door = new DoorCall(call);
    if (number != null) {
      Campaign campaign =
          door.find("/campaigns/" + number.campaign(), Campaign.class)
              .filter(it -> ShownCampaign.isSeen(call, it))
              .orElse(null);
      ShownTask task =
          campaign == null
              ? null
              : door.find(number.path(), ShownTask.class)
                  .filter(it -> it.getTask() == number.task())
                  .orElse(null);
      if (task != null) {
        return new Unit(campaign, task);
      }
    }
    throw CigriRefusal.notFound("there is no job " + id + "; its number is CAMPAIGN.JOB");
  }

  static HttpAnswer one(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    Unit unit = unit(asked, call);
    boolean full = ShownCampaign.isSeenInFull(call, unit.campaign);
    ObjectNode body = CigriJobs.shown(unit.campaign, unit.task, full);
    body.put("campaign_id", unit.campaign.getId());
    String cluster = unit.task.getCluster();
    body.put("cluster_name", cluster.isEmpty() ? null : cluster);
    CigriJson.links(body, "/jobs/" + asked.variables().get("id"), "/jobs");
    return CigriJson.answer(200, asked, body);
  }

  static HttpAnswer delete(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    Unit unit = unit(asked, call);
    long campaign = unit.campaign.getId();
    CigriRefusal.check(
        new DoorCall(call).command(new DeleteTask(call.meta(), campaign, unit.task.getTask())));
    return CigriJson.accepted(asked, "Job " + asked.variables().get("id") + " is being cancelled");
  }

  /** This process may not read what only its owner may. */
  static HttpAnswer output(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    unit(asked, call);
    throw CigriRefusal.wrong(
        "nobody's files are read at this door; gridstat -j "
            + asked.variables().get("id")
            + " with -O or -E reads them as whoever calls it");
  }

  static HttpAnswer schedulerInfos(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, QueryException, InterruptedException {
    Unit unit = unit(asked, call);
    ObjectNode body = CigriJson.object();
    TaskOutput.attributes(call, unit.task).forEach(it -> body.put(it.fullName(), it.value()));
    return CigriJson.answer(200, asked, body);
  }

  /** CiGri's one way to make an event: an administrator stops a cluster. */
  static HttpAnswer stop(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    JsonNode event;
    try {
      event = JSON.readTree(asked.body());
    } catch (JsonProcessingException e) {
      throw CigriRefusal.wrong("the body is no JSON");
    } catch (java.io.IOException e) {
      throw CigriRefusal.wrong("the body cannot be read");
    }
    String cluster = event == null ? "" : event.path("cluster_id").asText("");
    if (event != null && event.has("job_id")) {
      throw CigriRefusal.at(
          "/job_id",
          "a job has no event of this kind here: how it ended is heard from its shard; DELETE"
              + " /jobs/C.N ends one");
    }
    if (event == null || !STOPS.contains(event.path("code").asText("")) || cluster.isEmpty()) {
      throw CigriRefusal.wrong("an event has the code BLACKLIST and a cluster_id here");
    }
    if (call.site().cluster().find(ObjectKind.QUEUE, cluster).isEmpty()) {
      throw CigriRefusal.at("/cluster_id", "there is no cluster " + cluster);
    }
    String why = event.path("message").asText("");
    CigriRefusal.check(new DoorCall(call).command(new StopCluster(call.meta(), cluster, why)));
    ObjectNode body = CigriJson.object();
    body.put("status", 201).put("title", "Created").put("message", "New event created");
    return CigriJson.answer(201, asked, body);
  }

  /** A user has no tokens for clusters: who he is there is said by their files and by MUNGE. */
  static HttpAnswer tokens(RouteRequest asked, Call call) {
    ObjectNode body = CigriJson.object();
    body.putArray("items");
    body.put("total", 0);
    CigriJson.links(body, "/tokens", "");
    return CigriJson.answer(200, asked, body);
  }

  static HttpAnswer noToken(RouteRequest asked, Call call) throws CigriRefusal {
    throw CigriRefusal.forbidden(
        "no cluster takes tokens of users here: who they are there is said by the cluster's file");
  }
}
