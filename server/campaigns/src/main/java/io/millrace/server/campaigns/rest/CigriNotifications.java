package io.millrace.server.campaigns.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.SubscribeNotices;
import io.millrace.schemas.campaign.Subscription;
import io.millrace.schemas.campaign.UnsubscribeNotices;
import io.millrace.server.campaigns.ask.DoorCall;
import io.millrace.server.campaigns.ask.OwnSubscriptions;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.http.HttpAnswer;
import io.millrace.server.web.route.RouteRequest;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** To which addresses of the caller mail about his campaigns goes. */
final class CigriNotifications {

  private static final String MAIL = "mail";
  private static final String PATH = "/notifications";

  private CigriNotifications() {}

  static HttpAnswer list(RouteRequest asked, Call call) throws Failure, InterruptedException {
    List<Subscription> own = OwnSubscriptions.of(call, new DoorCall(call));
    ObjectNode body = CigriJson.object();
    ArrayNode items = body.putArray("items");
    for (Subscription one : own) {
      items
          .addObject()
          .put("grid_user", one.getUser())
          .put("type", MAIL)
          .put("identity", one.getAddress())
          .put("severity", one.getSeverity().name().toLowerCase(Locale.ROOT));
    }
    body.put("total", own.size());
    CigriJson.links(body, PATH, "");
    return CigriJson.answer(200, asked, body);
  }

  private static void mail(RouteRequest asked) throws CigriRefusal {
    String type = asked.variables().get("type");
    if (type.equals("jabber") || type.equals("xmpp")) {
      throw CigriRefusal.wrong("nobody is told by " + type + " here; /notifications/mail is there");
    }
    if (!type.equals(MAIL)) {
      throw CigriRefusal.notFound("there is no /notifications/" + type);
    }
  }

  static HttpAnswer subscribe(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    mail(asked);
    Map<String, String> fields = CigriCampaigns.fields(asked);
    for (String name : fields.keySet()) {
      if (!List.of("identity", "severity").contains(name)) {
        throw CigriRefusal.wrong("/" + name + ": is no field; it takes identity, severity");
      }
    }
    NoticeSeverity severity =
        OwnSubscriptions.severity(fields.getOrDefault("severity", ""))
            .orElseThrow(() -> CigriRefusal.wrong("/severity: takes low, medium or high"));
    String address = fields.getOrDefault("identity", "");
    CigriRefusal.check(
        new DoorCall(call).command(new SubscribeNotices(call.meta(), address, severity)));
    return said(201, "Created", "New subscription created", asked);
  }

  static HttpAnswer unsubscribe(RouteRequest asked, Call call)
      throws CigriRefusal, Failure, InterruptedException {
    mail(asked);
    String address =
        asked
            .query("identity")
            .orElseThrow(() -> CigriRefusal.wrong("identity says which address is meant"));
    CigriRefusal.check(new DoorCall(call).command(new UnsubscribeNotices(call.meta(), address)));
    return said(202, "Deleted", "Unsubscription ok", asked);
  }

  private static HttpAnswer said(int status, String title, String message, RouteRequest asked) {
    ObjectNode body = CigriJson.object();
    body.put("status", status).put("title", title).put("message", message);
    return CigriJson.answer(status, asked, body);
  }
}
