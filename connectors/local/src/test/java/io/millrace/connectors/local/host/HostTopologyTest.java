package io.millrace.connectors.local.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostTopologyTest {

  /** Two nodes of four cores with two threads each: core 0 has the processors 0 and 8. */
  private static final HostTopology TWO_NODES =
      new HostTopology(
          sets("0-3,8-11", "4-7,12-15"),
          sets("0,8", "1,9", "2,10", "3,11", "4,12", "5,13", "6,14", "7,15"));

  @TempDir Path system;

  private static List<ProcessorSet> sets(String... lists) {
    return List.of(lists).stream().map(ProcessorSet::of).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "within a node, whole cores                | 0-15     | 4  | 0-1,8-9",
        "a node as a whole                         | 0-15     | 8  | 0-3,8-11",
        "in the node that has more                 | 1-15     | 2  | 4,12",
        "half a core where none is whole           | 0-3      | 2  | 0-1",
        "whole cores before halves                 | 0-3,9    | 3  | 0-1,9",
        "on both nodes where neither has so many   | 0-15     | 9  | 0-4,8-11",
        "most of it on the one that has more       | 0-2,4-15 | 11 | 0-1,4-8,12-15",
        "all                                       | 0-15     | 16 | 0-15",
        "not so many                               | 0-2      | 4  |",
        "none is asked for                         | 0-15     | 0  |",
        "what lies in no node                      | 16-19    | 3  | 16-18"
      })
  void processorsAreChosenThatLieTogether(String what, String free, int wanted, String chosen) {
    assertEquals(
        Optional.ofNullable(chosen),
        TWO_NODES.choose(ProcessorSet.of(free), wanted).map(ProcessorSet::text),
        what);
  }

  @Test
  void theKernelTellsWhatLiesTogether() throws IOException {
    file("node/node1/cpulist", "2-3\n");
    file("node/node0/cpulist", "0-1\n");
    file("node/node2/cpulist", "\n");
    file("node/online", "0-2\n");
    for (int i = 0; i < 4; i++) {
      file("cpu/cpu" + i + "/topology/thread_siblings_list", i / 2 * 2 + "-" + (i / 2 * 2 + 1));
    }
    file("cpu/cpufreq/boost", "1\n");
    Files.createDirectories(system.resolve("cpu/cpu4")); // one that is offline
    HostTopology read = HostTopology.read(system);
    assertEquals(sets("0-1", "2-3"), read.nodes());
    assertEquals(sets("0-1", "2-3"), read.cores());
  }

  @Test
  void aKernelThatTellsNothingHasProcessorsAllTheSame() throws IOException {
    HostTopology nothing = HostTopology.read(system.resolve("none"));
    assertEquals("0-1", nothing.choose(ProcessorSet.of("0-7"), 2).orElseThrow().text());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"0-3,8|0-3,8", "''|''", "3,2,1|1-3", "0|0", "5-5,7|5,7"})
  void listsAreTheKernels(String text, String same) {
    assertEquals(same, ProcessorSet.of(text + "\n").text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"all", "3-1", "0-", "-1", "0,,1", "0 1", "0-99999", "1-2-3", ","})
  void whatIsNoListIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> ProcessorSet.of(text));
  }

  private void file(String name, String text) throws IOException {
    Path file = system.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
