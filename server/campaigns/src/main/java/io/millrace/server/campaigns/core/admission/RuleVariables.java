package io.millrace.server.campaigns.core.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.common.JobSpec;
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
  private static final String TEST_MODE = "test_mode";

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
    jdl.put(TEST_MODE, command.getTest());
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

  /** The longest of what runs on a cluster: a script has a walltime of its own. */
  private long walltimeS(int index) {
    long longest = walltimeS(command.getClusters().get(index).getJob());
    for (CampaignScript script : command.getScripts()) {
      if (script.getCluster() == index) {
        longest = Math.max(longest, walltimeS(script.getJob()));
      }
    }
    return longest;
  }

  /** Without a limit a job is longer than any other. */
  private static long walltimeS(JobSpec job) {
    long walltimeS = job.getRequest().getWalltimeS();
    return walltimeS < 0 ? Long.MAX_VALUE : walltimeS;
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
    merged.put("type", cluster.getType());
    merged.put("processors", (long) cluster.getProcessors());
    merged.put("walltime_s", walltimeS(index));
    merged.put(TEST_MODE, command.getTest());
    Map<String, Object> all = new HashMap<>();
    all.put("user", command.getMeta().getPrincipal());
    all.put("groups", command.getGroups());
    all.put("jdl", jdl);
    all.put("cluster", merged);
    return all;
  }
}
