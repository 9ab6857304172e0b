package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.jdl.JdlCases;
import io.millrace.server.web.route.OpenApiDocument;
import io.millrace.server.web.route.Route;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What each route answers. */
final class CigriRoutesTest extends CigriTrial {

  static List<JdlCases> wrong() throws IOException {
    return JdlCases.of("wrong.txt");
  }

  static List<JdlCases> broken() throws IOException {
    return JdlCases.of("broken.txt");
  }

  private Said refused(JdlCases wrong) throws Exception {
    Said said = ask("ada", "POST /cigri/campaigns", wrong.document()).must(400);
    assertEquals(0, table.size(), "something is stored");
    assertEquals(List.of(), taken);
    assertEquals(said.at("/message"), said.at("/error/message"));
    assertEquals(400, said.body().get("status").asInt());
    return said;
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void aWrongDescriptionIsRefusedWithItsPlaceAndWhy(JdlCases wrong) throws Exception {
    Said said = refused(wrong);
    String path = said.at("/faults/0/path");
    String reason = said.at("/faults/0/reason");
    assertEquals(wrong.said(), path.isEmpty() ? reason : path + ": " + reason);
    assertTrue(said.at("/message").startsWith(wrong.said()), said.text());
  }

  @ParameterizedTest
  @MethodSource("broken")
  void whatIsNoJsonIsRefusedWithItsLine(JdlCases broken) throws Exception {
    Said said = refused(broken);
    assertTrue(said.at("/message").startsWith(broken.said()), said.text());
  }

  @Test
  void whoSubscribesIsKnownByHisCredential() throws Exception {
    String mine = "{\"identity\": \"ada@example.org\", \"severity\": \"high\"}";
    String mail = "/cigri/notifications/mail";
    Said said = ask("ada", "POST " + mail, mine).must(201);
    assertEquals("New subscription created", said.at("/message"));
    ask("bob", "POST " + mail, "identity=bob&severity=low").must(201);
    Said list = ask("ada", "GET /cigri/notifications").must(200);
    assertEquals(1, list.body().at("/total").asInt());
    assertEquals("ada@example.org", list.at("/items/0/identity"));
    assertEquals("mail", list.at("/items/0/type"));
    assertEquals("high", list.at("/items/0/severity"));
    assertEquals("ada", list.at("/items/0/grid_user"));
    said = ask("ada", "DELETE " + mail + "?identity=bob").must(404);
    assertEquals("no mail of yours goes to bob", said.at("/message"));
    ask("ada", "DELETE " + mail + "?identity=ada@example.org").must(202);
    assertEquals(0, ask("ada", "GET /cigri/notifications").body().at("/total").asInt());
    assertEquals(1, ask("bob", "GET /cigri/notifications").body().at("/total").asInt());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mail|identity=a&severity=loud|400|/severity: takes low, medium or high",
        "mail|identity=a|400|/severity: takes low, medium or high",
        "mail|severity=low|400|that is no address to which mail goes",
        "mail|identity=-f&severity=low|400|that is no address to which mail goes",
        "mail|user=bob&identity=a&severity=low|400|/user: is no field; it takes identity, severity",
        "jabber|identity=a&severity=low|400|nobody is told by jabber here;"
            + " /notifications/mail is there",
        "fax|identity=a&severity=low|404|there is no /notifications/fax",
      })
  void whatCannotBeSubscribedToIsRefused(String type, String body, int status, String message)
      throws Exception {
    Said said = ask("ada", "POST /cigri/notifications/" + type, body).must(status);
    assertEquals(message, said.at("/message"));
    assertEquals(0, table.size());
  }

