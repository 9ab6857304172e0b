package io.millrace.schemas.release;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.registry.SchemaText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/**
 * All records as they were when a version was tagged. Its text is JSON: version, level, the records
 * as one union, in which each type is defined once, and a digest that shows later changes.
 *
 * @param version for example {@code 0.1.0}
 * @param level see {@link SchemaLevel}
 * @param records by full name
 */
record ReleasedVersion(String version, int level, SortedMap<String, Schema> records) {

  static final Pattern VERSION = Pattern.compile("[0-9]+(\\.[0-9]+)*");

  private static final ObjectMapper JSON = new ObjectMapper();

  static ReleasedVersion of(String version, int level, Collection<Schema> records) {
    // As one union, since the records share most of their parts.
    Schema union = SchemaText.published(Schema.createUnion(List.copyOf(records)));
    return of(version, level, union);
  }

  private static ReleasedVersion of(String version, int level, Schema union) {
    SortedMap<String, Schema> byName = new TreeMap<>();
    union.getTypes().forEach(schema -> byName.put(schema.getFullName(), schema));
    return new ReleasedVersion(version, level, byName);
  }

  /**
   * @throws AvroRuntimeException when the text is none that {@link #text} made
   */
  static ReleasedVersion parse(String text) {
    JsonNode node;
    try {
      node = JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AvroRuntimeException("no JSON: " + e.getOriginalMessage(), e);
    }
    Schema union = SchemaText.parse(node.path("records").toString());
    ReleasedVersion found = of(node.path("version").asText(), node.path("level").asInt(), union);
    if (!found.digest().equals(node.path("digest").asText())) {
      throw new AvroRuntimeException("it was changed after its release");
    }
    return found;
  }

  String text() {
    ObjectNode node = JSON.createObjectNode();
    node.put("version", version);
    node.put("level", level);
    node.put("digest", digest());
    try {
      node.set("records", JSON.readTree(union()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a schema printed itself as something else than JSON", e);
    }
    return node.toPrettyString() + "\n";
  }

  private String union() {
    return Schema.createUnion(List.copyOf(records.values())).toString();
  }

  private String digest() {
    String all = version + " " + level + " " + union();
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(sha.digest(all.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has SHA-256", e);
    }
  }
}
