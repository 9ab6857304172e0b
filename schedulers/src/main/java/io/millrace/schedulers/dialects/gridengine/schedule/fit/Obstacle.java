package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason.Code;

/** A finding that keeps a job from a place. */
public sealed interface Obstacle {

  /** The finding in words; {@code quoted} are the job's hard requests. */
  Reason reason(String quoted);

  Code code();

  /** A finding that does not depend on the job's requests. */
  record Plain(Reason reason) implements Obstacle {

    @Override
    public Reason reason(String quoted) {
      return reason;
    }

    @Override
    public Code code() {
      return reason.code();
    }
  }

  /**
   * A level does not meet a request.
   *
   * @param parallel whether slots were sought for a parallel job
   */
  record Unmet(Code code, String container, String because, boolean parallel) implements Obstacle {

    @Override
    public Reason reason(String quoted) {
      String shown = parallel && because.contains("c:slots=") ? "slots=1" : quoted;
      return code == Code.CANNOT_RUN_GLOBALLY
          ? Reason.of(code, quoted, because)
          : Reason.of(code, shown, container, because);
    }
  }
}
