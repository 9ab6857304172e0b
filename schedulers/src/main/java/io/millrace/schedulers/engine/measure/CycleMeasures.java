package io.millrace.schedulers.engine.measure;

import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.output.CycleDone;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Counts cycles as their records go by.
 *
 * @param measures of the process
 * @param next takes the records
 */
public record CycleMeasures(Measures measures, Consumer<CycleDone> next)
    implements Consumer<CycleDone> {

  private static final double US_OF_SECOND = TimeUnit.SECONDS.toMicros(1);

  @Override
  public void accept(CycleDone cycle) {
    String scheduler = cycle.getScheduler();
    measures.observe(Metric.CYCLE_TIME, cycle.getWallUs() / US_OF_SECOND, scheduler);
    measures.set(Metric.CYCLE_JOBS, cycle.getJobs(), scheduler);
    measures.count(Metric.CYCLE_PROMISES, cycle.getPromised(), scheduler);
    measures.count(Metric.CYCLES_CUT, cycle.getLimitHit() ? 1 : 0, scheduler);
    next.accept(cycle);
  }
}
