package io.millrace.server.campaigns.ask;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.millrace.schemas.campaign.AdmissionRule;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** A file of admission rules: a list of objects, each with a rule and a message, in JSON. */
public final class RuleFile {

  public static final int BYTES_MAX = 1 << 20;

  private static final Set<String> FIELDS = Set.of("rule", "message");
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private RuleFile() {}

  /**
   * Reads rules; their expressions are the campaign server's affair.
   *
   * @throws IOException in one line when it has something else
   */
  public static List<AdmissionRule> read(byte[] bytes) throws IOException {
    JsonNode all;
    try {
      all = JSON.readTree(bytes);
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr() + ": ";
      throw new IOException(where + e.getOriginalMessage().lines().findFirst().orElse(""), e);
    }
    if (!all.isArray()) {
      throw new IOException("it is no list of rules");
    }
    List<AdmissionRule> rules = new ArrayList<>();
    for (JsonNode one : all) {
      rules.add(rule(one, "rule " + (rules.size() + 1) + ": "));
    }
    return rules;
  }

  private static AdmissionRule rule(JsonNode one, String name) throws IOException {
    if (!one.isObject()) {
      throw new IOException(name + "it is no object");
    }
    for (Iterator<String> fields = one.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      if (!FIELDS.contains(field)) {
        throw new IOException(name + field + " is no field; it takes rule, message");
      }
    }
    for (String field : List.of("rule", "message")) {
      if (!one.path(field).isTextual()) {
        throw new IOException(name + "it has no text " + field);
      }
    }
    return new AdmissionRule(one.get("rule").textValue(), one.get("message").textValue());
  }

  /** As {@link #read} takes it. */
  public static String text(List<AdmissionRule> rules) throws IOException {
    ArrayNode all = JSON.createArrayNode();
    for (AdmissionRule rule : rules) {
      all.addObject().put("rule", rule.getExpression()).put("message", rule.getMessage());
    }
    return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(all);
  }
}