  @Test
  void whatTheClusterDoesNotTakeIsRefusedWithItsName() throws Exception {
    Said said = ask("ada", "POST /cigri/campaigns", DEMO.replace("\"bag\"", "\"none\"")).must(400);
    assertEquals("/clusters/none: Unknown queue", said.at("/message"));
    assertEquals("/clusters/none", said.at("/faults/0/path"));
    assertEquals("Unknown queue", said.at("/faults/0/reason"));
    said =
        ask("ada", "POST /cigri/campaigns", DEMO.replace("max_jobs\": 2", "type\": \"nightly\""));
    assertEquals(
        "/clusters/bag: type nightly needs a queue with a night, which a manager sets: set queue"
            + " bag night_window = 20:00-06:00",
        said.must(400).at("/message"));
    String file = DEMO.replaceFirst("\"params\": \\[.*?\\]", "\"param_file\": \"/etc/passwd\"");
    said = ask("ada", "POST /cigri/campaigns", file).must(400);
    assertEquals("/param_file", said.at("/faults/0/path"));
    assertEquals(0, table.size());
    said = ask("root", "POST /cigri/campaigns", DEMO).must(400);
    assertTrue(said.at("/message").contains("Bad UID"), said.text());
  }

  @Test
  void aCampaignIsSubmittedAndShown() throws Exception {
    Said said = ask("ada", "POST /cigri/campaigns", DEMO).must(201);
    assertEquals("/cigri/campaigns/1", said.headers().get("Location"));
    assertEquals("1", said.at("/id"));
    assertEquals("ada", said.at("/user"));
    assertEquals("in_treatment", said.at("/state"));
    assertEquals("3", said.at("/total_jobs"));
    assertEquals("bag", said.at("/clusters/bag/cluster_name"));
    assertEquals("steady", said.at("/clusters/bag/predictor"));
    assertEquals("/campaigns/1", said.at("/links/0/href"));
    JsonNode list = ask("bob", "GET /cigri/campaigns").must(200).body();
    assertEquals(1, list.get("total").asInt());
    assertEquals("demo", list.at("/items/0/name").asText());
    assertEquals(JSON.readTree(DEMO), ask("ada", "GET /cigri/campaigns/1/jdl").must(200).body());
    assertEquals(1, ask("ada", "GET /cigri/campaigns/1/jdl").text().lines().count());
    assertTrue(ask("ada", "GET /cigri/campaigns/1/jdl?pretty").text().lines().count() > 5);
    assertTrue(ask("ada", "GET /cigri/campaigns/1?pretty=true").text().lines().count() > 5);
    assertEquals(1, ask("ada", "GET /cigri/campaigns/1?pretty=false").text().lines().count());
    ask("ada", "GET /cigri/campaigns/2").must(404);
    ask("ada", "GET /cigri/campaigns/x").must(404);
    ask("ada", "GET /cigri/campaigns?limit=0").must(400);
    ask("ada", "GET /cigri/campaigns/1/notifications").must(404);
    ask("ada", "PATCH /cigri/campaigns/1").must(405);
  }

  @Test
  void aTaskShowsItsReplica() throws Exception {
    ask("ada", "POST /cigri/campaigns", DEMO).must(201);
    note(new NoteCluster(new ClusterLoad("bag", 2, 2, false, "", 0L, "", 0.0, 0L), nowMs, "", ""));
    note(new NoteJob("1.0.1", JobChange.STARTED, "7.vm", 0, 0, 0L, "", nowMs, "", false));
    assertTrue(ask("ada", "GET /cigri/campaigns/1/jobs/0").body().get("replica") == null);
    OpenTask replica = (OpenTask) table.get(CampaignKeys.open(1, 0));
    replica.setAttempt(2);
    replica.setJobId("");
    replica.setStatus(TaskStatus.SENT);
    replica.setCluster("other");
    replica.setReplica(true);
    table.put(CampaignKeys.second(1, 0), replica);
    JsonNode shown = ask("ada", "GET /cigri/campaigns/1/jobs/0").must(200).body().get("replica");
    assertEquals(
        JSON.readTree(
            "{\"state\": \"submitted\", \"cluster\": \"other\", \"remote_id\": null,"
                + " \"attempt\": 2, \"dropped\": false}"),
        shown);
  }

