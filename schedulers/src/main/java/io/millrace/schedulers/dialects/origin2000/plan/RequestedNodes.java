package io.millrace.schedulers.dialects.origin2000.plan;

import io.millrace.schedulers.dialects.origin2000.state.OriginAction;
import io.millrace.schedulers.dialects.origin2000.state.OriginJob;
import io.millrace.schedulers.dialects.origin2000.state.OriginNodes;
import java.util.ArrayList;
import java.util.List;

/** Gives jobs the processors and the memory of whole nodes. */
final class RequestedNodes {

  private static final List<String> UNITS = List.of("b", "kb", "mb", "gb", "tb", "pb", "eb");
  private static final long UNIT = 1024;

  private RequestedNodes() {}

  /** The jobs as they are after their requests were changed. */
  static List<OriginJob> of(List<OriginJob> jobs, CycleContext cycle) {
    List<OriginJob> whole = new ArrayList<>();
    for (OriginJob job : jobs) {
      long nodes = OriginNodes.of(job.ncpus(), job.memory());
      long memory = nodes * OriginNodes.MEMORY;
      long ncpus = nodes * OriginNodes.PROCESSORS;
      if (nodes > 0 && job.memory() == memory && job.ncpus() == ncpus) {
        whole.add(job);
        continue;
      }
      if (job.memory() == 0 || job.memory() != memory) {
        cycle.act(new OriginAction.SetResource(job.id(), "mem", written(memory)));
      }
      if (job.ncpus() == 0 || job.ncpus() != ncpus) {
        cycle.act(new OriginAction.SetResource(job.id(), "ncpus", Long.toString(ncpus)));
      }
      whole.add(cycle.testOnly() ? job : job.with(ncpus, memory));
    }
    return whole;
  }

  /** Bytes in the largest unit in which they are whole. */
  private static String written(long bytes) {
    int unit = 0;
    long count = bytes;
    while (count > 0 && count % UNIT == 0) {
      count /= UNIT;
      unit++;
    }
    return count + UNITS.get(unit);
  }
}
