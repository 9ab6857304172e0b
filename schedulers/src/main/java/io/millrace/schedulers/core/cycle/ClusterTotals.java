package io.millrace.schedulers.core.cycle;

import io.millrace.schedulers.core.state.SchedulerBooks;
import io.millrace.schedulers.core.state.node.Pool;
import java.util.Map;
import java.util.TreeMap;

/** What all usable nodes of a scheduler have together. */
public final class ClusterTotals {

  private final SchedulerBooks books;

  ClusterTotals(SchedulerBooks books) {
    this.books = books;
  }

  /** What is free of consumable resources on all usable nodes together, by name. */
  public Map<String, Long> freeNow() {
    Map<String, Long> sums = new TreeMap<>();
    for (Pool pool : books.nodes().pools()) {
      for (int i = 0; i < books.names().size(); i++) {
        if (pool.sumCapacity(i) > 0) {
          sums.merge(books.names().name(i), pool.free().sum(i), Long::sum);
        }
      }
    }
    return sums;
  }

  /** What there is of a resource on all usable nodes together. */
  public long capacity(String resource) {
    int number = books.names().number(resource);
    return books.nodes().pools().stream().mapToLong(pool -> pool.sumCapacity(number)).sum();
  }

  /** True when some usable node has a processor free. */
  public boolean anyNodeFree() {
    int processors = books.names().number("ncpus");
    return books.nodes().pools().stream().anyMatch(pool -> pool.free().most(processors) > 0);
  }
}
