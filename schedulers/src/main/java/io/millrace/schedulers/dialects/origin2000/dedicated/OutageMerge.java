package io.millrace.schedulers.dialects.origin2000.dedicated;

import io.millrace.schemas.pbs.origin.Outage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The dedicated times of a host under those of the whole system. */
final class OutageMerge {

  private static final Comparator<Outage> IN_TIME =
      Comparator.comparingLong(Outage::begin).thenComparingLong(Outage::end);

  private OutageMerge() {}

  /**
   * All in the order of time, without overlaps. Where both meet the system's counts: the host's
   * ends a second before it and goes on a second after it.
   */
  static List<Outage> of(List<Outage> host, List<Outage> system) {
    List<Outage> taken = joined(system);
    List<Outage> all = new ArrayList<>(taken);
    for (Outage each : joined(host)) {
      long begin = each.begin();
      for (Outage over : taken) {
        if (over.end() < begin || over.begin() > each.end()) {
          continue;
        }
        keep(all, each.name(), begin, over.begin() - 1);
        begin = over.end() + 1;
      }
      keep(all, each.name(), begin, each.end());
    }
    all.sort(IN_TIME);
    return all;
  }

  private static void keep(List<Outage> all, String name, long begin, long end) {
    if (begin < end) {
      all.add(new Outage(name, begin, end));
    }
  }

  /** The same times, those that overlap as one. */
  private static List<Outage> joined(List<Outage> outages) {
    List<Outage> joined = new ArrayList<>();
    for (Outage each : outages.stream().sorted(IN_TIME).toList()) {
      int last = joined.size() - 1;
      if (last >= 0 && each.begin() <= joined.get(last).end()) {
        Outage before = joined.get(last);
        joined.set(
            last, new Outage(before.name(), before.begin(), Math.max(before.end(), each.end())));
      } else {
        joined.add(each);
      }
    }
    return joined;
  }
}
