package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.run.BridgeParts;
import io.millrace.connectors.bridge.run.BridgeTerms;
import io.millrace.connectors.bridge.run.OutsideBridge;
import io.millrace.connectors.bridge.run.OutsideRun;
import io.millrace.connectors.bridge.run.OutsideRunState;
import io.millrace.connectors.bridge.run.RunJournal;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideShare;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.schemas.MemoryFolder;
import io.millrace.schemas.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Histories of runs with faults of all commands and kills at any command: no script is begun twice,
 * none is lost, none is called ended while it lives.
 */
class OnceAndOnEvidencePropertyTest {

  private static final OutsideShare SHARE = new OutsideShare(1, 0, 1);

  private static final int RUNS = 80;
  private static final int STEPS_MOST = 4_000;

  @TempDir(factory = MemoryFolder.class)
  Path folder;

  /** One history. */
  private final class History {
    private final Random random;
    private final HandClock clock = new HandClock();
    private final SimulatedSlurm slurm;
    private final CommandFaults faults;
    private final ClusterFile file;
    private final SimulatedCluster cluster;
    private final UnaryOperator<OutsideSystem> planted;
    private final List<OutsideTag> ordered = new ArrayList<>();
    private final Set<OutsideTag> deleted = new HashSet<>();
    private RunJournal journal;
    private OutsideBridge bridge;
    private int kills;

    History(
        SimulatedCluster cluster, long seed, UnaryOperator<OutsideSystem> planted, boolean claims)
        throws Exception {
      this.cluster = cluster;
      random = new Random(seed);
      this.planted = planted;
      Path home = Files.createTempDirectory(folder, "history");
      slurm = new SimulatedSlurm(clock, seed, home.resolve("jobcomp"), "alice");
      if (!claims) {
        slurm.withoutClaims();
      }
      faults =
          new CommandFaults(
              cluster.real(slurm, clock, seed),
              clock,
              seed,
              clock::pass,
              Set.of(cluster.submitting()));
      faults.kills();
      Path properties = home.resolve("c1.properties");
      Files.writeString(
          properties,
          "name = c1\nspool = /spool\nuser.alice = alice\nsystem = "
              + cluster.kind().name()
              + "\n"
              + cluster.keys(home));
      file = ClusterFile.read(properties, List.of(cluster.kind()));
      open(home);
    }

    private void open(Path home) throws Exception {
      journal = RunJournal.open(home.resolve("journal"));
      OutsideSystem system = planted.apply(cluster.open(file, faults));
      BridgeTerms terms =
          new BridgeTerms(
              Duration.ofSeconds(5),
              Duration.ofSeconds(300),
              Duration.ofSeconds(file.number("command_limit_s")),
              Duration.ofSeconds(10),
              Duration.ofSeconds(30),
              40,
              40,
              10_000,
              1);
      bridge = new OutsideBridge(new BridgeParts(system, slurm, journal, terms, clock));
      this.home = home;
    }

    private Path home;

    private void step() throws Exception {
      try {
        bridge.step();
      } catch (CommandFaults.Killed e) {
        kills++;
        journal.close();
        open(home);
      }
      clock.pass(Duration.ofMillis(200 + random.nextInt(3000)));
      check();
    }

    private void check() {
      for (OutsideRun run : bridge.runs()) {
        OutsideTag tag = run.tag();
        assertTrue(slurm.begun(tag) <= 1, () -> tag + " was begun twice");
        assertTrue(
            slurm.copies(tag) <= 1 || slurm.marks(tag).stream().anyMatch(this::wasLate),
            () -> tag + " was submitted twice though the first could be found");
        assertTrue(
            run.state() != OutsideRunState.ENDED || !slurm.lives(tag),
            () -> tag + " is called ended and lives: " + run);
      }
    }

    /** Runs that go together to an OAR are known by the names of their scripts. */
    private boolean wasLate(OutsideTag tag) {
      return faults.wasLate(cluster.word(tag)) || faults.wasLateWith("/" + tag + ".");
    }

    void play() throws Exception {
      int steps = 0;
      while (ordered.size() < RUNS) {
        for (int k = random.nextInt(4); k > 0 && ordered.size() < RUNS; k--) {
          OutsideTag tag = new OutsideTag("c1", job(ordered.size()), 1);
          ordered.add(tag);
          assertTrue(bridge.order(order(tag)));
        }
        if (random.nextInt(6) == 0 && !ordered.isEmpty()) {
          OutsideTag tag = ordered.get(random.nextInt(ordered.size()));
          bridge.delete(tag);
          deleted.add(tag);
        }
        step();
        steps++;
      }
      for (int i = 0; i < 300; i++) {
        if (random.nextInt(20) == 0) {
          deleteOneThatRuns();
        }
        step();
      }
      faults.off();
      while (bridge.runs().stream().anyMatch(it -> it.state() != OutsideRunState.ENDED)) {
        step();
        assertTrue(++steps < STEPS_MOST, () -> "not ended: " + open());
      }
      clock.pass(Duration.ofMinutes(10));
      check();
      assertEquals(RUNS, bridge.runs().size());
      bridge.runs().forEach(this::assertTrueEnd);
      journal.close();
    }

