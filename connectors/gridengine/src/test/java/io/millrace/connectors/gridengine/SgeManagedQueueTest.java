package io.millrace.connectors.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.recorded.RecordedTexts;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SgeManagedQueueTest {

  private static final ClusterFile FILE =
      new ClusterFile(
          new SgeKind(),
          Map.of(
              "commands", "/usr/bin",
              "as", "self",
              "sge_root", "/sge",
              "sge_cell", "default",
              "sge_qmaster_port", "6444",
              "managed", "millrace",
              "command_limit_s", "20",
              "output_most_mib", "1"),
          Map.of());

  private static final String FORCED = "millrace millrace BOOL == FORCED NO 0 0\n";

  private final Map<String, OutsideAnswer> said = new HashMap<>();

  private List<String> lines(OutsideAnswer complexes) throws InterruptedException {
    said.put("-sq", RecordedTexts.answer(0, "qname all.q\ncomplex_values millrace=TRUE\n", ""));
    said.put("-sc", complexes);
    said.put("-xml", RecordedTexts.answer(0, SgeFixtures.text("qhost.xml"), ""));
    SgeManagedQueue queue = new SgeManagedQueue(FILE, command -> said.get(command.words().get(1)));
    return queue.lines("all.q").stream().map(CheckLine::toString).toList();
  }

  /** A question that failed says nothing of what there is. */
  @Test
  void complexesThatCannotBeRead() throws Exception {
    List<String> lines = lines(RecordedTexts.answer(1, "", "error: commlib error\n"));
    assertEquals(1, lines.stream().filter(it -> it.contains("cannot be read")).count());
    assertEquals(0, lines.stream().filter(it -> it.contains("there is no complex")).count());
  }

  @Test
  void aComplexThatIsForced() throws Exception {
    assertEquals(
        0,
        lines(RecordedTexts.answer(0, FORCED, "")).stream()
            .filter(it -> it.contains("complex"))
            .count());
    assertEquals(
        1,
        lines(RecordedTexts.answer(0, FORCED.replace("FORCED", "YES"), "")).stream()
            .filter(it -> it.contains("there is no complex millrace"))
            .count());
  }
}