  @Test
  void scriptsAreJobsOfTheirOwn() throws Exception {
    String bare = DEMO.replace("max_jobs\": 2", "prologue_walltime\": \"00:01:00\"");
    Said said = ask("ada", "POST /cigri/campaigns", bare).must(400);
    assertEquals("/clusters/bag: prologue_walltime is for no prologue", said.at("/message"));
    String line = "\"" + "\u00e9".repeat(2_000) + "\"";
    String longer = String.join(", ", Collections.nCopies(30, line));
    said =
        ask(
            "ada",
            "POST /cigri/campaigns",
            bare.replace("prologue_walltime\": \"00:01:00\"", "epilogue\": [" + longer + "]"));
    assertEquals(
        "/clusters/bag: epilogue has more than 100000 bytes",
        said.must(400).at("/message").replaceFirst(";.*", ""));
    assertEquals(0, table.size());
    String both =
        bare.replace(
            "{\"pro",
            "{\"prologue\": [\"set -e\", \"echo {OAR_JOB_ID} {HOME} {CAMPAIGN_ID}\"],"
                + " \"epilogue\": [\"rm x\"], \"walltime\": \"00:05:00\", \"pro");
    ask("ada", "POST /cigri/campaigns", both).must(201);
    SubmitCampaign command = (SubmitCampaign) taken.get(taken.size() - 1);
    String home = command.getClusters().get(0).getProgram().replaceFirst("/x$", "");
    assertEquals(2, command.getScripts().size());
    CampaignScript before = command.getScripts().get(0);
    assertEquals("set -e\necho $PBS_JOBID " + home + " {CAMPAIGN_ID}\n", before.getText());
    assertEquals(60, before.getJob().getRequest().getWalltimeS());
    CampaignScript after = command.getScripts().get(1);
    assertEquals("rm x\n", after.getText());
    assertEquals(300, after.getJob().getRequest().getWalltimeS());
    assertTrue(after.getAfter() && !before.getAfter());
  }

  @Test
  void aTestHasATaskForEachCluster() throws Exception {
    String test = DEMO.replace("max_jobs\": 2", "test_mode\": true");
    Said said = ask("ada", "POST /cigri/campaigns", test).must(201);
    assertEquals("1", said.at("/total_jobs"));
    assertEquals("one -a", ask("ada", "GET /cigri/campaigns/1/jobs/0").at("/parameters"));
    note(new NoteCluster(new ClusterLoad("bag", 2, 2, false, "", 0L, "", 0.0, 0L), nowMs, "", ""));
    note(new NoteJob("1.0.1", JobChange.FINISHED, "7.vm", 0, 0, 100L, "", nowMs, "", false));
    assertEquals("terminated", ask("ada", "GET /cigri/campaigns/1").at("/state"));
    Said over = ask("ada", "DELETE /cigri/campaigns/1").must(400);
    assertEquals("Can't cancel a terminated campaign", over.at("/message"));
    JsonNode gone = ask("ada", "GET /cigri/campaigns/1/jdl").must(200).body();
    assertEquals("[]", gone.get("params").toString(), "forgotten with its end");
    moreQueues = 1;
    String mixed = test.replace("true}", "true}, \"q0\": {}");
    said = ask("ada", "POST /cigri/campaigns", mixed).must(400);
    assertTrue(said.at("/message").contains("/clusters/q0: has no test_mode"), said.text());
  }

  @Test
  void listsComeInPages() throws Exception {
    for (int i = 0; i < 3; i++) {
      demo();
    }
    Said said = ask("ada", "GET /cigri/campaigns?limit=2").must(200);
    assertEquals(List.of("1", "2"), said.body().get("items").findValuesAsText("id"));
    assertEquals("3", said.at("/total"));
    String next = said.at("/links/2/href");
    assertEquals("next", said.at("/links/2/rel"));
    said = ask("ada", "GET /cigri" + next).must(200);
    assertEquals(List.of("3"), said.body().get("items").findValuesAsText("id"));
    assertEquals(2, said.body().get("links").size());
    assertEquals(0, ask("ada", "GET /cigri/campaigns?offset=9").body().get("items").size());
    said = ask("ada", "GET /cigri/campaigns/1/jobs?limit=1&offset=1").must(200);
    assertEquals("two -b", said.at("/items/0/parameters"));
    assertEquals("two", said.at("/items/0/name"));
    assertEquals("/campaigns/1/jobs/1", said.at("/items/0/href"));
    assertEquals("3", said.at("/total"));
    assertEquals("/campaigns/1/jobs?limit=1&offset=2", said.at("/links/2/href"));
  }

