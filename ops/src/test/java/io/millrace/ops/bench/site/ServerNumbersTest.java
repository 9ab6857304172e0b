package io.millrace.ops.bench.site;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.health.PartKind;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerNumbersTest {

  @Test
  void aNumberIsReadByItsLabel() {
    Measures measures = new Measures();
    measures.count(Metric.ENGINE_FACTS, 7, "b1");
    measures.count(Metric.ENGINE_FACTS, 5, "b2");
    measures.count(Metric.CYCLES_CUT, 3, "b1");
    String text = new String(measures.text(PartKind.SERVER), StandardCharsets.UTF_8);
    assertEquals(Map.of("b1", 7.0, "b2", 5.0), ServerNumbers.read(text, Metric.ENGINE_FACTS));
  }
}
