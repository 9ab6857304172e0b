package io.millrace.schemas.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.SchemaParseException;
import org.junit.jupiter.api.Test;

class MemoryRegistryTest {

  private static Schema record(String name) {
    return SchemaBuilder.record(name).fields().requiredString("text").endRecord();
  }

  @Test
  void whatIsAddedIsNotParsedAgain() {
    MemoryRegistry registry = new MemoryRegistry();
    registry.put(new RegisteredSchema("subject", 1, 7, "no schema", 0));
    assertEquals(7, registry.highestId());
    assertThrows(SchemaParseException.class, () -> registry.byId(7));
  }

  @Test
  void equalSchemasShareAnId() throws Exception {
    MemoryRegistry registry = new MemoryRegistry();
    int first = registry.register("first", record("one"));
    assertEquals(first, registry.register("second", SchemaText.parse(record("one").toString())));
    assertNotEquals(first, registry.register("third", record("two")));
  }

  /** Schemas with one hash are told apart by what they say. */
  @Test
  void theHashAloneIsNotBelieved() throws Exception {
    MemoryRegistry registry = new MemoryRegistry();
    String other = record("two").toString();
    registry.put(new RegisteredSchema("first", 1, 1, other, record("one").hashCode()));
    assertEquals(2, registry.register("second", record("one")));
  }
}
