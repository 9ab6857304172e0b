package io.millrace.schemas.pbs.attributes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttributeTableTest {

  @Test
  void namesAreFoundInAnyCaseAndSpelledAsInPbs() {
    AttributeDefinition found = AttributeTable.find(ObjectKind.SCHEDULER, "Scheduling").get();
    assertEquals("scheduling", found.name());
    assertEquals("Priority", AttributeTable.find(ObjectKind.QUEUE, "priority").get().name());
    assertEquals(Optional.empty(), AttributeTable.find(ObjectKind.SCHEDULER, "partitions"));
  }

  @Test
  void resourcesAreNamedAfterADotAndOnlyThere() {
    AttributeDefinition found =
        AttributeTable.find(ObjectKind.NODE, "Resources_available.ncpus").get();
    assertEquals(
        "resources_available.ncpus", AttributeTable.spelling(found, "Resources_available.ncpus"));
    assertTrue(AttributeTable.find(ObjectKind.NODE, "resources_available").isEmpty());
    assertTrue(AttributeTable.find(ObjectKind.NODE, "comment.x").isEmpty());
  }

  @Test
  void eachIsFoundByItsKindAndNameAlone() {
    for (ObjectKind kind : ObjectKind.values()) {
      for (AttributeDefinition each : AttributeTable.of(kind)) {
        String name = each.name().toUpperCase(Locale.ROOT);
        Optional<AttributeDefinition> plain = AttributeTable.find(kind, name);
        Optional<AttributeDefinition> ofResource = AttributeTable.find(kind, name + ".mem");
        assertEquals(Optional.of(each), each.perResource() ? ofResource : plain);
        assertEquals(Optional.empty(), each.perResource() ? plain : ofResource, name);
      }
    }
  }

  @Test
  void valuesAreShownInPbsForm() {
    assertEquals(Optional.of("2"), AttributeType.FLOAT.normalise("2.0"));
    assertEquals(Optional.of("-0.5"), AttributeType.FLOAT.normalise(" -.5 "));
    assertEquals(Optional.of("1200"), AttributeType.FLOAT.normalise("1.2e3"));
    for (String none : List.of("", "five", "1,5", "NaN", "1e999", "0x2", "2 3")) {
      assertEquals(Optional.empty(), AttributeType.FLOAT.normalise(none), none);
    }
    assertEquals(Optional.of("True"), AttributeType.BOOLEAN.normalise("t"));
    assertEquals(Optional.empty(), AttributeType.BOOLEAN.normalise("maybe"));
    assertEquals(Optional.of("00:20:34"), AttributeType.DURATION.normalise("1234"));
    assertEquals(Optional.of("01:00:00"), AttributeType.DURATION.normalise("01:00:00"));
    assertEquals(Optional.empty(), AttributeType.DURATION.normalise("xx"));
    assertEquals(Optional.of("-5"), AttributeType.LONG.normalise("-5"));
    assertEquals(Optional.empty(), AttributeType.LONG.normalise("abc"));
    assertEquals(Optional.of("Execution"), AttributeType.QUEUE_TYPE.normalise("e"));
    assertEquals(Optional.of("a,b"), AttributeType.LIST.normalise(" a, b,"));
  }

  @Test
  void rolesMaySetWhatTheTableSays() {
    AttributeDefinition enabled = AttributeTable.find(ObjectKind.QUEUE, "enabled").get();
    AttributeDefinition partition = AttributeTable.find(ObjectKind.QUEUE, "partition").get();
    AttributeDefinition state = AttributeTable.find(ObjectKind.SCHEDULER, "state").get();
    assertTrue(enabled.access().allows(Role.OPERATOR));
    assertFalse(enabled.access().allows(Role.USER));
    assertFalse(partition.access().allows(Role.OPERATOR));
    assertTrue(partition.access().allows(Role.MANAGER));
    assertFalse(state.access().allows(Role.MANAGER));
  }

  @Test
  void noNameStandsTwiceAndDefaultsAreInNormalForm() {
    for (ObjectKind kind : ObjectKind.values()) {
      Set<String> names = new HashSet<>();
      for (AttributeDefinition definition : AttributeTable.of(kind)) {
        assertTrue(names.add(definition.name()), definition.toString());
        String value = definition.defaultValue();
        if (!value.isEmpty()) {
          assertEquals(Optional.of(value), definition.normalise(value), definition.toString());
        }
      }
    }
  }
}
