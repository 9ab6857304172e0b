package io.millrace.server.campaigns.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.cluster.QueueUse;
import io.millrace.server.campaigns.cluster.SeenCluster;
import io.millrace.server.campaigns.core.pace.ClusterStress;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.ClusterView;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.route.Problem;
import io.millrace.server.web.route.RouteRequest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Queues to which campaigns may send tasks; a queue's name is its id. */
final class CigriClusters {

  private static final long MS_PER_S = 1_000;

  private CigriClusters() {}

  private static List<QueueUse> queues(Call call)
      throws Failure, QueryException, InterruptedException {
    List<Campaign> campaigns = new DoorCall(call).campaigns();
    return QueueUse.all(call.site().cluster(), call.site().queries().nodes(), campaigns);
  }

  private static String path(String name) {
    return "/clusters/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
  }

  static HttpAnswer list(RouteRequest asked, Call call)
      throws Failure, Problem, QueryException, InterruptedException {
    CigriJson.PageRequest page = CigriJson.PageRequest.whole(asked);
    List<QueueUse> all = queues(call);
    ObjectNode body = CigriJson.object();
    ArrayNode items = body.putArray("items");
    for (QueueUse use : page.of(all)) {
      String name = use.queue().getName();
      ObjectNode item = items.addObject().put("id", name).put("name", name);
      CigriJson.links(item, path(name), "/clusters");
    }
    ArrayNode links = CigriJson.links(body, "/clusters", "");
    page.complete(body, all.size(), "/clusters", links);
    return CigriJson.answer(200, asked, body);
  }

  static HttpAnswer one(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, QueryException, InterruptedException {
    String name = asked.variables().get("id");
    QueueUse use =
        queues(call).stream()
            .filter(it -> it.queue().getName().equals(name))
            .findFirst()
            .orElseThrow(() -> CigriRefusal.notFound("there is no cluster " + name));
    ClusterObject queue = use.queue();
    SeenCluster seen = use.seen();
    ObjectNode body = CigriJson.object();
    body.put("id", name);
    body.put("name", name);
    body.put("partition", Site.partitionOf(queue));
    body.put("batch", "millrace");
    body.put("ssh_host", call.site().server());
    ClusterLoad load =
        new DoorCall(call)
            .list("/loads", ClusterLoad.class).stream()
                .filter(it -> it.getName().equals(name))
                .findFirst()
                .orElse(seen.load());
    body.put("stress_factor", ClusterStress.shown(load));
    body.put("under_stress", ClusterStress.tooMuch(load));
    body.put("resource_unit", "ncpus");
    for (String attribute : List.of("enabled", "started")) {
      boolean value = ClusterView.attribute(queue, attribute).filter("True"::equals).isPresent();
      body.put(attribute, value);
    }
    body.put("blacklisted", !seen.code().isEmpty());
    if (!seen.code().isEmpty()) {
      body.put("because", seen.code() + ": " + seen.why());
    }
    CigriJson.links(body, path(name), "/clusters");
    return CigriJson.answer(200, asked, body);
  }

  private static long time(RouteRequest asked, String name, long absent) throws CigriRefusal {
    String text = asked.query(name).orElse("");
    if (!text.matches("\\d{0,18}")) {
      throw CigriRefusal.wrong(name + " is a time in seconds since 1970, not " + text);
    }
    return text.isEmpty() ? absent : Long.parseLong(text);
  }

  static HttpAnswer usage(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, QueryException, InterruptedException {
    long nowS = call.site().clock().millis() / MS_PER_S;
    long from = time(asked, "from", 0);
    long to = time(asked, "to", Long.MAX_VALUE);
    ObjectNode body = CigriJson.object();
    body.put("from", asked.query("from").orElse(null)).put("to", asked.query("to").orElse(null));
    ArrayNode items = body.putArray("items");
    CigriJson.links(body, "/gridusage", "");
    if (nowS < from || nowS > to) {
      // Of the past nothing is kept.
      return CigriJson.answer(200, asked, body.put("total", 0));
    }
    ObjectNode now = items.addObject();
    now.put("date", nowS);
    ArrayNode clusters = now.putArray("clusters");
    for (QueueUse use : queues(call)) {
      clusters
          .addObject()
          .put("cluster_id", use.queue().getName())
          .put("cluster_name", use.queue().getName())
          .put("max_resources", use.most())
          .put("used_resources", use.busy())
          .put("used_by_cigri", use.tasks())
          .put("unavailable_resources", use.seen().away());
    }
    body.put("total", 1);
    return CigriJson.answer(200, asked, body);
  }
}
