package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schemas.pbs.origin.OriginWords;
import io.millrace.schemas.state.PolicyInput;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is known of the outside: what stands in the ledger, and nothing else. */
final class OriginInputs {

  private final Map<String, String> contents = new HashMap<>();
  private int version;

  /** All inputs of the scheduler object, as they are now. */
  void read(List<PolicyInput> inputs) {
    contents.clear();
    for (PolicyInput input : inputs) {
      if (input.getReadMs() > 0) {
        contents.put(input.getName(), input.getContent());
      }
    }
    version++;
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
