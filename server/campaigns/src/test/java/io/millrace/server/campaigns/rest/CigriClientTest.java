package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.schemas.campaign.AdmissionRule;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.SetAdmissionRules;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.server.web.route.RouteRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What CiGri's own clients ask, with API_BASE=/cigri, and what they read in the answers: they put
 * the base before each address, those of links, too.
 */
final class CigriClientTest extends CigriTrial {

  private static final String BASE = "/cigri";

  private Said get(String url) throws Exception {
    return ask("ada", "GET " + BASE + url);
  }

  private Said delete(String url) throws Exception {
    return ask("ada", "DELETE " + BASE + url);
  }

  private Said post(String url, String body) throws Exception {
    return ask("ada", "POST " + BASE + url, body);
  }

  private static String next(JsonNode list) {
    for (JsonNode link : list.get("links")) {
      if (link.get("rel").asText().equals("next")) {
        return link.get("href").asText();
      }
    }
    return null;
  }

  private void seen(double stress) {
    ClusterLoad load = new ClusterLoad("bag", 2, 2, false, "", 0L, "", stress, 0L);
    note(new NoteCluster(load, nowMs, "", ""));
  }

  @Test
  void gridstatFindsAllTasksByTheLinksOfPages() throws Exception {
    post("/campaigns", DEMO.replaceFirst("\"params\": \\[.*?\\]", "\"nb_jobs\": 250")).must(201);
    List<String> ids = new ArrayList<>();
    for (String url = "/campaigns/1/jobs"; url != null; ) {
      JsonNode jobs = get(url).must(200).body();
      ids.addAll(jobs.get("items").findValuesAsText("id"));
      url = next(jobs);
    }
    assertEquals(250, ids.size());
    JsonNode first = get("/campaigns/1/jobs?offset=249").must(200).body().at("/items/0");
    assertEquals("1.249", first.get("cigri_job_id").asText());
    assertEquals("pending", first.get("state").asText());
  }

  /** The clients follow no link of these two. */
  @Test
  void theListsOfCampaignsAndClustersAreWhole() throws Exception {
    moreQueues = 120;
    for (int i = 0; i < 120; i++) {
      post("/campaigns", DEMO).must(201);
    }
    JsonNode list = get("/campaigns").must(200).body();
    assertEquals(120, list.get("items").size());
    for (JsonNode one : list.get("items")) {
      for (String number : List.of("id", "submission_time", "total_jobs", "finished_jobs")) {
        assertTrue(one.get(number).isIntegralNumber(), number);
      }
      assertTrue(one.get("has_events").isBoolean());
    }
    assertEquals(121, get("/clusters").must(200).body().get("items").size());
    assertEquals(5, get("/campaigns?limit=5").must(200).body().get("items").size());
  }

  @Test
  void statsAreNumbersAllOfThemAlways() throws Exception {
    post("/campaigns", DEMO).must(201);
    JsonNode stats = get("/campaigns/1/stats").must(200).body();
    for (String name :
        List.of(
            "average_jobs_duration",
            "stddev_jobs_duration",
            "jobs_throughput",
            "remaining_time",
            "failures_rate",
            "resubmit_rate")) {
      assertTrue(stats.get(name).isNumber(), name);
    }
    assertTrue(stats.get("jobs_throughput").asDouble() > 0, "a client divides by it");
  }

  @Test
  void gridclustersPutsTextsTogether() throws Exception {
    post("/campaigns", DEMO).must(201);
    seen(0.25);
    JsonNode cluster = get("/clusters/bag").must(200).body();
    assertTrue(cluster.get("ssh_host").isTextual());
    assertEquals("0.25/0.8", cluster.get("stress_factor").asText());
    assertTrue(cluster.get("stress_factor").isTextual());
    assertEquals("false", cluster.get("under_stress").asText());
    seen(0.9);
    assertEquals("true", get("/clusters/bag").body().get("under_stress").asText());
    assertTrue(
        command("ada", "gridclusters", "-i")
            .contains("(BLACKLISTED), stress 0.90/0.8 (UNDER_STRESS)\n"));
    JsonNode usage = get("/gridusage").must(200).body().at("/items/0/clusters/0");
    for (String name : List.of("max_resources", "used_resources", "used_by_cigri")) {
      assertTrue(usage.get(name).isNumber(), name);
    }
    long nowS = System.currentTimeMillis() / 1_000;
    assertEquals("1", get("/gridusage?from=" + (nowS - 60) + "&to=" + (nowS + 60)).at("/total"));
    assertEquals("0", get("/gridusage?from=0&to=60").must(200).at("/total"));
    get("/gridusage?from=yesterday").must(400);
  }

