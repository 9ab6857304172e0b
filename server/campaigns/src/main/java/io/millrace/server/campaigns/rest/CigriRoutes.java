package io.millrace.server.campaigns.rest;

import static io.millrace.server.campaigns.rest.CigriJson.BASE;
import static io.millrace.server.campaigns.rest.CigriJson.LIMIT;
import static io.millrace.server.campaigns.rest.CigriJson.OFFSET;
import static io.millrace.server.campaigns.rest.CigriJson.PRETTY;
import static io.millrace.server.campaigns.rest.CigriJson.WHOLE;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.route.Callers;
import io.millrace.server.web.route.Problem;
import io.millrace.server.web.route.Route;
import io.millrace.server.web.route.Route.Parameter;
import io.millrace.server.web.route.Route.RouteFacts;
import io.millrace.server.web.route.RouteRequest;
import io.millrace.server.web.route.RouteSet;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** CiGri's paths. */
public final class CigriRoutes implements RouteSet {

  private static final String NAME = "cigri";
  private static final int CREATED = 201;
  private static final int ACCEPTED = 202;

  private static final Parameter ID = Parameter.path("id", "number of the campaign");
  private static final Parameter EVENT = Parameter.path("id", "number of the event");
  private static final Parameter RESUBMIT =
      Parameter.query("resubmit", "string", "their tasks are tried again");
  private static final Parameter ALL =
      Parameter.query("all", "string", "those that are closed too");

  /** Carries out a request of a verified caller. */
  interface CigriWork {
    HttpAnswer answer(RouteRequest asked, Call call)
        throws CigriRefusal,
            Failure,
            Problem,
            LinkException,
            QueryException,
            IOException,
            InterruptedException;
  }

  @Override
  public InputStream schemas() {
    return CigriRoutes.class.getResourceAsStream("schemas.json");
  }

  private static Route route(
      Callers callers, String asks, String summary, RouteFacts facts, CigriWork work) {
    int space = asks.indexOf(' ');
    return new Route(
        asks.substring(0, space),
        BASE + asks.substring(space + 1),
        summary,
        facts,
        asked -> callers.carryOut(asked, NAME, call -> answer(asked, call, work)));
  }

  private static HttpAnswer answer(RouteRequest asked, Call call, CigriWork work)
      throws Problem, LinkException, QueryException, IOException, InterruptedException {
    try {
      return work.answer(asked, call);
    } catch (CigriRefusal e) {
      return e.answer(asked);
    } catch (Failure e) {
      return CigriRefusal.of(e, NAME).answer(asked);
    }
  }

  @Override
  public List<Route> routes(Callers callers) {
    List<Route> all = new ArrayList<>();
    all.add(
        route(
            callers,
            "GET ",
            "What there is of campaigns",
            RouteFacts.of("CigriLinks", PRETTY),
            CigriRoutes::root));
    campaigns(callers, all);
    parts(callers, all);
    events(callers, all);
    notifications(callers, all);
    all.add(
        route(
            callers,
            "GET /clusters",
            "The queues to which campaigns may send tasks",
            RouteFacts.of("CigriList", WHOLE, OFFSET, PRETTY),
            CigriClusters::list));
    all.add(
        route(
            callers,
            "GET /clusters/{id}",
            "A cluster",
            RouteFacts.of("CigriCluster", Parameter.path("id", "name of the queue"), PRETTY),
            CigriClusters::one));
    all.add(
        route(
            callers,
            "GET /gridusage",
            "Processors of the clusters, and who uses them now",
            RouteFacts.of(
                "CigriList",
                Parameter.query(
                    "from", "integer", "seconds since 1970; of the past nothing is kept"),
                Parameter.query("to", "integer", "seconds since 1970"),
                PRETTY),
            CigriClusters::usage));
    units(callers, all);
    return List.copyOf(all);
  }

