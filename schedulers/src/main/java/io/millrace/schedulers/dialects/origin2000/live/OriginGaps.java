package io.millrace.schedulers.dialects.origin2000.live;

import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** What a live scheduler cannot do of a configuration: it refuses it rather than ignores it. */
final class OriginGaps {

  private static final Map<OriginOption, String> GAPS = new EnumMap<>(OriginOption.class);

  static {
    GAPS.put(
        OriginOption.MANAGE_HPM_COUNTERS,
        "a live scheduler switches no counters; a prologue of the hosts can");
  }

  private OriginGaps() {}

  /** Why a live scheduler does not take a configuration: the option and the reason. */
  static Optional<String> of(OriginConfig config) {
    for (Map.Entry<OriginOption, String> gap : GAPS.entrySet()) {
      if (config.on(gap.getKey())) {
        return Optional.of(gap.getKey() + ": " + gap.getValue());
      }
    }
    boolean dedicated = config.on(OriginOption.ENFORCE_DEDICATED_TIME);
    String command = config.word(OriginOption.DEDICATED_TIME_COMMAND).orElse("");
    if (dedicated && !command.startsWith("/")) {
      return Optional.of(
          OriginOption.DEDICATED_TIME_COMMAND + ": a live scheduler runs it by its whole path");
    }
    boolean allocations = config.on(OriginOption.ENFORCE_ALLOCATION);
    String folder = config.word(OriginOption.SCHED_ACCT_DIR).orElse("");
    if (allocations && !folder.startsWith("/")) {
      return Optional.of(
          OriginOption.SCHED_ACCT_DIR + ": a live scheduler is told its files by whole paths");
    }
    if (config.word(OriginOption.SORTED_JOB_DUMPFILE).isPresent()) {
      return Optional.of(
          OriginOption.SORTED_JOB_DUMPFILE
              + ": a live scheduler writes no file; ./millrace why and qstat -T tell the order");
    }
    return config.number(OriginOption.FAKE_MACHINE_MULT) == 1 || config.on(OriginOption.TEST_ONLY)
        ? Optional.empty()
        : Optional.of(
            OriginOption.FAKE_MACHINE_MULT
                + ": a live host never holds more than it has, but with TEST_ONLY");
  }
}
