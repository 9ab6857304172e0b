package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ObjectKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which nodes will do: properties of a description become words of a select. */
final class NodePropertiesTest extends CigriTrial {

  @BeforeEach
  void resources() {
    more.add(object(ObjectKind.RESOURCE, "gpu", "type", "boolean", "flag", "h"));
    more.add(object(ObjectKind.RESOURCE, "rack", "type", "string", "flag", "h"));
    more.add(object(ObjectKind.RESOURCE, "memnode", "type", "long", "flag", "h"));
    more.add(object(ObjectKind.RESOURCE, "floats", "type", "long"));
    String[] queue = {"queue_type", "Execution", "enabled", "True", "started", "True"};
    more.add(object(ObjectKind.QUEUE, "c5", queue));
    more.add(object(ObjectKind.NODE, "n1@c5", "queue", "c5"));
  }

  private Said submit(String queue, String properties, String resources) throws Exception {
    String settings = "\"properties\": \"" + properties + "\"";
    settings += resources == null ? "" : ", \"resources\": \"" + resources + "\"";
    return ask(
        "ada",
        "POST /cigri/campaigns",
        DEMO.replace("\"max_jobs\": 2", settings).replace("\"bag\"", "\"" + queue + "\""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpu = 'YES'||1:ncpus=1:gpu=True|pack",
        "gpu=no AND rack = r-1||1:ncpus=1:gpu=False:rack=r-1|pack",
        "network_address = 'n1.example.org'|ncpus=4|1:ncpus=4:host=n1.example.org|pack",
        "memnode = 4000|select=2:ncpus=2+1:ncpus=1|2:ncpus=2:memnode=4000+1:ncpus=1:memnode=4000"
            + "|free",
      })
  void eachChunkAsksForThem(String properties, String resources, String select, String place)
      throws Exception {
    submit("bag", properties, resources).must(201);
    CampaignCluster cluster = ((SubmitCampaign) taken.get(0)).getClusters().get(0);
    Map<String, String> asked = new TreeMap<>();
    for (Attribute attribute : cluster.getJob().getAsked()) {
      asked.put(attribute.getName(), attribute.getValue());
    }
    assertEquals(Map.of("select", select, "place", place), asked);
    List<Map<String, String>> shown = new ArrayList<>();
    for (Chunk chunk : cluster.getJob().getRequest().getChunks()) {
      shown.add(chunk.getMatches());
    }
    int chunks = select.split("\\+").length;
    assertEquals(chunks, shown.size());
    assertEquals(1, shown.stream().distinct().count());
  }

  @Test
  void theWalltimeStaysAndScriptsAskForTheSame() throws Exception {
    String document =
        DEMO.replace(
            "\"max_jobs\": 2",
            "\"properties\": \"gpu = YES\", \"walltime\": \"0:10:0\", \"prologue\": [\"true\"]");
    ask("ada", "POST /cigri/campaigns", document).must(201);
    SubmitCampaign command = (SubmitCampaign) taken.get(0);
    assertEquals(600, command.getClusters().get(0).getJob().getRequest().getWalltimeS());
    Chunk before = command.getScripts().get(0).getJob().getRequest().getChunks().get(0);
    assertEquals(Map.of("gpu", "True"), before.getMatches());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "bag|rak = 1|nodes have no resource rak (nearest: rack)",
        "bag|floats = 1|nodes have no resource floats",
        "bag|mem = 4gb|mem is used up by jobs; let resources ask for it, as mem=4gb",
        "bag|gpu = 2|gpu is YES or NO, not 2",
        "bag|rack = 1 AND rack = 2|no node shows both rack = 1 and 2",
        "c5|gpu = YES|queue c5 is a cluster outside, which chooses hosts itself",
      })
  void whatASelectCannotSayIsRefused(String queue, String properties, String why) throws Exception {
    Said said = submit(queue, properties, null).must(400);
    assertEquals("/clusters/" + queue + ": properties: " + why, said.at("/message"));
    assertEquals(List.of(), taken);
  }
}