  private static void units(Callers callers, List<Route> all) {
    Parameter unit = Parameter.path("id", "CAMPAIGN.JOB");
    all.add(
        route(
            callers,
            "GET /jobs/{id}",
            "A task, by its number among all",
            RouteFacts.of("CigriJob", unit, PRETTY),
            CigriUnits::one));
    all.add(
        route(
            callers,
            "DELETE /jobs/{id}",
            "Ends a task, which is not tried again",
            RouteFacts.of("CigriMessage", unit, PRETTY).with(ACCEPTED),
            CigriUnits::delete));
    for (String part : List.of("stdout", "stderr")) {
      all.add(
          route(
              callers,
              "GET /jobs/{id}/" + part,
              "Says where its " + part + " is read",
              RouteFacts.of("CigriMessage", unit, PRETTY),
              CigriUnits::output));
    }
    all.add(
        route(
            callers,
            "GET /jobs/{id}/cinfos",
            "What qstat -f shows of its job",
            RouteFacts.of("CigriFields", unit, PRETTY),
            CigriUnits::schedulerInfos));
    all.add(
        route(
            callers,
            "POST /events",
            "Keeps all campaigns from a cluster",
            RouteFacts.of("CigriMessage", PRETTY).repeatable("CigriNewEvent").with(CREATED),
            CigriUnits::stop));
    tokens(callers, all);
  }

  private static void tokens(Callers callers, List<Route> all) {
    all.add(
        route(
            callers,
            "GET /tokens",
            "Tokens of the caller for clusters: none, since no cluster takes any",
            RouteFacts.of("CigriList", PRETTY),
            CigriUnits::tokens));
    all.add(
        route(
            callers,
            "POST /tokens",
            "Refused: no cluster takes tokens of users",
            RouteFacts.of("CigriMessage", PRETTY).repeatable("CigriToken").with(CREATED),
            CigriUnits::noToken));
    all.add(
        route(
            callers,
            "DELETE /tokens/{id}",
            "Refused: no cluster takes tokens of users",
            RouteFacts.of("CigriMessage", Parameter.path("id", "name of the queue"), PRETTY)
                .with(ACCEPTED),
            CigriUnits::noToken));
  }

  private static void campaigns(Callers callers, List<Route> all) {
    all.add(
        route(
            callers,
            "GET /campaigns",
            "Campaigns that go on",
            RouteFacts.of("CigriCampaigns", WHOLE, OFFSET, PRETTY),
            CigriCampaigns::list));
    all.add(
        route(
            callers,
            "POST /campaigns",
            "Submits a campaign",
            RouteFacts.of("CigriCampaign", PRETTY).repeatable("CigriJdl").with(CREATED),
            CigriCampaigns::submit));
    all.add(
        route(
            callers,
            "GET /campaigns/{id}",
            "A campaign with its clusters",
            RouteFacts.of("CigriCampaign", ID, PRETTY),
            CigriCampaigns::one));
    all.add(
        route(
            callers,
            "PUT /campaigns/{id}",
            "Renames a campaign, has it pause or go on",
            RouteFacts.of("CigriCampaign", ID, PRETTY).repeatable("CigriChange").with(ACCEPTED),
            CigriCampaigns::change));
    all.add(
        route(
            callers,
            "DELETE /campaigns/{id}",
            "Ends a campaign with its jobs",
            RouteFacts.of(
                    "CigriMessage",
                    ID,
                    Parameter.query("hold", "string", "has it pause instead"),
                    Parameter.query("resume", "string", "has it go on instead"),
                    Parameter.query("purge", "string", "forgets one that has ended instead"),
                    PRETTY)
                .with(ACCEPTED),
            CigriCampaigns::delete));
  }