  private void started(String tag) {
    note(new NoteJob(tag, JobChange.STARTED, "7.vm", 0, 0, 0L, "", nowMs, "", false));
  }

  @Test
  void tasksAreWhereTheyAre() throws Exception {
    demo();
    note(new NoteCluster(new ClusterLoad("bag", 2, 2, false, "", 0L, "", 0.0, 0L), nowMs, "", ""));
    started("1.0.1");
    JsonNode jobs = ask("ada", "GET /cigri/campaigns/1/jobs").must(200).body().get("items");
    assertEquals(List.of("running", "submitted", "pending"), jobs.findValuesAsText("state"));
    assertEquals("7.vm", jobs.at("/0/remote_id").asText());
    assertTrue(jobs.at("/2/cluster").isNull());
    assertEquals("7.vm", ask("ada", "GET /cigri/campaigns/1/jobs/0").at("/remote_id"));
    ask("ada", "GET /cigri/campaigns/1/jobs/3").must(404);
    Said one = ask("ada", "GET /cigri/campaigns/1").must(200);
    assertEquals("2", one.at("/clusters/bag/active_jobs"));
    assertEquals("1", one.at("/clusters/bag/queued_jobs"));
    note(new NoteJob("1.0.1", JobChange.FINISHED, "7.vm", 0, 0, 4_000L, "", nowMs, "", false));
    Said stats = ask("ada", "GET /cigri/campaigns/1/stats").must(200);
    assertEquals(4.0, stats.body().get("average_jobs_duration").asDouble());
    assertTrue(stats.body().get("remaining_time").asDouble() > 0);
  }

  @Test
  void whatIsItsOwnersAloneIsNotToldToOthers() throws Exception {
    demo();
    ask("bob", "GET /cigri/campaigns/1").must(200);
    Said jobs = ask("bob", "GET /cigri/campaigns/1/jobs").must(200);
    assertTrue(jobs.body().at("/items/0/parameters").isNull(), jobs.text());
    assertTrue(!jobs.text().contains("one"), jobs.text());
    ask("bob", "GET /cigri/campaigns/1/jdl").must(403);
    ask("max", "GET /cigri/campaigns/1/jdl").must(200);
    server.put("query_other_jobs_in_full", "True");
    ask("bob", "GET /cigri/campaigns/1/jdl").must(200);
    server.put("query_other_jobs", "False");
    ask("bob", "GET /cigri/campaigns/1").must(404);
    assertEquals("0", ask("bob", "GET /cigri/campaigns").at("/total"));
    ask("ada", "GET /cigri/campaigns/1").must(200);
    ask("max", "GET /cigri/campaigns/1").must(200);
  }

  @Test
  void ownersChangeTheirsManagersAll() throws Exception {
    demo();
    for (String line : List.of("PUT /cigri/campaigns/1", "DELETE /cigri/campaigns/1")) {
      Said said = ask("bob", line, "name=mine").must(403);
      assertEquals("campaign 1 is not yours", said.at("/message"));
    }
    assertEquals("paused", ask("ada", "PUT /cigri/campaigns/1", "state=paused").at("/state"));
    Said said = ask("max", "PUT /cigri/campaigns/1", "{\"name\": \"new name\"}").must(202);
    assertEquals("new name", said.at("/name"));
    assertEquals("paused", said.at("/state"));
    for (String body : List.of("state=gone", "name=", "user=bob", "{\"name\": 1}", "{", "a=%zz")) {
      ask("ada", "PUT /cigri/campaigns/1", body).must(400);
    }
    ask("ada", "PUT /cigri/campaigns/2", "name=x").must(404);
    said = ask("ada", "DELETE /cigri/campaigns/1?hold=1").must(400);
    assertEquals("Can't hold (pause) a paused campaign", said.at("/message"));
    said = ask("ada", "DELETE /cigri/campaigns/1?resume=1").must(202);
    assertEquals("Campaign 1 resumed", said.at("/message"));
    ask("ada", "DELETE /cigri/campaigns/1").must(202);
    said = ask("ada", "DELETE /cigri/campaigns/1").must(400);
    assertEquals("Campaign already cancelled.", said.at("/message"));
    assertEquals("0", ask("ada", "GET /cigri/campaigns").at("/total"));
    assertEquals("cancelled", ask("ada", "GET /cigri/campaigns/1").at("/state"));
  }

