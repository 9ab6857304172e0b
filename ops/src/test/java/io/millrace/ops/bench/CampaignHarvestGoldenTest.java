package io.millrace.ops.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.simulate.TraceFile;
import io.millrace.schedulers.campaigns.harvest.HarvestFigures;
import io.millrace.schedulers.campaigns.harvest.HarvestReplay;
import io.millrace.schedulers.campaigns.harvest.IdleProcessors;
import io.millrace.schedulers.campaigns.harvest.TaskMix;
import io.millrace.schedulers.campaigns.predictors.Predictors;
import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schedulers.simulator.Simulation;
import io.millrace.schedulers.simulator.Workload.SameSecond;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What predictors harvest over the local jobs of a trace, against a table made elsewhere. */
class CampaignHarvestGoldenTest {

  private static final Path SHARED =
      Path.of(System.getProperty("millrace.root", ".")).resolve("../shared").normalize();

  private static final Path TABLE = SHARED.resolve("goldens/campaigns/predictors.csv");
  private static final Path TRACE = SHARED.resolve("traces/KTH-SP2-1996-2.1-cln.swf.gz");

  /** Random numbers differ between implementations. */
  private static final double AGREEMENT = 0.02;

  private static IdleProcessors local;

  /** A line of the table. */
  private record Row(int processors, int meanS, String policy, double harvest) {
    static Row of(String line) {
      String[] fields = line.split(",");
      return new Row(
          Integer.parseInt(fields[4]),
          Integer.parseInt(fields[5]),
          fields[6].replaceFirst("^always-enough.*", ComparedPredictors.POSSIBLE),
          Double.parseDouble(fields[7]));
    }
  }

  @BeforeAll
  static void localJobs() throws IOException {
    if (!Files.exists(TABLE) || !Files.exists(TRACE)) {
      Assumptions.abort("there is no " + TABLE + " or no " + TRACE);
    }
    SimulatedPolicy easy = SimulatedPolicy.named("easy").orElseThrow();
    local =
        IdleProcessors.of(
            Simulation.run(TraceFile.read(TRACE, 0, SameSecond.SHORTEST), easy, (done, all) -> {}),
            60 * 86_400L,
            90 * 86_400L);
  }

  @Test
  void eachHarvestIsThatOfTheTable() throws IOException {
    if (local == null) {
      return;
    }
    assertEquals(0.324, local.processorSeconds() / (100 * 30 * 86_400.0), 0.001);
    List<Row> rows = Files.readAllLines(TABLE).stream().skip(1).map(Row::of).toList();
    assertTrue(rows.size() >= 30, rows.size() + " rows");
    for (Row row : rows) {
      HarvestFigures got = harvest(row.policy(), row.processors(), row.meanS());
      assertEquals(row.harvest(), got.share().harvest(), AGREEMENT, row::toString);
    }
  }

  @Test
  void steadyGetsNearlyAllThatIsPossibleAndIsInNobodysWay() {
    if (local == null) {
      return;
    }
    for (int meanS : List.of(60, 600, 3_600)) {
      HarvestFigures possible = harvest(ComparedPredictors.POSSIBLE, 1, meanS);
      HarvestFigures steady = harvest(Predictors.names().get(0), 1, meanS);
      assertTrue(
          steady.share().harvest() >= 0.99 * possible.share().harvest(),
          steady + " of " + possible);
      assertTrue(steady.waiting().mean() <= 3, steady::toString);
      assertTrue(steady.takenBack() <= 0.02 * steady.done(), steady::toString);
    }
  }

  private static HarvestFigures harvest(String policy, int processors, int meanS) {
    return HarvestReplay.run(
        local,
        new TaskMix(processors, meanS, 1),
        ComparedPredictors.find(policy).orElseThrow(() -> new AssertionError(policy)));
  }
}
