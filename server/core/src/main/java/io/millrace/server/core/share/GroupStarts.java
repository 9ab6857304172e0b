package io.millrace.server.core.share;

import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.pbs.origin.GroupAccounts;
import io.millrace.schemas.pbs.origin.OriginWords;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.schemas.state.Scheduler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What starts of groups cost since the site's file of their use was read. */
public final class GroupStarts {
  private static final String CURRENT = OriginWords.fileInput(GroupAccounts.CURRENT);

  private GroupStarts() {}

  /** Counts a charge, where there is such a file. */
  static void charged(Scheduler scheduler, RunCharge charge) {
    boolean counts = StartUsage.is(charge.getEntity()) && read(scheduler.getInputs()) > 0;
    String group = counts ? StartUsage.group(charge.getEntity()) : "";
    boolean room = scheduler.getGroupStarts().size() < Charges.ENTITIES_MAX;
    if (counts && (room || scheduler.getGroupStarts().containsKey(group))) {
      Map<String, Long> sums = new HashMap<>(scheduler.getGroupStarts());
      sums.merge(group, StartUsage.thousandths(charge.getMilli()), Long::sum);
      scheduler.setGroupStarts(sums);
    }
  }

  /** Other inputs are known: a file that was read anew has what was used until then. */
  public static void inputs(Scheduler scheduler, List<PolicyInput> now) {
    if (read(scheduler.getInputs()) != read(now)) {
      scheduler.setGroupStarts(Map.of());
    }
  }

  /** What groups may use and have used; empty where the files do not count, or are not known. */
  static Optional<GroupAccounts> accounts(Scheduler scheduler) {
    Map<String, String> known = new HashMap<>();
    scheduler.getInputs().stream()
        .filter(it -> it.getReadMs() > 0)
        .forEach(it -> known.put(it.getName(), it.getContent()));
    String allocations = known.get(OriginWords.fileInput(GroupAccounts.ALLOCATIONS));
    String current = known.get(CURRENT);
    return allocations == null || current == null
        ? Optional.empty()
        : Optional.of(GroupAccounts.of(allocations, current, scheduler.getGroupStarts()));
  }

  private static long read(List<PolicyInput> inputs) {
    return inputs.stream()
        .filter(it -> it.getName().equals(CURRENT))
        .mapToLong(PolicyInput::getReadMs)
        .findFirst()
        .orElse(0);
  }
}
