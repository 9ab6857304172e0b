package io.millrace.ops.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CarriedRecord;
import io.millrace.schemas.Catalogue;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.console.ConsoleFormatter;
import io.millrace.schemas.fact.SnapshotChunk;
import io.millrace.schemas.fact.SnapshotRecord;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.registry.MemoryRegistry;
import io.millrace.schemas.registry.RegistryIds;
import io.millrace.schemas.registry.SchemaText;
import io.millrace.schemas.state.Routed;
import io.millrace.server.web.registry.RegistryServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConsoleFormatterTest {

  private final MemoryRegistry registry = new MemoryRegistry();

  @BeforeEach
  void register() throws Exception {
    for (Catalogue.CatalogueEntry entry : Catalogue.get().entries()) {
      registry.register(entry.fullName(), SchemaText.published(entry.schema()));
    }
  }

  @Test
  void recordsAndGarbageAndTombstonesAreOneLineEach() throws Exception {
    byte[] id = new byte[16];
    id[15] = 7;
    byte[] reply =
        new WireCodec(new RegistryIds(registry))
            .encode(new Reply(new CommandId(id), 0, List.of("1.vm\n"), false));
    try (RegistryServer server = new RegistryServer(registry, 0, true);
        ConsoleFormatter formatter = new ConsoleFormatter()) {
      formatter.configure(Map.of("schema.registry.url", server.uri().toString()));
      assertEquals(
          "{\"topic\":\"t\",\"partition\":3,\"offset\":4,\"timestamp\":-1,"
              + "\"key\":\"00000000-0000-0000-0000-000000000007\","
              + "\"type\":\"io.millrace.schemas.output.Reply\","
              + "\"value\":{\"id\":\"00000000-0000-0000-0000-000000000007\",\"code\":0,"
              + "\"lines\":[\"1.vm\\n\"],\"interim\":false}}\n",
          line(formatter, id, reply));
      assertEquals(
          "{\"topic\":\"t\",\"partition\":3,\"offset\":4,\"timestamp\":-1,"
              + "\"key\":\"QUEUE/workq\",\"value\":null}\n",
          line(formatter, "QUEUE/workq".getBytes(StandardCharsets.UTF_8), null));
      assertTrue(
          line(formatter, null, new byte[] {0, 0, 0})
              .endsWith(
                  "\"key\":null,\"undecodable\":\"3 bytes where a magic byte and a schema id of"
                      + " 4 bytes are due\",\"value\":\"0x000000\"}\n"));
    }
  }

  @Test
  void whatARecordCarriesIsDecodedToo() throws Exception {
    WireCodec codec = new WireCodec(new RegistryIds(registry));
    ByteBuffer queue = CarriedRecord.of(codec, new Routed("workq", 3L, 4L));
    ByteBuffer garbage = ByteBuffer.wrap(new byte[] {7});
    List<SnapshotRecord> records =
        List.of(new SnapshotRecord("k", queue), new SnapshotRecord("l", garbage));
    FactMeta meta = new FactMeta(2L, 5L, new CommandId(new byte[16]), "");
    byte[] chunk = codec.encode(new SnapshotChunk(meta, 1L, records));
    try (RegistryServer server = new RegistryServer(registry, 0, true);
        ConsoleFormatter formatter = new ConsoleFormatter()) {
      formatter.configure(Map.of("schema.registry.url", server.uri().toString()));
      String line = line(formatter, null, chunk);
      assertTrue(
          line.endsWith(
              "\"snapshot\":1,\"records\":[{\"key\":\"k\",\"record\":{"
                  + "\"type\":\"io.millrace.schemas.state.Routed\","
                  + "\"value\":{\"queue\":\"workq\",\"rank\":3,\"number\":4}}},"
                  + "{\"key\":\"l\",\"record\":{\"undecodable\":\"1 bytes where a magic byte and a"
                  + " schema id of 4 bytes are due\",\"value\":\"0x07\"}}]}}\n"),
          line);
    }
  }

  @Test
  void withoutASourceOfSchemasItSaysWhatIsMissing() {
    try (ConsoleFormatter formatter = new ConsoleFormatter()) {
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> formatter.configure(Map.of()));
      assertTrue(e.getMessage().startsWith("where are the schemas?"), e.getMessage());
    }
  }

  private static String line(ConsoleFormatter formatter, byte[] key, byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    formatter.writeTo(new ConsumerRecord<>("t", 3, 4, key, value), print);
    return out.toString(StandardCharsets.UTF_8);
  }
}
