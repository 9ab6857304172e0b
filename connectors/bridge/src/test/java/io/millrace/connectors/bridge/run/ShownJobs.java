package io.millrace.connectors.bridge.run;

import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.util.List;
import java.util.Optional;

/** Jobs as an outside system shows them. */
final class ShownJobs {

  private ShownJobs() {}

  static OutsideJob job(OutsideId id, String account, OutsideTag mark, OutsideState state) {
    return job(id, account, mark, state, Optional.empty(), "");
  }

  /**
   * The same.
   *
   * @param tasks of an array, which are shown together
   */
  static OutsideJob job(
      OutsideId id,
      String account,
      OutsideTag mark,
      OutsideState state,
      Optional<OutsideEnd> end,
      String tasks) {
    return new OutsideJob(
        id,
        "a",
        account,
        Optional.of(mark),
        state,
        "",
        Optional.empty(),
        "",
        1,
        end,
        tasks,
        List.of());
  }
}
