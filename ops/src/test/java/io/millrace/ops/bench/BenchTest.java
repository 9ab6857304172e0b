package io.millrace.ops.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is refused before an installation is made. */
class BenchTest {

  private static String refused(String... words) {
    Console console = new Console(System.err, false);
    UsageException refusal =
        assertThrows(UsageException.class, () -> Bench.run(List.of(words), console));
    return refusal.getMessage().lines().findFirst().orElse("");
  }

  /** The second run would create the first one's objects again. */
  @Test
  void theBenchmarkOfSchedulersHasOneRun() {
    assertEquals(
        "millrace bench: schedulers has one run: --runs 1 (see ./millrace bench --help)",
        refused("schedulers", "--runs", "2"));
  }

  @Test
  void aPolicyGoesWithTheCycleOnly() {
    assertEquals(
        "millrace bench: --policy goes with cycle only; simulate has --policies"
            + " (see ./millrace bench --help)",
        refused("timeline", "--policy", "easy"));
    assertEquals(
        "millrace bench: --policy gridengine has a bench of its own: gridengine or origin2000"
            + " (see ./millrace bench --help)",
        refused("cycle", "--policy", "gridengine"));
  }

  @Test
  void aPartIsOfTheBenchmarkOfSchedulersAndHasAName() {
    assertEquals(
        "millrace bench: --only goes with schedulers only (see ./millrace bench --help)",
        refused("array", "--only", "cycles"));
    assertEquals(
        "millrace bench: --only is cycles or cluster, not 'idle' (see ./millrace bench --help)",
        refused("schedulers", "--only", "idle"));
    assertEquals(
        "millrace bench: --jobs goes with throughput, deep-queue, submit, peers, schedulers,"
            + " outside and gaps only (see ./millrace bench --help)",
        refused("array", "--jobs", "100"));
  }

  @Test
  void reservationsHaveTheirOwnNumbers() {
    for (String name : List.of("reserve-rate", "reserve-starts")) {
      assertTrue(
          refused(name, "--jobs", "100").startsWith("millrace bench: --jobs goes with throughput,"),
          name);
    }
  }

  @Test
  void gapsHaveAClusterAndALoadOfTheirOwn() {
    for (String option : List.of("--executor", "--system")) {
      assertEquals(
          "millrace bench: " + option + " does not go with gaps (see ./millrace bench --help)",
          refused("gaps", option, "100"));
    }
    assertEquals(
        "millrace bench: --jobs does not go with cluster-speed (see ./millrace bench --help)",
        refused("cluster-speed", "--jobs", "100"));
    assertTrue(refused("gaps", "--jobs", "1").contains("--jobs"), "one for each shard");
  }

  @Test
  void brokersOfASiteAreNamedWithAnAdministratorOrStartedHere() {
    String see = " (see ./millrace bench --help)";
    assertEquals(
        "millrace bench: --bootstrap-servers and --properties go together" + see,
        refused("throughput", "--bootstrap-servers", "k1:9092"));
    assertEquals(
        "millrace bench: --bootstrap-servers and --properties go together" + see,
        refused("start-latency", "--properties", "admin.properties"));
    assertEquals(
        "millrace bench: --replicated starts brokers, --bootstrap-servers names others" + see,
        refused(
            "throughput", "--replicated", "--bootstrap-servers", "k1:9092", "--properties", "a"));
    for (String[] words :
        List.of(
            new String[] {"qsub", "--replicated"},
            new String[] {"cycle", "--replicated"},
            new String[] {"gaps", "--replicated"})) {
      assertEquals(
          "millrace bench: --replicated goes with throughput and start-latency only" + see,
          refused(words));
    }
  }

  @Test
  void whatNeedsNoInstallationTakesNoneOfItsOptions() {
    for (String[] words :
        List.of(
            new String[] {"cycle", "--jobs", "100"},
            new String[] {"schedulers", "--only", "cycles", "--jobs", "100"})) {
      assertEquals(
          "millrace bench: --jobs is for what measures an installation"
              + " (see ./millrace bench --help)",
          refused(words));
    }
  }

  /** With the quick compiler alone a cycle takes twice as long as in a server. */
  @Test
  void theScriptGivesWhatComputesHereTheGoodCompiler() throws IOException {
    Path root = Path.of(System.getProperty("millrace.root", "..")).toAbsolutePath().normalize();
    String script = Files.readString(root.resolve("millrace"));
    for (String name :
        List.of(
            "cycle",
            "reserve",
            "timeline",
            "origin2000",
            "gridengine",
            "simulate",
            "campaigns",
            "campaign-times")) {
      assertTrue(script.contains("\" bench \"*\"" + name + " \"*"), name);
    }
  }
}
