package io.millrace.ops.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How much of an answer a process that forwards can take in, whatever a file asks for. */
class AnswerHeapTest {

  @TempDir Path home;

  private Optional<String> said(String... more) throws Exception {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = c1",
                "system = slurm",
                "cluster_name = hand",
                "spool = /spool",
                "user.alice = alice"));
    lines.addAll(List.of(more));
    Path file = Files.write(home.resolve("c1.properties"), lines);
    return OutsideWord.heap(ClusterFile.read(file, OutsideWord.kinds())).map(it -> it.line());
  }

  @Test
  void moreThanItsHeapTakesIsNamed() throws Exception {
    assertEquals(Optional.empty(), said(), "nothing was asked for");
    assertEquals(Optional.empty(), said("output_most_mib = 48"));
    assertEquals(
        Optional.of(
            "wrong: output_most_mib = 300 is more than a quarter of the heap that forward has"
                + " usually, 192m; begin with 'up --heap forward=1200m'"),
        said("output_most_mib = 300"));
  }
}
