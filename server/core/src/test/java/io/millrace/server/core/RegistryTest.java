package io.millrace.server.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Catalogue;
import io.millrace.schemas.command.Commands;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.fact.Facts;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Protocol;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** Each command has a decider, each fact an applier, and nobody keeps a list of them. */
class RegistryTest {
  private static final Set<String> FAMILIES = Set.of("user", "engine", "executor", "shard");

  /** Records of a protocol that stand for themselves: they begin with an envelope. */
  private static List<Schema> enveloped(Protocol protocol, Schema envelope) {
    return protocol.getTypes().stream()
        .filter(s -> s.getType() == Schema.Type.RECORD)
        .filter(s -> s.getNamespace().equals(protocol.getNamespace()))
        .filter(
            s -> {
              Schema.Field meta = s.getField("meta");
              return meta != null && meta.schema().equals(envelope);
            })
        .toList();
  }

  @Test
  void everyCommandHasADeciderAFamilyAndASubject() {
    Registry deciders = Registry.ofDeciders(Commands.PROTOCOL);
    List<Schema> commands = enveloped(Commands.PROTOCOL, CommandMeta.SCHEMA$);
    assertFalse(commands.isEmpty());
    for (Schema command : commands) {
      assertTrue(FAMILIES.contains(command.getProp("family")), command.getName());
      assertEquals(0, command.getField("meta").pos(), command.getName());
      assertTrue(deciders.knows(type(command)), command.getName());
    }
    assertEquals(names(commands), names(Catalogue.get().commands().stream()));
  }

  @Test
  void everyFactHasAnApplierAndASubject() {
    Registry appliers = Registry.ofAppliers(Facts.PROTOCOL);
    List<Schema> facts = enveloped(Facts.PROTOCOL, FactMeta.SCHEMA$);
    assertFalse(facts.isEmpty());
    for (Schema fact : facts) {
      assertEquals(0, fact.getField("meta").pos(), fact.getName());
      assertTrue(appliers.knows(type(fact)), fact.getName());
    }
    assertEquals(names(facts), names(Catalogue.get().facts().stream()));
  }

  @Test
  void aRecordWithoutItsMethodFailsTheStart() {
    Protocol protocol = new Protocol("P", "io.millrace.schemas.command");
    Schema stray = Schema.createRecord("Tick", "", "io.millrace.schemas.command", false, List.of());
    stray.addProp("subject", "job.hold");
    protocol.setTypes(List.of(stray));
    IllegalStateException thrown =
        assertThrows(IllegalStateException.class, () -> Registry.ofDeciders(protocol));
    assertTrue(thrown.getMessage().contains("job.hold.Deciders has no public decide"));
  }

  private static Class<?> type(Schema schema) {
    return Catalogue.get().find(schema.getFullName()).orElseThrow().type();
  }

  private static Set<String> names(List<Schema> schemas) {
    return schemas.stream().map(Schema::getFullName).collect(Collectors.toSet());
  }

  private static Set<String> names(java.util.stream.Stream<Catalogue.Entry> entries) {
    return entries.map(Catalogue.Entry::fullName).collect(Collectors.toSet());
  }
}