  @Test
  void oneJobIsShownAndEnded() throws Exception {
    post("/campaigns", DEMO).must(201);
    seen(0);
    note(new NoteJob("1.0.1", JobChange.STARTED, "7.vm", 0, 0, 0L, "", nowMs, "", false));
    Said job = get("/jobs/1.0").must(200);
    assertEquals("running", job.at("/state"));
    assertEquals("one -a", job.at("/parameters"));
    assertEquals("bag", job.at("/cluster_name"));
    Said others = ask("bob", "GET " + BASE + "/jobs/1.0").must(200);
    assertTrue(others.body().get("parameters").isNull(), others.text());
    get("/jobs/1.9").must(404);
    get("/jobs/17").must(404);
    get("/jobs/1.0/stdout").must(400);
    ask("bob", "DELETE " + BASE + "/jobs/1.0").must(403);
    delete("/jobs/1.2").must(202);
    assertEquals("cancelled", get("/jobs/1.2").at("/state"), "it waited");
    delete("/jobs/1.0").must(202);
    assertEquals("running", get("/jobs/1.0").at("/state"), "until its job is over");
    note(new NoteJob("1.0.1", JobChange.FINISHED, "7.vm", 0, 271, 9L, "", nowMs, "", false));
    assertEquals("cancelled", get("/jobs/1.0").at("/state"));
    delete("/jobs/1.0").must(400);
    note(new NoteJob("1.1.1", JobChange.FINISHED, "8.vm", 0, 0, 9L, "", nowMs, "", false));
    assertEquals("terminated", get("/campaigns/1").at("/state"));
    assertEquals("griddel: job 1 of campaign 1 is over\n 1", griddel("-j", "1.1"));
  }

  private String griddel(String... words) throws Exception {
    return command("ada", "griddel", words).replaceFirst(" \\d+$", " 1");
  }

  @Test
  void campaignsPauseAndAreForgotten() throws Exception {
    post("/campaigns", DEMO).must(201);
    post("/campaigns", DEMO).must(201);
    delete("/campaigns/1?hold=1").must(202);
    delete("/campaigns/1?resume=1").must(202);
    assertEquals(
        "campaign 1 goes on, and is not forgotten",
        delete("/campaigns/1?purge=1").must(400).at("/message"));
    assertEquals("Campaign 1 paused\nCampaign 2 paused\n", griddel("--pause", "-v", "-c", "1,2"));
    assertEquals("", griddel("-r", "1", "2"));
    assertEquals("Campaign 1 cancelled\n", griddel("--verbose", "--campaign_ids=1"));
    assertEquals("griddel: campaign 2 goes on, and is not forgotten\n 1", griddel("--purge", "2"));
    assertEquals("Campaign 1 purged\n", griddel("-v", "--purge", "1"));
    get("/campaigns/1").must(404);
    delete("/campaigns/2").must(202);
    delete("/campaigns/2?purge=1").must(202);
    get("/campaigns/2").must(404);
  }

  /** gridsub looks at the title. */
  @Test
  void whatARuleKeepsOutIsAnErrorOfTheRule() throws Exception {
    CommandId id = new CommandId(new byte[16]);
    CommandMeta meta = new CommandMeta(id, "max", "users", "vm", Role.MANAGER, -1, 0L);
    note(new SetAdmissionRules(meta, List.of(new AdmissionRule("jdl.nb_jobs > 9", "too few"))));
    // His groups are looked up.
    Said said = ask("nobody", "POST " + BASE + "/campaigns", DEMO).must(400);
    assertEquals("Admission rule error", said.at("/title"));
    assertTrue(said.at("/message").contains("too few"), said.text());
  }

  @Test
  void anOperatorStopsAClusterUntilHeClosesTheEvent() throws Exception {
    post("/campaigns", DEMO).must(201);
    String stop = "{\"class\": \"cluster\", \"code\": \"BLACKLIST\", \"cluster_id\": \"bag\"}";
    post("/events", stop).must(403);
    for (String wrong : List.of("", "{}", "[", stop.replace("BLACKLIST", "OTHER"))) {
      ask("max", "POST " + BASE + "/events", wrong).must(400);
    }
    ask("max", "POST " + BASE + "/events", stop).must(201);
    ask("max", "POST " + BASE + "/events", stop).must(400);
    seen(0);
    assertEquals("pending", get("/jobs/1.0").at("/state"), "nothing is sent");
    assertEquals("CLUSTER_STOPPED", get("/events/1").must(200).at("/code"));
    ask("ada", "DELETE " + BASE + "/events/1").must(403);
    assertEquals("", command("max", "gridevents", "-e", "2", "-f"), "one closes both");
    assertEquals("0", get("/events").at("/total"));
    seen(0);
    assertEquals("submitted", get("/jobs/1.0").at("/state"));
    assertEquals("", command("max", "gridevents", "--blacklist-cluster", "bag"));
    assertTrue(command("max", "gridevents", "-g").contains("CLUSTER_STOPPED"));
  }

