package io.millrace.ops.bench.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class BenchFiguresTest {

  @Test
  void quantilesAreValuesThatOccurred() {
    double[] values = {5, 1, 4, 2, 3};
    assertEquals(3, BenchFigures.quantile(values, 0.5));
    assertEquals(5, BenchFigures.quantile(values, 0.99));
    assertEquals(1, BenchFigures.quantile(values, 0));
    assertThrows(IllegalArgumentException.class, () -> BenchFigures.quantile(new double[0], 0.5));
  }

  @Test
  void medianOfEachFigure() {
    List<BenchFigures> runs =
        List.of(
            BenchFigures.none().with("a_ms", 1).with("b_ms", 30),
            BenchFigures.none().with("a_ms", 3).with("b_ms", 10),
            BenchFigures.none().with("a_ms", 2).with("b_ms", 20));
    assertEquals(2, BenchFigures.medians(runs).values().get("a_ms"));
    assertEquals(20, BenchFigures.medians(runs).values().get("b_ms"));
    assertEquals(2, BenchFigures.medians(runs.subList(0, 2)).values().get("a_ms"));
  }

  @Test
  void aQueueIsReadFromItsLine() throws IOException {
    String said =
        """
        Queue              Max   Tot Ena Str   Que   Run   Hld   Wat   Trn   Ext Type
        ---------------- ----- ----- --- --- ----- ----- ----- ----- ----- ----- ----
        workq                0     9 yes yes     3     2     1     0     0     1 Exec
        """;
    QueueStatusLine line = QueueStatusLine.of(said, "workq");
    assertEquals(3, line.queued());
    assertEquals(7, line.unfinished());
    assertThrows(IOException.class, () -> QueueStatusLine.of(said, "other"));
  }
}