  @Test
  void eventsAreShownAndClosed() throws Exception {
    demo();
    assertEquals("0", ask("ada", "GET /cigri/campaigns/1/events").must(200).at("/total"));
    note(new NoteCluster(new ClusterLoad("bag", 2, 2, false, "", 0L, "", 0.0, 0L), nowMs, "", ""));
    for (String tag : List.of("1.0.1", "1.1.1")) {
      note(new NoteJob(tag, JobChange.FINISHED, "7.vm", 0, 3, 100L, "", nowMs, "", false));
    }
    Said said = ask("bob", "GET /cigri/campaigns/1/events?limit=1").must(200);
    assertEquals("EXIT_ERROR", said.at("/items/0/code"));
    assertEquals("bag", said.at("/items/0/cluster_name"));
    assertEquals("2", said.at("/total"));
    assertEquals("true", ask("ada", "GET /cigri/campaigns/1").at("/has_events"));
    assertEquals("open", ask("ada", "GET /cigri/events/1").must(200).at("/state"));
    ask("ada", "GET /cigri/events/9").must(404);
    ask("bob", "DELETE /cigri/events/1").must(403);
    ask("ada", "DELETE /cigri/events/1").must(202);
    ask("bob", "DELETE /cigri/campaigns/1/events").must(403);
    ask("max", "DELETE /cigri/campaigns/1/events?resubmit=1").must(202);
    assertEquals("0", ask("ada", "GET /cigri/campaigns/1/events").at("/total"));
    assertEquals("2", ask("ada", "GET /cigri/campaigns/1/events?all=1").at("/total"));
    assertEquals("0", ask("ada", "GET /cigri/events").must(200).at("/total"));
  }

  @Test
  void clustersAreTheQueuesThatRunJobs() throws Exception {
    Said said = ask("ada", "GET /cigri/clusters").must(200);
    assertEquals(List.of("bag"), said.body().get("items").findValuesAsText("id"));
    said = ask("ada", "GET /cigri/clusters/bag").must(200);
    assertEquals("true", said.at("/blacklisted"));
    assertEquals("NO_NODE: no node of queue bag can be used", said.at("/because"));
    ask("ada", "GET /cigri/clusters/way").must(404);
    said = ask("ada", "GET /cigri/gridusage").must(200);
    assertEquals("bag", said.at("/items/0/clusters/0/cluster_name"));
    assertEquals("0", said.at("/items/0/clusters/0/max_resources"));
    ask("ada", "GET /cigri").must(200);
  }

  @Test
  void withoutACampaignServerItSaysSo() throws Exception {
    door.close();
    Said said = ask("ada", "GET /cigri/campaigns").must(503);
    assertTrue(said.at("/message").startsWith("no campaign server runs here"), said.text());
  }

  @Test
  void theyStandInTheDocument() {
    List<Route> all = routes.all();
    JsonNode document =
        OpenApiDocument.of(all, "0.1", List.of(), List.of(new CigriRoutes().schemas()));
    ParseOptions options = new ParseOptions();
    options.setResolve(true);
    assertEquals(
        List.of(),
        new OpenAPIV3Parser().readContents(document.toString(), List.of(), options).getMessages());
    Set<String> ids = new HashSet<>();
    document.findValuesAsText("operationId").forEach(id -> assertTrue(ids.add(id), id));
    assertEquals(all.size(), ids.size());
    for (String reference : document.findValuesAsText("$ref")) {
      assertTrue(!document.at(reference.substring(1)).isMissingNode(), reference);
    }
    assertTrue(
        document.at("/paths/~1cigri~1campaigns/post/responses/201").isObject(), "its own status");
  }
}