  /** What CiGri's gridevents sends, and what somebody may send. */
  @Test
  void aClusterThatIsNotThereIsNotStopped() throws Exception {
    String stop = "{\"code\": \"CLUSTER_MANUALLY_DISABLED\", \"cluster_id\": \"bag\"}";
    for (String wrong : List.of("\"nowhere\"", "0", "\"\\u0000\"")) {
      Said said = ask("max", "POST " + BASE + "/events", stop.replace("\"bag\"", wrong)).must(400);
      assertEquals("/cluster_id", said.at("/faults/0/path"), said.text());
      assertTrue(said.at("/faults/0/reason").startsWith("there is no cluster "), said.text());
    }
    Said job = ask("max", "POST " + BASE + "/events", "{\"code\": \"X\", \"job_id\": \"1.0\"}");
    assertEquals("/job_id", job.must(400).at("/faults/0/path"));
    assertEquals(0, table.size());
    ask("max", "POST " + BASE + "/events", stop).must(201);
  }

  @Test
  void aClusterThatIsNotThereIsAFaultWithItsPlace() throws Exception {
    Said said = post("/campaigns", DEMO.replace("\"bag\"", "\"nowhere\"")).must(400);
    assertEquals("/clusters/nowhere", said.at("/faults/0/path"), said.text());
    assertTrue(said.at("/faults/0/reason").length() > 5, said.text());
    assertEquals(0, table.size());
  }

  @Test
  void finishedJobsAreToldWithTheirCluster() throws Exception {
    post("/campaigns", DEMO).must(201);
    seen(0);
    note(new NoteJob("1.0.1", JobChange.FINISHED, "7.vm", 0, 0, 9L, "", nowMs, "", false));
    JsonNode items = get("/campaigns/1/jobs/finished/").must(200).body().get("items");
    assertEquals(1, items.size());
    assertEquals("bag", items.get(0).get("cluster_id").asText());
    assertEquals("bag", get("/campaigns/1/jobs/0").at("/cluster"));
    assertEquals("terminated", items.get(0).get("state").asText());
  }

  @Test
  void pathsMayEndWithASlashAndLinksHaveThePrefixThatIsAskedFor() throws Exception {
    post("/campaigns/", DEMO).must(201);
    for (String path : List.of("/", "/campaigns/1/", "/clusters/", "/campaigns/1/jobs/0/")) {
      get(path).must(200);
    }
    assertEquals("/campaigns/1", get("/campaigns/1").at("/links/0/href"));
    headers.put(RouteRequest.PATH_PREFIX, "grid/cigri/");
    assertEquals("/grid/cigri/campaigns/1", get("/campaigns/1").at("/links/0/href"));
    assertEquals("/grid/cigri/campaigns/1/jobs/2", get("/campaigns/1/jobs").at("/items/2/href"));
    headers.put(RouteRequest.PATH_PREFIX, "/x\" onclick=");
    assertEquals("/campaigns/1", get("/campaigns/1").at("/links/0/href"), "no path");
  }

  @Test
  void whatHasNoMeaningHereIsRefusedWithAReason() throws Exception {
    post("/campaigns", DEMO).must(201);
    assertEquals("0", get("/tokens").must(200).at("/total"));
    String token = "{\"cluster_id\": \"bag\", \"token\": \"x\"}";
    assertTrue(post("/tokens", token).must(403).at("/message").contains("no cluster takes tokens"));
    delete("/tokens/bag").must(403);
    String mark = command("max", "gridevents", "--mark-job-event", "1.0");
    assertTrue(mark.startsWith("gridevents: --mark-job-event is not there: "), mark);
    String needs = "gridevents: -v needs -f\n 2";
    assertEquals(needs, command("ada", "gridevents", "-v", "-c", "1"));
    String stop = command("max", "gridevents", "--blacklist-cluster", "bag", "-a");
    assertEquals("gridevents: --blacklist-cluster is given without -a, -f, -r and -v\n 2", stop);
    String value = command("ada", "gridevents", "-c", "1", "--fix=r");
    assertTrue(value.contains("usage: gridevents") && value.endsWith("\n 2"), value);
  }

  @Test
  void gridsubTakesItsOptionsAnywhereAndSeveralDescriptions() throws Exception {
    String said = command("ada", "gridsub", "-j", DEMO, "-t", "test", "-j", DEMO);
    assertEquals(2, said.lines().filter(it -> it.startsWith("CAMPAIGN_ID=")).count(), said);
    assertEquals("1", get("/campaigns/2").at("/total_jobs"), "a test");
    String file = command("ada", "gridsub", "-j", "/home/ada/x.json");
    assertTrue(file.startsWith("gridsub: JSON: "), file);
    String name = command("ada", "gridsub", "-f", "{x}.json");
    assertTrue(name.startsWith("gridsub: {x}.json: "), name);
    String details = command("ada", "gridsub", "--json=" + DEMO, "-d");
    assertTrue(details.startsWith("Campaign successfully submitted\nCAMPAIGN_ID=3\n"), details);
    assertTrue(details.contains("\"clusters\":{\"bag\""), details);
    String both = "Job 3.0 is being cancelled\nJob 3.1 is being cancelled\n";
    assertEquals(both, griddel("-v", "-j", "3.0", "-j", "3.1"));
    assertTrue(command("ada", "gridsub", DEMO, DEMO).startsWith("usage: "));
  }
}
