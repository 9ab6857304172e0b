package io.millrace.ops.campaigns;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What gridsub is told is JSON, wherever the folders lie. */
class CampaignDescriptionTest {

  @Test
  void aPathMayHoldAnything() throws IOException {
    Path folder = Path.of("/tmp/\"a\\b\", \"clusters\": {}");
    CampaignDescription description =
        new CampaignDescription("demo", 3, folder.resolve("t.sh"), folder, "00:05:00");
    JsonNode json = new ObjectMapper().readTree(description.json(List.of("be0", "be1"), true));
    assertEquals(folder.toString(), json.get("exec_directory").asText());
    assertEquals(folder + "/t.sh", json.get("exec_file").asText());
    assertEquals(2, json.get("clusters").size());
    assertEquals(7, json.size());
    assertEquals(3, json.get("nb_jobs").asInt());
  }

  @Test
  void someClustersGroup() throws IOException {
    CampaignDescription description =
        new CampaignDescription("demo", 3, Path.of("/t.sh"), Path.of("/"), "00:05:00");
    String text = description.json(List.of("be0", "be1"), List.of("be1"), true);
    JsonNode clusters = new ObjectMapper().readTree(text).get("clusters");
    assertEquals("{\"be0\":{},\"be1\":{\"temporal_grouping\":true}}", clusters.toString());
  }
}
