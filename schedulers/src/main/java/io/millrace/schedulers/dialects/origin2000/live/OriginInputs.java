package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.pbs.origin.GroupAccounts;
import io.millrace.schemas.pbs.origin.OriginWords;
import io.millrace.schemas.pbs.origin.StartUsage;
import io.millrace.schemas.state.PolicyInput;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known of the outside: what stands in the ledger, and nothing else. */
final class OriginInputs {

  private static final String ALLOCATIONS = OriginWords.fileInput(GroupAccounts.ALLOCATIONS);
  private static final String CURRENT = OriginWords.fileInput(GroupAccounts.CURRENT);
  private static final double THOUSANDTHS = 1000;

  private final Map<String, String> contents = new HashMap<>();
  private Map<String, Double> groups = new HashMap<>();
  private long currentMs;
  private int version;

  /** All inputs of the scheduler object, as they are now. */
  void read(List<PolicyInput> inputs) {
    contents.clear();
    long before = currentMs;
    currentMs = 0;
    for (PolicyInput input : inputs) {
      if (input.getReadMs() > 0) {
        contents.put(input.getName(), input.getContent());
      }
      if (input.getName().equals(CURRENT)) {
        currentMs = input.getReadMs();
      }
    }
    if (currentMs != before) {
      groups = new HashMap<>(); // the file has what was used until then
    }
    version++;
  }

  /** What starts of groups cost since the file of their use was read, from a snapshot. */
  void groups(Map<String, Long> starts) {
    starts.forEach((group, sum) -> groups.put(group, sum / THOUSANDTHS));
  }

  void charged(UsageCharged fact) {
    for (RunCharge charge : fact.getCharges()) {
      if (currentMs > 0 && StartUsage.is(charge.getEntity())) {
        double cost = StartUsage.thousandths(charge.getMilli()) / THOUSANDTHS;
        groups.merge(StartUsage.group(charge.getEntity()), cost, Double::sum);
      }
    }
  }

  /** What starts of groups cost since the file of their use was read. */
  Map<String, Double> groups() {
    return new HashMap<>(groups);
  }

  /** Whether both files of allocations are known. */
  boolean knowsAccounts() {
    return contents.containsKey(ALLOCATIONS) && contents.containsKey(CURRENT);
  }

  InputFile allocations() {
    return file(ALLOCATIONS);
  }

  InputFile current() {
    return file(CURRENT);
  }

  private InputFile file(String name) {
    String text = contents.get(name);
    return text == null ? InputFile.NONE : new InputFile(text, 0);
  }

  /** Another number each time that something is new. */
  int version() {
    return version;
  }

  /** What DEDICATED_TIME_COMMAND said of a name; empty when it has not said anything yet. */
  Optional<String> dedicatedTimes(String name) {
    String input = OriginWords.dedicated(OriginWords.shortName(name));
    return Optional.ofNullable(contents.get(input));
  }
}
