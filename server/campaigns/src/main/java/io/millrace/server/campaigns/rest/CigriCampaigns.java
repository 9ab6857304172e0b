package io.millrace.server.campaigns.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.campaign.AlterCampaign;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.DeleteCampaign;
import io.millrace.schemas.campaign.PurgeCampaign;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.ask.AdmissionGroups;
import io.millrace.server.campaigns.ask.CampaignSubmission;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.JdlSource;
import io.millrace.server.campaigns.ask.ShownCampaign;
import io.millrace.server.campaigns.core.PredictorWords;
import io.millrace.server.campaigns.core.pace.CampaignPace;
import io.millrace.server.campaigns.core.standing.JobStanding;
import io.millrace.server.campaigns.jdl.JdlReader;
import io.millrace.server.campaigns.jdl.JdlRefused;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.http.RequestTarget;
import io.millrace.server.web.route.Problem;
import io.millrace.server.web.route.RouteRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Campaigns, shown and changed. */
final class CigriCampaigns {

  private static final double MS_PER_S = 1_000;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PAUSED = "paused";
  private static final String GOES_ON = "in_treatment";

  private CigriCampaigns() {}

  /** A description that comes by itself: there is no host on which a file could be read. */
  private static final class SentJdl extends JdlSource {
    SentJdl(Call call) {
      super(call.invocation());
    }

    @Override
    public long lines(String path, Consumer<String> each) throws JdlRefused {
      throw JdlRefused.at(
          "/param_file", "is read where gridsub is called; here the lines come as params");
    }
  }

  /** The campaign of the path, if there is one and the caller may see it. */
  static Campaign campaign(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    String id = asked.variables().get("id");
    if (id.matches("\\d{1,18}")) {
      String path = "/campaigns/" + Long.parseLong(id);
      Campaign campaign = new DoorCall(call).find(path, Campaign.class).orElse(null);
      if (campaign != null && ShownCampaign.isSeen(call, campaign)) {
        return campaign;
      }
    }
    throw CigriRefusal.notFound("there is no campaign " + id);
  }

  static HttpAnswer list(RouteRequest asked, Call call)
      throws Failure, Problem, InterruptedException {
    CigriJson.PageRequest page = CigriJson.PageRequest.whole(asked);
    List<Campaign> all = new ArrayList<>();
    for (Campaign campaign : new DoorCall(call).campaigns()) {
      boolean goesOn = campaign.getEndedMs() < 0 && !campaign.getCancelled();
      if (goesOn && ShownCampaign.isSeen(call, campaign)) {
        all.add(campaign);
      }
    }
    ObjectNode body = CigriJson.object();
    ArrayNode items = body.putArray("items");
    page.of(all).forEach(campaign -> items.add(shown(campaign)));
    ArrayNode links = CigriJson.links(body, "/campaigns", "");
    page.complete(body, all.size(), "/campaigns", links);
    return CigriJson.answer(200, asked, body);
  }

  static HttpAnswer one(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    return CigriJson.answer(200, asked, withClusters(campaign(asked, call)));
  }

  private static String path(Campaign campaign) {
    return "/campaigns/" + campaign.getId();
  }

  private static ObjectNode shown(Campaign campaign) {
    ObjectNode node = CigriJson.object();
    node.put("id", campaign.getId());
    node.put("name", campaign.getName());
    node.put("user", campaign.getOwner());
    node.put("state", ShownCampaign.state(campaign));
    node.put("has_events", campaign.getOpenEvents() > 0);
    node.put("submission_time", campaign.getSubmittedMs() / (long) MS_PER_S);
    node.put("total_jobs", campaign.getTasks());
    node.put("finished_jobs", campaign.getDone());
    String path = path(campaign);
    ArrayNode links = CigriJson.links(node, path, "/campaigns");
    CigriJson.link(links, "collection", path + "/jobs").put("title", "jobs");
    CigriJson.link(links, "collection", path + "/events").put("title", "events");
    CigriJson.link(links, "item", path + "/jdl").put("title", "jdl");
    return node;
  }

