package io.millrace.ops.bench.site;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClientLoopsTest {

  @Test
  void eachClientCallsForEachOfItsWords(@TempDir Path folder) throws Exception {
    ClientLoops loops =
        ClientLoops.run(
            folder,
            Map.of("TO", "called"),
            "echo \"$f\" | tee -a $TO",
            "",
            List.of(List.of("a", "b"), List.of("c")));
    assertEquals(
        List.of("a", "b", "c"), loops.calls().stream().map(ClientLoops.TimedCall::word).toList());
    assertEquals(
        List.of("a", "b", "c"),
        Files.readAllLines(folder.resolve("called")).stream().sorted().toList());
    assertTrue(loops.calls().stream().allMatch(call -> call.endUs() >= call.beginUs()));
  }

  @Test
  void aCallThatFailsIsTold(@TempDir Path folder) {
    assertThrows(
        IOException.class,
        () -> ClientLoops.run(folder, Map.of(), "test $f = a", "", List.of(List.of("a", "b"))));
  }

  /** The first client ends only after the second has said far more than a pipe holds. */
  @Test
  void noClientWaitsUntilItIsListenedTo(@TempDir Path folder) throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", folder.resolve("gate") + "").start().waitFor());
    List<String> many = new ArrayList<>(Collections.nCopies(5_000, "word"));
    many.add("open");
    String command = "case $f in await) read x < gate;; open) echo > gate;; esac";
    List<List<String>> words = List.of(List.of("await"), many);
    ClientLoops loops =
        assertTimeoutPreemptively(
            Duration.ofMinutes(2), () -> ClientLoops.run(folder, Map.of(), command, "", words));
    assertEquals(5_002, loops.calls().size());
    try (Stream<Path> left = Files.list(folder)) {
      assertEquals(List.of(folder.resolve("gate")), left.toList());
    }
  }

  @Test
  void thereMayBeMoreWordsThanArgumentsOfAProgram(@TempDir Path folder) throws Exception {
    List<String> words = Collections.nCopies(100_000, "a/file/with/a/name/of/usual/length.sh");
    assertEquals(
        words.size(), ClientLoops.run(folder, Map.of(), ":", "", List.of(words)).calls().size());
  }

  @Test
  void theEndOfWhatAClientSaidIsTold(@TempDir Path folder) {
    List<String> words = new ArrayList<>(Collections.nCopies(100, "good"));
    words.add("bad");
    String command = "{ test $f = good || { echo no such queue >&2; false; }; }";
    IOException failure =
        assertThrows(
            IOException.class,
            () -> ClientLoops.run(folder, Map.of(), command, "", List.of(words)));
    assertTrue(failure.getMessage().endsWith("no such queue"), failure.getMessage());
    assertTrue(failure.getMessage().lines().count() < 10, failure.getMessage());
  }

  @Test
  void theShellsTimesAreRead() {
    assertEquals(61_510, ClientLoops.usedMs("1m1.500s 0m0.010s"), 1e-6);
  }

  @Test
  void scriptsThatBeginTwiceAreNoticed(@TempDir Path folder) throws Exception {
    FolderOfScripts scripts = FolderOfScripts.write(folder, 3);
    List<List<String>> dealt = scripts.dealt(2);
    assertEquals(3, dealt.get(0).size() + dealt.get(1).size());
    ClientLoops.run(folder, Map.of(), "\"$f\"", "", dealt);
    assertEquals(3, scripts.awaitStarts().size());
    ClientLoops.run(folder, Map.of(), "\"$f\"", "", List.of(List.of(dealt.get(1).get(0))));
    assertThrows(IOException.class, scripts::awaitStarts);
  }

  @Test
  void threadsAreGrouped() {
    String list =
        """
        "data-plane-kafka-request-handler-0" #50 daemon prio=5 os_prio=0 cpu=10.50ms elapsed=1s
        "data-plane-kafka-request-handler-1" #51 daemon prio=5 os_prio=0 cpu=1.50ms elapsed=1s
        "C2 CompilerThread0" #9 daemon prio=9 os_prio=0 cpu=7.00ms elapsed=1s tid=0x1 nid=0x2
        "x-StreamThread-1" #60 prio=5 os_prio=0 cpu=3.00ms elapsed=1s
        "somebody" #61 prio=5 os_prio=0 cpu=1.00ms elapsed=1s
        """;
    assertEquals(
        Map.of("requests", 12.0, "compilers", 7.0, "shards", 3.0, "others", 1.0),
        PartTimes.groups(list));
  }
}
