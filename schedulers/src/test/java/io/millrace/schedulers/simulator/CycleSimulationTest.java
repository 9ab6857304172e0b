package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.simulator.ReferenceReplay.Rule;
import io.millrace.schemas.Seeds;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The production cycle decides job by job as the tests' own replay does. */
class CycleSimulationTest {

  private static final int HISTORIES =
      Integer.getInteger("millrace.simulator.histories", Seeds.NIGHT ? 300 : 60);

  @Test
  void smallTracesAreReplayedJobByJob() {
    for (Rule rule : Rule.values()) {
      for (long seed = 1; seed <= HISTORIES; seed++) {
        Workload workload = Traces.made(seed, 5 + (int) (seed % 60));
        Schedule expected = ReferenceReplay.run(workload, rule);
        assertEquals(text(expected), text(cycle(workload, rule)), rule + ", seed " + seed);
      }
    }
  }

  @Test
  void publishedValuesAreMet() throws IOException {
    for (String[] row : Traces.published()) {
      Workload workload = Traces.archived(row[0]);
      Rule rule = Rule.valueOf(row[3].replace('-', '_'));
      Metrics metrics = Metrics.of(cycle(workload, rule));
      String what = row[0] + " " + rule;
      assertEquals(Integer.parseInt(row[2]), metrics.jobs(), what);
      assertEquals(Double.parseDouble(row[4]), metrics.boundedSlowdownMean(), 0.006, what);
      assertEquals(Double.parseDouble(row[5]), metrics.waitMeanS(), 0.6, what);
      assertEquals(Double.parseDouble(row[6]), metrics.utilisation(), 0.0006, what);
    }
  }

  private static Schedule cycle(Workload workload, Rule rule) {
    String name = rule.name().replace('_', '-');
    return Simulation.run(
        workload, SimulatedPolicy.named(name).orElseThrow(), (submitted, jobs) -> {});
  }

  private static String text(Schedule schedule) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < schedule.startS().length; i++) {
      text.append(schedule.workload().jobs().get(i).id()).append('@').append(schedule.startS()[i]);
      text.append(' ');
    }
    return text.toString();
  }
}
