package io.millrace.server.campaigns.core.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.SubmitCampaign;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.InflaterInputStream;

/** What rules know of a campaign. */
final class RuleVariables {

  /** Many times what a description may have beside its parameters. */
  private static final int BYTES_MAX = 8 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CLUSTERS = "clusters";

  private final Map<String, Object> jdl;
  private final List<Object> settings;
  private final SubmitCampaign command;

  private RuleVariables(Map<String, Object> jdl, SubmitCampaign command) {
    this.jdl = jdl;
    this.command = command;
    Object clusters = jdl.get(CLUSTERS);
    this.settings = new ArrayList<>(clusters instanceof Map<?, ?> all ? all.values() : List.of());
  }

  /**
   * Reads the description. A million parameters are no affair of rules: their number is.
   *
   * @throws IOException when it is none
   */
  static RuleVariables of(SubmitCampaign command) throws IOException {
    Map<String, Object> jdl = new HashMap<>();
    if (value(JSON.readTree(bytes(command.getText()))) instanceof Map<?, ?> all) {
      all.forEach((name, value) -> jdl.put(name.toString(), value));
    }
    jdl.remove("params");
    jdl.put("nb_jobs", (long) command.getTasks());
    jdl.put("test_mode", command.getTest());
    return new RuleVariables(jdl, command);
  }

  private static byte[] bytes(CampaignText text) throws IOException {
    byte[] packed = new byte[text.getJson().remaining()];
    text.getJson().duplicate().get(packed);
    try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
      return in.readNBytes(BYTES_MAX);
    }
  }

  private static Object value(JsonNode node) {
    if (node.isObject()) {
      // In the order of the description, which is that of the campaign's clusters.
      Map<String, Object> object = new LinkedHashMap<>();
      node.properties().forEach(it -> object.put(it.getKey(), value(it.getValue())));
      return object;
    }
    if (node.isArray()) {
      List<Object> list = new ArrayList<>();
      node.forEach(it -> list.add(value(it)));
      return list;
    }
    if (node.isBoolean()) {
      return node.booleanValue();
    }
    if (node.isIntegralNumber()) {
      return node.longValue();
    }
    return node.isNumber() ? (Object) node.doubleValue() : node.asText();
  }

  /** For one of the campaign's clusters: its values before those of the campaign. */
  Map<String, Object> of(int index) {
    CampaignCluster cluster = command.getClusters().get(index);
    Map<String, Object> merged = new HashMap<>(jdl);
    merged.remove(CLUSTERS);
    if (index < settings.size() && settings.get(index) instanceof Map<?, ?> own) {
      own.forEach((name, value) -> merged.put(name.toString(), value));
    }
    merged.put("name", cluster.getName());
    merged.put("processors", (long) cluster.getProcessors());
    merged.put("walltime_s", Math.max(0L, cluster.getJob().getRequest().getWalltimeS()));
    Map<String, Object> all = new HashMap<>();
    all.put("user", command.getMeta().getPrincipal());
    all.put("groups", command.getGroups());
    all.put("jdl", jdl);
    all.put("cluster", merged);
    return all;
  }
}
