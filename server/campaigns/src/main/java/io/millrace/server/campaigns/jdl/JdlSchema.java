package io.millrace.server.campaigns.jdl;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON Schema of a document, for editors and other programs. */
public final class JdlSchema {

  private static final String REQUIRED = "required";

  private JdlSchema() {}

  /** Its text, which ends with a line end. */
  public static String text() {
    try {
      return new ObjectMapper()
              .enable(SerializationFeature.INDENT_OUTPUT)
              .writeValueAsString(document())
          + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a table of texts and numbers is no JSON", e);
    }
  }

  private static Map<String, Object> document() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("title", "Campaign");
    schema.putAll(object(JdlFields.all()));
    schema.put(REQUIRED, List.of(JdlFields.NAME, JdlFields.CLUSTERS));
    schema.put("allOf", List.of(supply(), program()));
    schema.put("$defs", Map.of("cluster", object(JdlFields.ofClusters())));
    return schema;
  }

  private static Map<String, Object> object(List<JdlField> fields) {
    Map<String, Object> properties = new LinkedHashMap<>();
    for (JdlField field : fields) {
      Map<String, Object> schema = new LinkedHashMap<>();
      schema.put("description", field.meaning());
      schema.putAll(field.value().schema());
      field.usual().ifPresent(usual -> schema.put("default", usual));
      properties.put(field.name(), schema);
    }
    return ValueKind.ordered(
        "type", "object", "properties", properties, "additionalProperties", false);
  }

  /** Exactly one field says which tasks there are. */
  private static Map<String, Object> supply() {
    List<Object> one = new ArrayList<>();
    JdlFields.SUPPLIES.forEach(name -> one.add(Map.of(REQUIRED, List.of(name))));
    return Map.of("oneOf", one);
  }

  /** Each cluster has a program, or the campaign has one for all. */
  private static Map<String, Object> program() {
    Map<String, Object> required = Map.of(REQUIRED, List.of(JdlFields.EXEC_FILE));
    Map<String, Object> each =
        Map.of("properties", Map.of(JdlFields.CLUSTERS, Map.of("additionalProperties", required)));
    return Map.of("anyOf", List.of(required, each));
  }
}
