package io.millrace.ops.faults.outside;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.Faults;
import io.millrace.ops.faults.evidence.CommandNote;
import io.millrace.ops.faults.verdict.Defect;
import io.millrace.ops.faults.verdict.Verdict;
import io.millrace.ops.outside.peer.PeerCluster;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The command line of {@code faults --outside}, and what it says in the end. */
class OutsideFaultReportTest {
  private static final Map<String, Integer> KILLS =
      Map.of("forward-c1", 4, "master", 3, "host", 2, "broker", 3);

  private static OutsideFaultSettings settings(String... more) throws UsageException {
    List<String> words = new ArrayList<>(List.of("--outside", "slurm", "--jobs", "40"));
    words.addAll(List.of(more));
    return OutsideFaultsCommand.settings(words);
  }

  private static List<CommandNote> notes(String... faults) {
    return Stream.of(faults)
        .map(it -> new CommandNote(1764000000000L, "sbatch", it, List.of()))
        .toList();
  }

  private static OutsideFaultReport report(
      Verdict verdict, Map<String, Integer> kills, List<CommandNote> notes, int exited)
      throws UsageException {
    return new OutsideFaultReport(settings(), verdict, kills, notes, exited, 61.04);
  }

  @Test
  void allIsWell() throws UsageException {
    List<CommandNote> notes = notes("swallowed", "unsent", "cut", "refused", "doubled", "late");
    OutsideFaultReport report = report(new Verdict(List.of()), KILLS, notes, 33);
    assertEquals(0, report.status());
    assertEquals(
        "{\"jobs\":40,\"kills\":12,\"exited\":33,\"swallowed\":2,\"late\":1,\"cut\":1,\"refused\":1,"
            + "\"doubled\":1,\"lost\":0,\"twice\":0,\"submitted_again\":0,\"ended_early\":0,"
            + "\"disagree\":0,\"unexplained\":0,\"too_few\":0}",
        report.json());
  }

  @Test
  void aFindingIsCountedAndNamed() throws UsageException {
    Verdict verdict =
        new Verdict(List.of(new Defect(Defect.DefectKind.ENDED_EARLY, "4.vm", "is there")));
    OutsideFaultReport report =
        report(verdict, KILLS, notes("swallowed", "cut", "refused", "doubled"), 33);
    assertEquals(1, report.status());
    assertTrue(report.json().contains("\"ended_early\":1,"), report::json);
    assertEquals(List.of("ENDED_EARLY 4.vm: is there"), report.findings());
  }

  @Test
  void aRunInWhichTooLittleCameAboutIsNone() throws UsageException {
    OutsideFaultReport report =
        report(new Verdict(List.of()), Map.of("forward-c1", 4), notes("cut", "refused"), 19);
    assertEquals(1, report.status());
    assertEquals(
        List.of(
            "TOO_FEW of 40 jobs 19 exited by themselves",
            "TOO_FEW no command was swallowed",
            "TOO_FEW no command was doubled",
            "TOO_FEW master was never killed",
            "TOO_FEW host was never killed"),
        report.findings());
  }

  @Test
  void theCommandLine() throws UsageException {
    OutsideFaultSettings settings = settings("--kills", "5", "--sabotage", "no-look-up");
    assertEquals(PeerCluster.SLURM, settings.cluster());
    assertEquals(5, settings.size().kills());
    assertEquals(Optional.of(OutsideSabotage.NO_LOOK_UP), settings.sabotage());
    Console console = new Console(System.err, false);
    assertThrows(UsageException.class, () -> Faults.run(List.of("="), console));
    UsageException system =
        assertThrows(
            UsageException.class, () -> OutsideFaultsCommand.settings(List.of("--outside", "lsf")));
    assertTrue(system.getMessage().contains("gridengine|slurm"), system::getMessage);
    UsageException fault =
        assertThrows(UsageException.class, () -> settings("--sabotage", "start-twice"));
    assertTrue(
        fault.getMessage().contains("no-look-up|no-claim|failed-query-is-end"), fault::getMessage);
  }

  /** Without the job that outlives an outage the outage would wait for it in vain. */
  @Test
  void theJobThatOutlivesAnOutageIsAmongAll() throws UsageException {
    int seed = 0;
    while (OutsideScenario.fewest(seed, 1) == 1) {
      seed++;
    }
    int enough = OutsideScenario.fewest(seed, 1);
    String[] few = {"--seed", "" + seed, "--jobs", "" + (enough - 1)};
    UsageException refused = assertThrows(UsageException.class, () -> settings(few));
    String least = "--jobs is at least " + enough;
    assertTrue(refused.getMessage().contains(least), refused::getMessage);
    few[3] = "" + enough;
    assertEquals(enough, settings(few).size().jobs());
  }
}
