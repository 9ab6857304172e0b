package io.millrace.schemas.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.output.KillRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.avro.Schema;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Released schemas stay readable. That the gate fails is shown with broken copies of the present
 * records, released into a temporary folder.
 */
class CompatibilityTest {

  private static final Path RELEASED =
      Path.of(System.getProperty("millrace.root"), "schemas", "released");
  private static final String KILL_RUN = "io.millrace.schemas.output.KillRun";

  private static final String VERSION = "0.1.0";
  private static final int LEVEL = 1;

  @TempDir static Path today;
  @TempDir Path copy;

  private Path file;

  @BeforeAll
  static void releaseToday() throws IOException {
    assertEquals(0, ReleaseSchemas.release(today, VERSION, current(), LEVEL));
  }

  @BeforeEach
  void copyReleased() throws IOException {
    file = copy.resolve(VERSION + ".json");
    Files.copy(today.resolve(VERSION + ".json"), file);
  }

  private static Collection<Schema> current() {
    return ReleaseSchemas.current();
  }

  private int release(String version, Collection<Schema> records, int level) throws IOException {
    return ReleaseSchemas.release(copy, version, records, level);
  }

  private List<String> gate(Collection<Schema> schemas) throws IOException {
    return gate(schemas, LEVEL);
  }

  private List<String> gate(Collection<Schema> schemas, int level) throws IOException {
    return new ReleasedSchemas(copy).problems(schemas, level);
  }

  @Test
  void theSchemasOfThisCheckoutPass() throws IOException {
    List<String> problems = new ReleasedSchemas(RELEASED).problems(current(), SchemaLevel.OWN);
    assertEquals(List.of(), problems);
  }

  @Test
  void whatWasJustReleasedPasses() throws IOException {
    assertEquals(List.of(), gate(current()));
  }

  @Test
  void aFolderWithoutAVersionPassesAtTheFirstLevelOnly() throws IOException {
    Files.delete(file);
    assertEquals(List.of(), gate(current()));
    assertEquals(
        List.of(
            "SchemaLevel.OWN is 2 and must be 1: records differ from the last released version"),
        gate(current(), 2));
  }

  @Test
  void aReleasedFileThatChangesIsNamed() throws IOException {
    Files.writeString(file, Files.readString(file).replace("\"kill_delay_s\"", "\"delay\""));
    assertEquals(
        List.of("released file 0.1.0.json: it was changed after its release"), gate(current()));
    Files.writeString(file, "{}");
    assertTrue(gate(current()).get(0).startsWith("released file 0.1.0.json: "));
  }

  @Test
  void aReleasedFileThatDisappearsIsMissed() throws IOException {
    assertEquals(0, release("0.2.0", changed(CompatibilityTest::addWhy), 2));
    Files.delete(file);
    assertEquals(
        List.of("version 0.2.0 has level 2: one is missing"),
        gate(changed(CompatibilityTest::addWhy), 2));
  }

  @Test
  void aFileUnderAnotherNameIsNamed() throws IOException {
    Files.copy(file, copy.resolve("0.3.0.json"));
    assertEquals(List.of("released file 0.3.0.json is that of another version"), gate(current()));
  }

  @Test
  void aVersionIsReleasedOnce() throws IOException {
    String before = Files.readString(file);
    assertEquals(1, release(VERSION, current(), LEVEL));
    assertEquals(before, Files.readString(file));
  }

  @Test
  void aRecordThatDisappearsIsNamed() throws IOException {
    List<Schema> without =
        current().stream().filter(s -> !s.getFullName().equals(KILL_RUN)).toList();
    assertEquals(List.of(KILL_RUN + " was released with 0.1.0 and is gone"), gate(without));
  }

  @Test
  void aRemovedFieldFails() throws IOException {
    assertFails(fields -> remove(fields, "host"), "host");
  }

  @Test
  void aChangedTypeFails() throws IOException {
    assertFails(fields -> ((ObjectNode) field(fields, "run")).put("type", "string"), "run");
  }

  @Test
  void aNewFieldWithoutDefaultFails() throws IOException {
    assertFails(fields -> fields.addObject().put("name", "why").put("type", "string"), "why");
  }

  @Test
  void everyReleasedVersionCounts() throws IOException {
    assertEquals(0, release("0.2.0", changed(CompatibilityTest::addWhy), 2));
    List<String> problems = gate(changed(fields -> remove(fields, "host")), 3);
    assertTrue(problems.stream().anyMatch(p -> p.contains("version 0.1.0")), problems.toString());
    assertTrue(problems.stream().anyMatch(p -> p.contains("version 0.2.0")), problems.toString());
  }

  @Test
  void aNewFieldWithDefaultAsksOnlyForAHigherLevel() throws IOException {
    Collection<Schema> more = changed(CompatibilityTest::addWhy);
    assertEquals(
        List.of(
            "SchemaLevel.OWN is 1 and must be 2: records differ from the last released version"),
        gate(more));
    assertEquals(List.of(), gate(more, 2));
    assertEquals(
        List.of(
            "SchemaLevel.OWN is 2 and must be 1: no record differs from the last released version"),
        gate(current(), 2));
  }

  private static void addWhy(ArrayNode fields) {
    fields.addObject().put("name", "why").put("type", "string").put("default", "");
  }

  private void assertFails(Consumer<ArrayNode> change, String field) throws IOException {
    List<String> problems = gate(changed(change));
    assertTrue(!problems.isEmpty(), "the gate let it pass");
    assertTrue(
        problems.stream().allMatch(p -> p.startsWith(KILL_RUN) && p.contains("annot read")),
        problems.toString());
    assertTrue(problems.stream().anyMatch(p -> p.contains(field)), problems.toString());
  }

  private static Collection<Schema> changed(Consumer<ArrayNode> change) throws IOException {
    ObjectNode schema = (ObjectNode) new ObjectMapper().readTree(KillRun.SCHEMA$.toString());
    change.accept((ArrayNode) schema.get("fields"));
    Schema broken = new Schema.Parser().parse(schema.toString());
    return current().stream().map(s -> s.getFullName().equals(KILL_RUN) ? broken : s).toList();
  }

  private static JsonNode field(ArrayNode fields, String name) {
    for (JsonNode field : fields) {
      if (field.path("name").asText().equals(name)) {
        return field;
      }
    }
    throw new AssertionError("KillRun has no field " + name);
  }

  private static void remove(ArrayNode fields, String name) {
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).path("name").asText().equals(name)) {
        fields.remove(i);
        return;
      }
    }
    throw new AssertionError("KillRun has no field " + name);
  }
}