    /** Some are jobs, and some subjobs of arrays of three. */
    private static String job(int number) {
      return number % 5 < 2 ? Integer.toString(number) : 1000 + number / 5 + "-" + number;
    }

    private void deleteOneThatRuns() throws Exception {
      Optional<OutsideRun> run =
          bridge.runs().stream().filter(it -> it.state() == OutsideRunState.RUNNING).findFirst();
      if (run.isPresent()) {
        bridge.delete(run.get().tag());
        deleted.add(run.get().tag());
      }
    }

    private List<String> open() {
      return bridge.runs().stream()
          .filter(it -> it.state() != OutsideRunState.ENDED)
          .map(it -> it.tag() + " " + it.state() + " " + it.id())
          .toList();
    }

    private void assertTrueEnd(OutsideRun run) {
      OutsideTag tag = run.tag();
      boolean begun = slurm.begun(tag) == 1;
      OutsideCause cause = run.end().orElseThrow().cause();
      assertTrue(begun || deleted.contains(tag), () -> tag + " was lost: " + run);
      Optional<Integer> status = slurm.status(tag);
      if (status.isPresent() && cause == OutsideCause.EXITED) {
        assertEquals(status.get(), run.end().orElseThrow().status(), tag::toString);
      }
      assertTrue(
          cause != OutsideCause.EXITED || status.isPresent(),
          () -> tag + " has not exited: " + run);
      if (begun) {
        assertTrue(
            cause == OutsideCause.EXITED || cause == OutsideCause.CANCELLED,
            () -> "how it ended is not known: " + run);
      }
    }

    /** One in four that is no subjob has two. */
    private static int hosts(OutsideTag tag) {
      return tag.job().indexOf('-') < 0 && tag.job().hashCode() % 4 == 0 ? 2 : 1;
    }

    private OutsideSubmission order(OutsideTag tag) {
      return new OutsideSubmission(
          tag,
          "alice",
          "x",
          new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
          new OutsideAmounts(Collections.nCopies(hosts(tag), SHARE), Optional.empty()),
          new OutsideSubmission.SubmittedScript(new byte[] {'#'}, List.of(), Map.of(), "/"));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "SLURM, 1", "SLURM, 2", "SLURM, 3", "SLURM, 4", "SLURM, 5",
    "OAR, 1", "OAR, 2", "OAR, 3", "OAR, 4", "OAR, 5"
  })
  void onceAndOnEvidence(SimulatedCluster cluster, int number) throws Exception {
    History history =
        new History(cluster, Seeds.TODAY * 31 + number, UnaryOperator.identity(), true);
    history.play();
    assertTrue(history.faults.count() > 20, "faults: " + history.faults.count());
    assertTrue(history.kills > 0, "kills: " + history.kills);
    boolean arrays = cluster == SimulatedCluster.SLURM;
    assertEquals(arrays, history.slurm.tasks() > 5, "tasks: " + history.slurm.tasks());
  }

  /** Its record came while it was not known which task it was, and the queue had forgotten it. */
  @Test
  void aDeletedTaskOfWhichNothingIsToldWasCancelled() throws Exception {
    boolean found = false;
    for (int number = 1; number < 40 && !found; number++) {
      History history =
          new History(
              SimulatedCluster.SLURM, 20261129L * 31 + number, UnaryOperator.identity(), true);
      history.play();
      found =
          history.bridge.runs().stream()
              .flatMap(it -> it.end().stream())
              .filter(it -> it.words().equals("not known outside, and no record of it"))
              .anyMatch(it -> it.cause() == OutsideCause.CANCELLED);
    }
    assertTrue(found, "no history had such a task");
  }

  /** A history with a planted fault, of which a check must say something. */
  private String found(
      SimulatedCluster cluster, UnaryOperator<OutsideSystem> planted, boolean claims) {
    for (int number = 1; number < 20; number++) {
      long seed = Seeds.TODAY * 31 + number;
      try {
        new History(cluster, seed, planted, claims).play();
      } catch (AssertionError e) {
        return e.getMessage();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
    throw new AssertionError("nothing was found");
  }

  @ParameterizedTest
  @EnumSource
  void aLookThatIsNotTakenIsFound(SimulatedCluster cluster) {
    String said = found(cluster, PlantedFaults::withoutLooks, true);
    assertTrue(said.contains("submitted twice"), said);
  }

  /** Of an OAR no ends are concluded from accounting: the claims alone keep this harmless. */
  @Test
  void aFailedQueryThatCountsAsAnEmptyQueueIsFound() {
    String said = found(SimulatedCluster.SLURM, PlantedFaults::emptyWhenSilent, true);
    assertTrue(said.contains("ended and lives"), said);
  }

  @ParameterizedTest
  @EnumSource
  void aWrapperWithoutAClaimIsFound(SimulatedCluster cluster) {
    String said = found(cluster, UnaryOperator.identity(), false);
    // A status that a wrapper can have counts, where no claim is left, as that of one.
    assertTrue(
        said.contains("begun twice")
            || said.contains("ended and lives")
            || said.contains("how it ended is not known"),
        said);
  }
}
