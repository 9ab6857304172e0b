package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is too much for a route, comes twice or goes away meanwhile. */
final class CigriBoundsTest extends CigriTrial {

  @Test
  void aPageOfLongParametersIsShortAndTheNextGoesOnBehindIt() throws Exception {
    String line = "\"" + "x".repeat(60_000) + "\"";
    String params = String.join(",", Collections.nCopies(40, line));
    String many = DEMO.replaceFirst("\"params\": \\[.*?\\]", "\"params\": [" + params + "]");
    ask("ada", "POST /cigri/campaigns", many).must(201);
    String next = "/campaigns/1/jobs?limit=1000";
    List<String> ids = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    while (next != null) {
      JsonNode body = ask("ada", "GET /cigri" + next).must(200).body();
      ids.addAll(body.get("items").findValuesAsText("id"));
      sizes.add(body.get("items").size());
      next = body.at("/links/2/href").asText(null);
    }
    assertEquals(List.of(17, 17, 6), sizes, "1 MiB of parameters each");
    assertEquals(IntStream.range(0, 40).mapToObj(Integer::toString).toList(), ids);
  }

  /** The campaign server tells them in pieces. */
  @Test
  void aListOfVeryManyCampaignsIsWhole() throws Exception {
    demo();
    Campaign campaign = (Campaign) table.get(CampaignKeys.campaign(1));
    campaign.setName("n".repeat(100_000));
    for (long id = 2; id <= 30; id++) {
      campaign.setId(id);
      table.put(CampaignKeys.campaign(id), campaign);
    }
    JsonNode body = ask("ada", "GET /cigri/campaigns").must(200).body();
    assertEquals(30, body.get("total").asInt());
    assertEquals(30, body.at("/items/29/id").asInt());
  }

  @Test
  void aQueueIsNamedOnce() throws Exception {
    for (String settings : List.of("{}", "{\"test_mode\": true}")) {
      String twice = DEMO.replace("{\"max_jobs\": 2}", settings + ", \"bag@server\": " + settings);
      Said said = ask("ada", "POST /cigri/campaigns", twice).must(400);
      assertEquals(
          "/clusters/bag@server: is queue bag, as another cluster of the campaign is",
          said.at("/message"));
    }
    assertEquals(0, table.size());
  }

  /** One line fits, but each of the clusters would have it. */
  @Test
  void aTestWhoseLinesAreTooLongTogetherIsRefused() throws Exception {
    moreQueues = 70;
    String clusters =
        IntStream.range(0, moreQueues)
            .mapToObj(it -> "\"q" + it + "\": {\"test_mode\": true}")
            .collect(Collectors.joining(","));
    String test =
        "{\"name\": \"t\", \"exec_file\": \"{HOME}/x\", \"params\": [\""
            + "x".repeat(65_000)
            + "\"], \"clusters\": {"
            + clusters
            + "}}";
    Said said = ask("ada", "POST /cigri/campaigns", test).must(400);
    assertTrue(said.at("/message").startsWith("the parameters are too long"), said.text());
    assertEquals(0, table.size());
  }

  @Test
  void aCampaignThatIsForgottenMeanwhileIsNotThere() throws Exception {
    for (String line : List.of("GET /cigri/campaigns/1/jobs/0", "PUT /cigri/campaigns/1")) {
      demo();
      askers.set(1);
      ask("ada", line, "name=other").must(404);
      assertEquals(-1, askers.get(), "it was forgotten in between");
      table.clear();
    }
    askers.set(1);
    ask("ada", "POST /cigri/campaigns", DEMO).must(404);
  }
}
