package io.millrace.schemas.pbs.attributes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.common.ObjectKind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LimitEntryTest {

  @Test
  void readsBrackets() {
    String text = " [u:alice=03], [g:PBS_GENERIC=2],[p:x y=1]";
    assertTrue(LimitEntry.parse(text).isEmpty());
    text = " [u:alice=03] , [ g : PBS_GENERIC = 2 ],[o:PBS_ALL=10]";
    assertEquals(
        Optional.of("[u:alice=3],[g:PBS_GENERIC=2],[o:PBS_ALL=10]"),
        AttributeType.LIMITS.normalise(text));
  }

  @Test
  void refusesWhatPbsRefuses() {
    for (String text :
        List.of(
            "",
            "3",
            "u:alice=3",
            "[alice=3]",
            "[x:alice=3]",
            "[u:=3]",
            "[u:alice]",
            "[u:alice=]",
            "[u:alice=-1]",
            "[u:alice=three]",
            "[u:alice=1],[u:alice=2]",
            "[o:alice=1]",
            "[u:PBS_ALL=1]",
            "[u:alice=1],",
            "[u:alice=1][u:bob=2]",
            "[u:a=1],,[u:b=1]",
            "[u:alice=99999999999]")) {
      assertEquals(Optional.empty(), AttributeType.LIMITS.normalise(text), text);
    }
  }

  @Test
  void addsAndTakesAway() {
    String now = "[u:alice=3],[g:staff=2]";
    assertEquals(
        "[u:alice=4],[g:staff=2],[u:bob=1]", LimitEntry.with(now, "[u:alice=4],[u:bob=1]"));
    assertEquals("[u:alice=3]", LimitEntry.without(now, "[g:staff=2]"));
    assertEquals(now, LimitEntry.without(now, "[g:staff=3]"));
    assertEquals("", LimitEntry.without(now, now));
  }

  @Test
  void serverAndQueuesHaveThem() {
    for (ObjectKind kind : List.of(ObjectKind.SERVER, ObjectKind.QUEUE)) {
      assertTrue(AttributeTable.find(kind, "max_run").isPresent());
      assertTrue(AttributeTable.find(kind, "max_run_res.mem").orElseThrow().perResource());
      assertTrue(AttributeTable.find(kind, "max_run_res").isEmpty());
    }
  }
}
