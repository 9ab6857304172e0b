package io.millrace.schedulers.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.simulator.ReferenceReplay.Rule;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/**
 * The tests' own replay reproduces the published values, so that the cycle can be compared with it.
 */
class ReferenceSimulationTest {

  @Test
  void publishedValuesAreMet() throws IOException {
    for (String[] row : Traces.published()) {
      Workload workload = Traces.archived(row[0]);
      Rule rule = Rule.valueOf(row[3].replace('-', '_'));
      Metrics metrics = Metrics.of(ReferenceReplay.run(workload, rule));
      assertEquals(Integer.parseInt(row[2]), metrics.jobs(), row[0]);
      double published = Double.parseDouble(row[4]);
      assertEquals(published, metrics.boundedSlowdownMean(), 0.006, row[0] + rule);
      assertEquals(Double.parseDouble(row[5]), metrics.waitMeanS(), 0.6, row[0] + rule);
      assertEquals(Double.parseDouble(row[6]), metrics.utilisation(), 0.0006, row[0] + rule);
    }
  }
}
