package io.millrace.schemas.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;

/**
 * Schemas as other tools should see them: without the property that makes generated Java classes
 * use java.lang.String.
 */
public final class SchemaText {

  private static final String JAVA_STRING = "avro.java.string";
  private static final ObjectMapper JSON = new ObjectMapper();

  private SchemaText() {}

  /** One line of JSON. */
  public static String of(Schema schema) {
    return plain(schema).toString();
  }

  /** The schema without properties for Java. */
  public static Schema published(Schema schema) {
    return parse(of(schema));
  }

  /**
   * @throws SchemaParseException when the text is no Avro schema
   */
  public static Schema parse(String text) {
    return new Schema.Parser().parse(text);
  }

  private static JsonNode plain(Schema schema) {
    try {
      return strip(JSON.readTree(schema.toString()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a schema printed itself as something else than JSON", e);
    }
  }

  private static JsonNode strip(JsonNode node) {
    if (node instanceof ArrayNode array) {
      ArrayNode stripped = JSON.createArrayNode();
      array.forEach(item -> stripped.add(strip(item)));
      return stripped;
    }
    if (!(node instanceof ObjectNode object)) {
      return node;
    }
    ObjectNode stripped = JSON.createObjectNode();
    for (Map.Entry<String, JsonNode> field : object.properties()) {
      if (field.getKey().equals("default")) {
        stripped.set(field.getKey(), field.getValue());
      } else if (!field.getKey().equals(JAVA_STRING)) {
        stripped.set(field.getKey(), strip(field.getValue()));
      }
    }
    boolean bareString = stripped.size() == 1 && stripped.path("type").asText().equals("string");
    return bareString ? TextNode.valueOf("string") : stripped;
  }
}