  private static void parts(Callers callers, List<Route> all) {
    all.add(
        route(
            callers,
            "GET /campaigns/{id}/jdl",
            "The description of a campaign, as it was sent",
            RouteFacts.of("CigriJdl", ID, PRETTY),
            CigriCampaigns::jdl));
    all.add(
        route(
            callers,
            "GET /campaigns/{id}/stats",
            "How its tasks went so far",
            RouteFacts.of("CigriStats", ID, PRETTY),
            CigriCampaigns::stats));
    all.add(
        route(
            callers,
            "GET /campaigns/{id}/jobs",
            "Its tasks, in the order of their numbers",
            RouteFacts.of("CigriJobs", ID, LIMIT, OFFSET, PRETTY),
            CigriJobs::list));
    all.add(
        route(
            callers,
            "POST /campaigns/{id}/jobs",
            "Adds tasks to a campaign: a list of their lines",
            RouteFacts.of("CigriCampaign", ID, PRETTY).repeatable("CigriMoreJobs").with(CREATED),
            CigriJobs::add));
    all.add(
        route(
            callers,
            "GET /campaigns/{id}/jobs/finished",
            "Those of some neighbouring tasks that are over",
            RouteFacts.of("CigriJobs", ID, LIMIT, OFFSET, PRETTY),
            CigriJobs::finished));
    all.add(
        route(
            callers,
            "GET /campaigns/{id}/jobs/{job}",
            "A task",
            RouteFacts.of("CigriJob", ID, Parameter.path("job", "number of the task"), PRETTY),
            CigriJobs::one));
  }

  private static void events(Callers callers, List<Route> all) {
    all.add(
        route(
            callers,
            "GET /campaigns/{id}/events",
            "What went wrong with it and is not fixed",
            RouteFacts.of("CigriEvents", ID, ALL, LIMIT, OFFSET, PRETTY),
            CigriEvents::ofCampaign));
    all.add(
        route(
            callers,
            "DELETE /campaigns/{id}/events",
            "Closes all events of a campaign",
            RouteFacts.of("CigriMessage", ID, RESUBMIT, PRETTY).with(ACCEPTED),
            CigriEvents::fixAll));
    all.add(
        route(
            callers,
            "GET /events",
            "What concerns all campaigns and is not fixed",
            RouteFacts.of("CigriEvents", ALL, LIMIT, OFFSET, PRETTY),
            CigriEvents::ofAll));
    all.add(
        route(
            callers,
            "GET /events/{id}",
            "An event",
            RouteFacts.of("CigriEvent", EVENT, PRETTY),
            CigriEvents::one));
    all.add(
        route(
            callers,
            "DELETE /events/{id}",
            "Closes an event",
            RouteFacts.of("CigriMessage", EVENT, RESUBMIT, PRETTY).with(ACCEPTED),
            CigriEvents::fix));
  }

  private static void notifications(Callers callers, List<Route> all) {
    Parameter type = Parameter.path("type", "mail");
    all.add(
        route(
            callers,
            "GET /notifications",
            "To which addresses of the caller mail about campaigns goes",
            RouteFacts.of("CigriNotifications", PRETTY),
            CigriNotifications::list));
    all.add(
        route(
            callers,
            "POST /notifications/{type}",
            "Has mail sent to an address, or changes its severity",
            RouteFacts.of("CigriMessage", type, PRETTY)
                .repeatable("CigriNotification")
                .with(CREATED),
            CigriNotifications::subscribe));
    all.add(
        route(
            callers,
            "DELETE /notifications/{type}",
            "Sends no more mail to an address",
            RouteFacts.of(
                    "CigriMessage",
                    type,
                    Parameter.query("identity", "string", "the address"),
                    PRETTY)
                .with(ACCEPTED),
            CigriNotifications::unsubscribe));
  }

  private static HttpAnswer root(RouteRequest asked, Call call) {
    ObjectNode body = CigriJson.object();
    ArrayNode links = body.putArray("links");
    CigriJson.link(links, "self", "");
    for (String name : List.of("campaigns", "clusters", "events", "gridusage", "notifications")) {
      CigriJson.link(links, "collection", "/" + name).put("title", name);
    }
    return CigriJson.answer(200, asked, body);
  }
}
