package io.millrace.schemas.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schemas.Catalogue;
import io.millrace.schemas.output.KillRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Released schemas stay as they are and stay readable; the gate is seen to fail on broken copies.
 */
class CompatibilityTest {

  private static final Path RELEASED =
      Path.of(System.getProperty("millrace.root"), "schemas", "released");
  private static final String KILL_RUN = "io.millrace.schemas.output.KillRun";

  @TempDir Path copy;

  @BeforeEach
  void copyReleased() throws IOException {
    try (Stream<Path> files = Files.list(RELEASED)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
  }

  private static Collection<Schema> current() {
    return Catalogue.get().entries().stream().map(Catalogue.Entry::schema).toList();
  }

  private List<String> gate(Collection<Schema> schemas) throws IOException {
    return new ReleasedSchemas(copy).problems(schemas);
  }

  @Test
  void theReleasedSchemasOfThisCheckoutPass() throws IOException {
    assertEquals(List.of(), new ReleasedSchemas(RELEASED).problems(current()));
  }

  @Test
  void aReleasedFileThatChangesIsNamed() throws IOException {
    Path file = copy.resolve("output.KillRun-v1.avsc");
    Files.writeString(file, Files.readString(file).replace("\"kill_delay_s\"", "\"delay\""));
    assertTrue(
        gate(current())
            .contains("released file output.KillRun-v1.avsc was changed after its release"));
  }

  @Test
  void aReleasedFileThatDisappearsIsNamed() throws IOException {
    Files.delete(copy.resolve("output.ShardOwner-v1.avsc"));
    assertEquals(
        List.of(
            "released file output.ShardOwner-v1.avsc has disappeared",
            "io.millrace.schemas.output.ShardOwner is not released: run schemas/release.sh"),
        gate(current()));
  }

  @Test
  void aFileThatNobodyReleasedIsNamed() throws IOException {
    String fresh = killRun(last() + 1);
    Files.copy(copy.resolve(killRun(last())), copy.resolve(fresh));
    assertEquals(List.of("file " + fresh + " is not in the list HASHES"), gate(current()));
  }

  @Test
  void aRecordThatDisappearsIsNamed() throws IOException {
    List<Schema> without =
        current().stream().filter(s -> !s.getFullName().equals(KILL_RUN)).toList();
    assertEquals(List.of(KILL_RUN + " was released and has disappeared"), gate(without));
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
  void aNewFieldWithDefaultAsksOnlyForARelease() throws IOException {
    Consumer<ArrayNode> change =
        fields -> fields.addObject().put("name", "why").put("type", "string").put("default", "");
    assertEquals(
        List.of(
            "%s differs from its last released version %d: run schemas/release.sh"
                .formatted(KILL_RUN, last())),
        gate(changed(change)));
  }

  /** The last released version. */
  private int last() {
    int version = 1;
    while (Files.exists(copy.resolve(killRun(version + 1)))) {
      version++;
    }
    return version;
  }

  private static String killRun(int version) {
    return "output.KillRun-v" + version + ".avsc";
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
