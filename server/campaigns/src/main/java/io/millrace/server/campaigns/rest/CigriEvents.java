package io.millrace.server.campaigns.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.FixEvents;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.ShownCampaign;
import io.millrace.server.campaigns.core.EventCode;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.route.Problem;
import io.millrace.server.web.route.RouteRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What went wrong, shown and closed. */
final class CigriEvents {

  private CigriEvents() {}

  static HttpAnswer ofCampaign(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, Problem, InterruptedException {
    Campaign campaign = CigriCampaigns.campaign(asked, call);
    return list(asked, call, "/campaigns/" + campaign.getId());
  }

  static HttpAnswer ofAll(RouteRequest asked, Call call)
      throws Failure, Problem, InterruptedException {
    return list(asked, call, "");
  }

  private static HttpAnswer list(RouteRequest asked, Call call, String parent)
      throws Failure, Problem, InterruptedException {
    CigriJson.PageRequest page = CigriJson.PageRequest.of(asked);
    boolean all = CigriJson.given(asked, "all");
    String path = parent + "/events";
    List<CampaignEvent> events =
        new DoorCall(call)
            .list(path, CampaignEvent.class).stream()
                .filter(it -> all || it.getClosedMs() < 0)
                .toList();
    ObjectNode body = CigriJson.object();
    ArrayNode items = body.putArray("items");
    page.of(events).forEach(event -> items.add(shown(event)));
    ArrayNode links = CigriJson.links(body, path, parent);
    page.complete(body, events.size(), all ? path + "?all=1" : path, links);
    return CigriJson.answer(200, asked, body);
  }

  /** Its fields. */
  static ObjectNode shown(CampaignEvent event) {
    ObjectNode node = CigriJson.object();
    node.put("id", event.getId());
    node.put("class", event.getTask() >= 0 ? "job" : "cluster");
    node.put("code", event.getCode());
    node.put("state", event.getClosedMs() < 0 ? "open" : "closed");
    node.put("campaign_id", event.getCampaign() == 0 ? null : event.getCampaign());
    node.put("job_id", event.getTask() < 0 ? null : event.getTask());
    node.put("remote_id", event.getJobId().isEmpty() ? null : event.getJobId());
    node.put("cluster_id", event.getCluster());
    node.put("cluster_name", event.getCluster());
    node.put("date_open", time(event.getOpenedMs()));
    node.put("date_closed", event.getClosedMs() < 0 ? null : time(event.getClosedMs()));
    node.put("message", event.getMessage());
    node.put("parent", event.getBecause() == 0 ? null : event.getBecause());
    if (event.getClosedMs() < 0) {
      node.put("cure", EventCode.cure(event));
    }
    return node;
  }

  static String time(long atMs) {
    return Instant.ofEpochMilli(atMs).truncatedTo(ChronoUnit.SECONDS).toString();
  }

  /** The event of the path; those of campaigns are for whoever sees the campaign. */
  private static CampaignEvent event(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    String id = asked.variables().get("id");
    if (id.matches("\\d{1,18}")) {
      DoorCall door = new DoorCall(call);
      CampaignEvent event =
          door.find("/events/" + Long.parseLong(id), CampaignEvent.class).orElse(null);
      boolean seen =
          event != null
              && (event.getCampaign() == 0
                  || door.find("/campaigns/" + event.getCampaign(), Campaign.class)
                      .filter(campaign -> ShownCampaign.isSeen(call, campaign))
                      .isPresent());
      if (seen) {
        return event;
      }
    }
    throw CigriRefusal.notFound("there is no event " + id);
  }

  static HttpAnswer one(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    CampaignEvent event = event(asked, call);
    ObjectNode body = shown(event);
    CigriJson.links(body, "/events/" + event.getId(), "/events");
    return CigriJson.answer(200, asked, body);
  }

  static HttpAnswer fix(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    long id = event(asked, call).getId();
    fix(asked, call, 0, id);
    return CigriJson.accepted(asked, "Event " + id + " closed");
  }

  static HttpAnswer fixAll(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    long id = CigriCampaigns.campaign(asked, call).getId();
    fix(asked, call, id, 0);
    return CigriJson.accepted(asked, "Campaign " + id + " events closed");
  }

  private static void fix(RouteRequest asked, Call call, long campaign, long event)
      throws CigriRefusal, Failure, InterruptedException {
    boolean again = CigriJson.given(asked, "resubmit");
    FixEvents command = new FixEvents(call.meta(), campaign, event, again, 0L);
    CigriRefusal.check(new DoorCall(call).command(command));
  }
}