  private static ObjectNode withClusters(Campaign campaign) {
    ObjectNode node = shown(campaign);
    ObjectNode clusters = node.putObject("clusters");
    for (CampaignCluster cluster : campaign.getClusters()) {
      clusters
          .putObject(cluster.getName())
          .put("cluster_name", cluster.getName())
          .put("active_jobs", cluster.getWaiting() + cluster.getRunning())
          .put("queued_jobs", cluster.getWaiting())
          .put("running_jobs", cluster.getRunning())
          .put("finished_jobs", cluster.getDone())
          .put("prologue_ok", cluster.getPrologue() == TaskStatus.DONE)
          .put("epilogue_ok", cluster.getEpilogue() == TaskStatus.DONE)
          .put("predictor", PredictorWords.of(cluster))
          .put("type", JobStanding.shown(cluster))
          .put("replicas", cluster.getReplicas())
          .put("replicas_counted", cluster.getReplicasDone())
          .put("blacklisted", cluster.getBlacklist() != 0);
    }
    return node;
  }

  static HttpAnswer submit(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, LinkException, QueryException, InterruptedException {
    SubmitCampaign command;
    try {
      command =
          new CampaignSubmission(call, new SentJdl(call), false)
              .command(new ByteArrayInputStream(asked.body()));
    } catch (JdlRefused e) {
      throw CigriRefusal.of(e);
    } catch (IOException e) {
      throw CigriRefusal.wrong("the description cannot be read: " + e.getMessage());
    }
    DoorCall door = new DoorCall(call);
    command.setGroups(AdmissionGroups.of(call, door));
    Reply reply = door.command(command);
    CigriRefusal.checkSubmission(reply);
    return created(asked, call, "/campaigns/" + reply.getLines().get(0));
  }

  /** A campaign that is new, or has something new. */
  static HttpAnswer created(RouteRequest asked, Call call, String path)
      throws CigriRefusal, Failure, InterruptedException {
    Campaign campaign = again(new DoorCall(call), path);
    return CigriJson.answer(201, asked, withClusters(campaign))
        .with("Location", CigriJson.BASE + path);
  }

  /** A campaign after a change; it can be forgotten since. */
  private static Campaign again(DoorCall door, String path)
      throws CigriRefusal, Failure, InterruptedException {
    return door.find(path, Campaign.class)
        .orElseThrow(
            () ->
                CigriRefusal.notFound(
                    "there is no campaign " + path.substring(path.lastIndexOf('/') + 1)));
  }

  /** CiGri takes a form; an object is taken too. */
  static Map<String, String> fields(RouteRequest asked) throws CigriRefusal {
    String text = new String(asked.body(), StandardCharsets.UTF_8).strip();
    Map<String, String> fields = new LinkedHashMap<>();
    try {
      if (text.startsWith("{")) {
        for (Map.Entry<String, JsonNode> field : JSON.readTree(text).properties()) {
          if (!field.getValue().isTextual()) {
            throw CigriRefusal.wrong("/" + field.getKey() + ": is no text");
          }
          fields.put(field.getKey(), field.getValue().textValue());
        }
      } else {
        RequestTarget.of("?" + text).query().forEach(it -> fields.put(it.name(), it.value()));
      }
      return fields;
    } catch (JsonProcessingException e) {
      String why = e.getOriginalMessage().lines().findFirst().orElse("");
      throw CigriRefusal.wrong("the body is no JSON: " + why);
    } catch (IllegalArgumentException e) {
      throw CigriRefusal.wrong("the body has a % that means nothing");
    }
  }

  static HttpAnswer change(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    AlterCampaign command = new AlterCampaign(call.meta(), 0L, null, null);
    for (Map.Entry<String, String> field : fields(asked).entrySet()) {
      String value = field.getValue();
      switch (field.getKey()) {
        case "name" -> command.setName(name(value));
        case "state" -> {
          if (!List.of(PAUSED, GOES_ON).contains(value)) {
            throw CigriRefusal.wrong("/state: is '" + value + "'; it takes paused, in_treatment");
          }
          command.setPaused(value.equals(PAUSED));
        }
        default ->
            throw CigriRefusal.wrong("/" + field.getKey() + ": is no field; it takes name, state");
      }
    }
    Campaign campaign = campaign(asked, call);
    command.setId(campaign.getId());
    DoorCall door = new DoorCall(call);
    CigriRefusal.check(door.command(command));
    Campaign changed = again(door, path(campaign));
    return CigriJson.answer(202, asked, withClusters(changed));
  }

  private static String name(String text) throws CigriRefusal {
    try {
      return JdlReader.name(text);
    } catch (JdlRefused e) {
      throw CigriRefusal.of(e);
    }
  }

  static HttpAnswer delete(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    boolean hold = CigriJson.given(asked, "hold");
    boolean resume = CigriJson.given(asked, "resume");
    boolean purge = CigriJson.given(asked, "purge");
    if (hold && resume || purge && (hold || resume)) {
      throw CigriRefusal.wrong("one of hold, resume and purge may be asked");
    }
    Campaign campaign = campaign(asked, call);
    if (purge) {
      CigriRefusal.check(
          new DoorCall(call).command(new PurgeCampaign(call.meta(), campaign.getId())));
      return CigriJson.accepted(asked, "Campaign " + campaign.getId() + " purged");
    }
    String state = ShownCampaign.state(campaign);
    String wanted = hold ? GOES_ON : resume ? PAUSED : state;
    if (!state.equals(wanted)) {
      throw CigriRefusal.wrong(
          "Can't " + (hold ? "hold (pause)" : "resume") + " a " + state + " campaign");
    }
    if (campaign.getCancelled()) {
      throw CigriRefusal.wrong("Campaign already cancelled.");
    }
    if (campaign.getEndedMs() >= 0) {
      throw CigriRefusal.wrong("Can't cancel a " + state + " campaign");
    }
    long id = campaign.getId();
    CigriRefusal.check(
        new DoorCall(call)
            .command(
                hold || resume
                    ? new AlterCampaign(call.meta(), id, null, hold)
                    : new DeleteCampaign(call.meta(), id)));
    String done = hold ? " paused" : resume ? " resumed" : " cancelled";
    return CigriJson.accepted(asked, "Campaign " + id + done);
  }

  /** Parameters are packed out a block at a time. */
  static HttpAnswer jdl(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    Campaign campaign = campaign(asked, call);
    if (!ShownCampaign.isSeenInFull(call, campaign)) {
      throw CigriRefusal.forbidden(
          "the description of campaign " + campaign.getId() + " is not yours");
    }
    ShownCampaign.Description text =
        ShownCampaign.Description.of(new DoorCall(call), campaign.getId());
    boolean pretty = CigriJson.pretty(asked);
    return HttpAnswer.written(
        CigriJson.MEDIA_TYPE,
        body -> text.write(pretty, new OutputStreamWriter(body, StandardCharsets.UTF_8)));
  }

  static HttpAnswer stats(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    Campaign campaign = campaign(asked, call);
    CampaignPace pace = CampaignPace.of(campaign, call.site().clock().millis());
    ObjectNode body = CigriJson.object();
    body.put("average_jobs_duration", pace.meanS());
    body.put("stddev_jobs_duration", pace.spreadS());
    body.put("jobs_throughput", pace.perS());
    body.put("remaining_time", pace.leftS());
    body.put("remaining_time_error", pace.leftErrorS());
    body.put("failures_rate", pace.failures());
    body.put("resubmit_rate", pace.again());
    body.put("resources_per_job", pace.processors());
    return CigriJson.answer(200, asked, body);
  }
}
