package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.util.function.Predicate;

/** What a user hears of his campaigns as server-sent events, at the door for HTTP. */
final class CampaignEventsHeard {

  private static final String PATH = "/v1/events?kinds=campaign";

  private final WebCaller web;
  private final String bearer;

  /** Where he left off. */
  private final String last;

  /** Listens until he knows from where he can go on. */
  CampaignEventsHeard(Site site, Account user) throws Exception {
    web = new WebCaller(Files.readString(site.home().ready("web")).strip());
    bearer = "Bearer " + site.launcher("token create", "--user " + user.name()).must().strip();
    try (WebEvents events = web.events(PATH, bearer, "")) {
      last = events.await("ready", it -> true).id();
    }
  }

  private static Predicate<JsonNode> change(String id, String what) {
    return it ->
        it.path("id").asText().equals(id) && it.at("/campaign/change").asText().equals(what);
  }

  /** A campaign of which a task failed and was run again, as he hears of it who comes back. */
  void hasFailedAndEnded(String id, int tasks, String owner) throws Exception {
    try (WebEvents events = web.events(PATH, bearer, last)) {
      JsonNode begun = events.await("campaign", change(id, "submitted")).data().path("campaign");
      assertEquals(tasks, begun.path("total_jobs").asInt());
      assertEquals(owner, begun.path("user").asText());
      JsonNode failed = events.await("campaign", change(id, "event")).data().at("/campaign/event");
      assertEquals("EXIT_ERROR", failed.path("code").asText());
      assertEquals("exit status 3", failed.path("message").asText());
      JsonNode fixed =
          events.await("campaign", change(id, "events_closed")).data().path("campaign");
      assertEquals(failed.path("id").asText(), fixed.at("/events/0").asText());
      assertTrue(fixed.path("resubmit").asBoolean());
      assertEquals(owner, fixed.path("by").asText());
      String end = events.await("campaign", change(id, "ended")).id();
      events.await("ready", it -> true);
      try (WebEvents again = web.events(PATH, bearer, end)) {
        // Nothing of what was heard comes again before it goes on with what is new.
        assertEquals(0, again.before("ready", change(id, "ended")));
      }
    }
  }
}
