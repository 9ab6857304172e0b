package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideAmounts;
import java.util.List;
import java.util.Optional;

/**
 * The parallel environment of a job. One on several hosts needs another for each number of slots on
 * a host: only an allocation rule that is this number makes it certain that each host gives so
 * many, and that there are as many hosts.
 *
 * @param words of qsub; none for one slot
 * @param refusal why there are none, in one line; empty for nothing
 */
record SgeEnvironment(List<String> words, String refusal) {

  static SgeEnvironment of(ClusterFile file, OutsideAmounts amounts) {
    int slots = amounts.slots();
    if (slots == 1) {
      return new SgeEnvironment(List.of(), "");
    }
    if (!amounts.isEven()) {
      return refused(
          "Grid Engine gives each host of a job as many slots as any other, not "
              + amounts.words()
              + "; ask for as many of each, as with place=scatter");
    }
    String key = amounts.isSpread() ? SgeKeys.PE_HOSTS : SgeKeys.PE;
    Optional<String> given = file.given(key);
    if (given.isEmpty()) {
      String what = amounts.isSpread() ? "more than one host" : "more than one slot";
      return refused(what + " needs the key " + key);
    }
    String name =
        amounts.isSpread() ? named(given.get(), amounts.hosts().get(0).slots()) : given.get();
    return new SgeEnvironment(List.of("-pe", name, Integer.toString(slots)), "");
  }

  private static SgeEnvironment refused(String why) {
    return new SgeEnvironment(List.of(), why);
  }

  /** The environment of so many slots on each host. */
  static String named(String key, int slots) {
    return key.replace(SgeKeys.SLOTS, Integer.toString(slots));
  }
}
