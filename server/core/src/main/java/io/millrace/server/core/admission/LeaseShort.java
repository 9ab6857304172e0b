package io.millrace.server.core.admission;

import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.core.decision.PbsRefusal;

/**
 * A shard has leased less of a limit of the server than a decision needs, and others may have some
 * to spare. Who can wait asks for it ({@link LimitLeases#await}); for all others it is a refusal.
 */
public final class LeaseShort extends PbsRefusal {
  private static final long serialVersionUID = 1L;

  private final String limit;
  private final long held;
  private final long units;

  /**
   * @param limit key of the limit
   * @param held what the shard's jobs have of it
   * @param units what is needed besides
   */
  LeaseShort(String limit, long held, long units) {
    super(PbsError.TRY_AGAIN, ": a limit of the server is shared with other schedulers");
    this.limit = limit;
    this.held = held;
    this.units = units;
  }

  String limit() {
    return limit;
  }

  long held() {
    return held;
  }

  long units() {
    return units;
  }
}
