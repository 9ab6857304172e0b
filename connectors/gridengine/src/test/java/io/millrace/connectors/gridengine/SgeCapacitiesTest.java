package io.millrace.connectors.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.recorded.RecordedTexts;
import io.millrace.connectors.bridge.system.OutsideHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is known of hosts some of which qmaster tells nothing of. */
class SgeCapacitiesTest {

  private static final int HOSTS = 60;
  private static final Map<String, Long> HAS = Map.of("ngpus", 2L);

  private final List<String> asked = new ArrayList<>();
  private final Set<String> refused = new HashSet<>();
  private Duration takes = Duration.ofMillis(20);
  private SgeCapacities capacities;

  @BeforeEach
  void open() throws Exception {
    Map<String, String> values =
        new LinkedHashMap<>(
            Map.of(
                "name", "c1",
                "system", "gridengine",
                "sge_root", "/sge",
                "spool", "/spool",
                "as", "sudo",
                "user.alice", "alice",
                "resource.ngpus", "gpu"));
    ClusterFile file = ClusterFile.of(values, List.of(new SgeKind()), it -> "");
    capacities =
        new SgeCapacities(
            file, this::run, new SgeComplexes(file.resources(), file.given(SgeKeys.MEMORY)));
  }

  private OutsideAnswer run(OutsideCommand command) {
    String host = command.words().get(command.words().size() - 1);
    asked.add(host);
    return refused.contains(host)
        ? new OutsideAnswer(
            OutsideAnswer.ProcessEnding.EXITED, 1, "", host + " is not an exec host\n", takes)
        : RecordedTexts.answer(0, "hostname " + host + "\ncomplex_values gpu=2\n", "");
  }

  private static List<OutsideHost> hosts() {
    return IntStream.range(0, HOSTS)
        .mapToObj(it -> new OutsideHost("n" + it, true, "", 4, 1, Map.of()))
        .toList();
  }

  private long known() throws Exception {
    return capacities.of(hosts()).stream().filter(it -> it.resources().equals(HAS)).count();
  }

  @Test
  void hostsThatAreRefusedKeepNoOthersWaiting() throws Exception {
    IntStream.range(0, 25).forEach(it -> refused.add("n" + it));
    long known = 0;
    for (int i = 0; i < 4; i++) {
      asked.clear();
      known = known();
      assertTrue(asked.size() <= 24, asked::toString);
    }
    assertEquals(HOSTS - 25, known);
    asked.clear();
    assertEquals(HOSTS - 25, known());
    assertEquals(4, asked.size(), "two of each, with each look: " + asked);
    refused.clear();
    for (int i = 0; i < 13; i++) {
      known = known();
    }
    assertEquals(HOSTS, known, "they are asked for again");
  }

  /** One that is refused later keeps what is known of it, and its turn comes after the others'. */
  @Test
  void whatIsKnownOfAHostStaysKnown() throws Exception {
    for (int i = 0; i < 3; i++) {
      known();
    }
    refused.add("n0");
    asked.clear();
    for (int i = 0; i < HOSTS / 2; i++) {
      assertEquals(HOSTS, known());
    }
    assertEquals(HOSTS, new HashSet<>(asked).size());
  }

  @Test
  void aMasterThatHangsIsNotAskedForEachHost() throws Exception {
    IntStream.range(0, HOSTS).forEach(it -> refused.add("n" + it));
    takes = Duration.ofSeconds(20);
    known();
    assertEquals(List.of("n0"), asked);
    known();
    assertEquals(List.of("n0", "n1"), asked, "another one first");
  }
}
