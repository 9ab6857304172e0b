package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Topics;
import io.millrace.schemas.console.ConsoleFormatter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every topic can be read without Millrace's own programs. */
@Order(2)
@Shared(user = "mrconsumer", site = "second")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConsumerIT {

  /** Magic byte and the number of the schema. */
  private static final int HEADER_BYTES = 5;

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  private final ObjectMapper json = new ObjectMapper();
  private Site site;

  @BeforeAll
  void jobs(Site site, Account user) throws Exception {
    this.site = site;
    Path work = site.folderOf(user, "work");
    String id = site.run(user, work, "qsub -N seen -- /bin/true").must().strip();
    site.awaitState(id, "F");
    site.run(user, work, "qdel $(qsub -h -N gone -- /bin/true)").must();
  }

  static Stream<String> topics() {
    return Stream.concat(
        Stream.of(
            Topics.COMMANDS,
            Topics.LEDGER,
            Topics.REPLIES,
            Topics.DISPATCH,
            Topics.CLUSTER,
            Topics.SCHEMAS,
            Topics.HEARTBEATS,
            Topics.DEAD_LETTERS),
        tables());
  }

  static Stream<String> tables() {
    return Stream.of("jobs", "nodes", "queues", "schedulers", "objects").map(Topics::table);
  }

  @ParameterizedTest
  @MethodSource("topics")
  void eachRecordIsALineOfJson(String topic) throws Exception {
    List<ConsumerRecord<byte[], byte[]>> records =
        TopicContents.records(site.client(KafkaPrincipal.ADMIN), topic);
    assertEquals(topic.equals(Topics.DEAD_LETTERS), records.isEmpty(), topic);
    List<String> lines = new ArrayList<>();
    try (ConsoleFormatter formatter = new ConsoleFormatter()) {
      formatter.configure(Map.of("config", site.home().client(KafkaPrincipal.ADMIN).toString()));
      for (ConsumerRecord<byte[], byte[]> record : records) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        formatter.writeTo(record, new PrintStream(line, true, StandardCharsets.UTF_8));
        lines.add(line.toString(StandardCharsets.UTF_8));
      }
    }
    for (int i = 0; i < lines.size(); i++) {
      assertEquals(lines.get(i).length() - 1, lines.get(i).indexOf('\n'), "one line");
      JsonNode parsed = json.readTree(lines.get(i));
      assertEquals(records.get(i).offset(), parsed.path("offset").asLong());
      boolean avro = !topic.equals(Topics.SCHEMAS) && records.get(i).value() != null;
      assertFalse(avro && parsed.has("undecodable"), lines.get(i));
      boolean sealed = topic.equals(Topics.DISPATCH);
      assertEquals(avro && !sealed, parsed.has("type"), lines.get(i));
      assertEquals(avro && sealed, parsed.has("sealed_bytes"), lines.get(i));
    }
  }

  @Test
  void kafkasConsoleConsumerReadsTheLedgerAsTheReadmeSays() throws Exception {
    Set<String> awaited = Set.of("JobQueued", "RunGranted", "RunFinished", "JobDeleted");
    consume("--topic ledger", "facts " + awaited, lines -> types(lines).containsAll(awaited));
  }

  private static Set<String> types(List<JsonNode> lines) {
    return lines.stream()
        .map(line -> line.path("type").asText().replaceAll(".*\\.", ""))
        .collect(Collectors.toSet());
  }

  @Test
  @Tag("night")
  void kafkasConsoleConsumerReadsTheTables() throws Exception {
    consume(
        "--include 'millrace-.*-changelog'",
        "the job",
        lines ->
            lines.stream()
                .map(line -> line.path("value").path("spec").path("name").asText())
                .anyMatch("seen"::equals));
  }

  /** Reads until the awaited records have come; each line must be JSON. */
  private void consume(String what, String awaited, Predicate<List<JsonNode>> enough)
      throws Exception {
    String java = Path.of(System.getProperty("java.home"), "bin/java").toString();
    Path monitor = site.home().client(KafkaPrincipal.MONITOR);
    Path out = Files.createTempFile(site.folder(), "consumer", ".out");
    Path err = Files.createTempFile(site.folder(), "consumer", ".err");
    String line =
        "exec "
            + java
            + " -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp '"
            + site.libraries()
            + "/*' org.apache.kafka.tools.consumer.ConsoleConsumer --bootstrap-server "
            + site.cluster().bootstrapServers()
            + " --command-config "
            + monitor
            + " --formatter io.millrace.schemas.console.ConsoleFormatter"
            + " --formatter-property config="
            + monitor
            + " --from-beginning "
            + what;
    Process consumer =
        new ProcessBuilder("bash", "-c", line)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      Site.await(
          PATIENCE,
          awaited + "; see " + out + " and " + err,
          () -> enough.test(whole(out)) || !consumer.isAlive());
      assertTrue(
          enough.test(whole(out)), () -> whole(out) + " without " + awaited + ": " + text(err));
    } finally {
      consumer.destroyForcibly().waitFor();
    }
  }

  /** The complete lines. */
  private List<JsonNode> whole(Path out) {
    String text = text(out);
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().map(this::parsed).toList();
  }

  private JsonNode parsed(String line) {
    try {
      return json.readTree(line);
    } catch (JsonProcessingException e) {
      throw new AssertionError(line, e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theRegistryGivesTheSchemaOfARecord() throws Exception {
    ConsumerRecord<byte[], byte[]> record =
        TopicContents.records(site.client(KafkaPrincipal.MONITOR), Topics.LEDGER).get(0);
    ByteBuffer value = ByteBuffer.wrap(record.value());
    assertEquals(0, value.get());
    int id = value.getInt();
    URI uri =
        URI.create(
            "http://127.0.0.1:" + site.cluster().embedded().registry() + "/schemas/ids/" + id);
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode());
    Schema schema = new Schema.Parser().parse(json.readTree(answer.body()).path("schema").asText());
    GenericRecord fact =
        new GenericDatumReader<GenericRecord>(schema)
            .read(
                null,
                DecoderFactory.get()
                    .binaryDecoder(
                        record.value(), HEADER_BYTES, record.value().length - HEADER_BYTES, null));
    assertTrue(schema.getFullName().startsWith("io.millrace.schemas.fact."), schema.getFullName());
    assertEquals(1L, ((GenericRecord) fact.get("meta")).get("seq"));
  }
}
