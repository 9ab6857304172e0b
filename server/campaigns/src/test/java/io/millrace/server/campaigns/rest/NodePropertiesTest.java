package io.millrace.server.campaigns.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.NodeLoads;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.oar.OarAsked;
import io.millrace.schemas.state.Node;
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
        "(gpu=no) AND (rack = \\\"r-1\\\")||1:ncpus=1:gpu=False:rack=r-1|pack",
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
        "bag|gpu = YES AND memnode > 4000|column 23: > cannot be said by a select, which asks nodes"
            + " for NAME = 'VALUE', several with AND, and for amounts by resources",
        "bag|gpu = YES OR rack = 1|column 11: OR cannot be said by a select, which asks nodes for"
            + " NAME = 'VALUE', several with AND, and for amounts by resources",
        "bag|rack = 'a b'|a select has no value 'a b'",
        "bag|rack = 1 AND rack = 2|no node shows both rack = 1 and 2",
        "c5|gpu = YES|queue c5 is a cluster outside, which chooses hosts itself",
      })
  void whatASelectCannotSayIsRefused(String queue, String properties, String why) throws Exception {
    Said said = submit(queue, properties, null).must(400);
    assertEquals("/clusters/" + queue + ": properties: " + why, said.at("/message"));
    assertEquals(List.of(), taken);
  }

  private void isOar() {
    Node node = new Node();
    node.setName("n1@c5");
    node.setMeasured(Map.of("ncpus", 8L, NodeLoads.OAR, 1L));
    node.setHoldings(List.of());
    nodes.add(node);
  }

  /** Of the last campaign's job. */
  private Map<String, String> variables() {
    Map<String, String> all = new TreeMap<>();
    SubmitCampaign command = (SubmitCampaign) taken.get(taken.size() - 1);
    CampaignCluster cluster = command.getClusters().get(0);
    cluster.getJob().getVariables().forEach(it -> all.put(it.getName(), it.getValue()));
    all.put("processors", Integer.toString(cluster.getProcessors()));
    return all;
  }

  @Test
  void anOarIsAskedInItsOwnWords() throws Exception {
    isOar();
    submit("c5", "gpu=yes AND arch = 'x86'", "/nodes=1/core=2").must(201);
    assertEquals("/nodes=1/core=2", variables().get(OarAsked.RESOURCES));
    assertEquals("gpu='yes' AND arch = 'x86'", variables().get(OarAsked.PROPERTIES));
    assertEquals("2", variables().get("processors"));
    String any =
        "NOT (gpu = 'YES' OR mem < 4.5) AND host IN ('n1','n2') AND cpu LIKE 'Xeon%' AND a <> -1";
    submit("c5", any + " AND b IS NOT NULL", "core=3").must(201);
    assertEquals(any + " AND b IS NOT NULL", variables().get(OarAsked.PROPERTIES));
    assertEquals("core=3", variables().get(OarAsked.RESOURCES));
    assertEquals("3", variables().get("processors"));
    submit("c5", "gpu = 'YES'", "ncpus=4").must(201);
    assertNull(variables().get(OarAsked.RESOURCES), "in PBS's words it is translated");
    assertEquals("4", variables().get("processors"));
  }

  @Test
  void whatAnOarCannotBeAskedForIsRefusedWithItsPlace() throws Exception {
    isOar();
    for (String wrong : List.of("/nodes=2/core=1", "/core=$(reboot)", "core=1;id", "/core=ALL")) {
      Said said = submit("c5", "gpu = 'YES'", wrong).must(400);
      assertEquals("/clusters/c5", said.at("/faults/0/path"), said.text());
      assertTrue(said.at("/faults/0/reason").startsWith("resources: "), said.text());
    }
    submit("c5", "gpu = '$(reboot)'", null).must(400);
    Said open = submit("c5", "gpu = 'YES' AND (a = 1 OR b", null).must(400);
    assertEquals("/clusters/c5/properties", open.at("/faults/0/path"));
    String why = "column 28: =, !=, <>, <, <=, >, >=, IN, LIKE or IS is missing before the end";
    assertEquals(why, open.at("/faults/0/reason"));
    submit("bag", "gpu = 'YES'", "/nodes=1/core=2").must(400);
    assertEquals(List.of(), taken);
  }
}
