package io.millrace.server.core.reservation;

import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.PbsRefusal;
import java.util.List;

/** The times that a rule has made of one window; the rule itself is not read here. */
final class RepeatedTimes {
  /** Most of one reservation: each is booked. Far less than a node has room for. */
  static final int MAX = 2_000;

  /** Most chunks of all of them together, and most bookings that come of them. */
  static final int BOOKINGS_MAX = 128_000;

  /** Most characters of a rule. */
  static final int RULE_MAX = 256;

  private RepeatedTimes() {}

  /**
   * They do not overlap, and are as bounded as those of one window; the request was looked at
   * before.
   */
  static void check(Context c, ReservationSpec wish) throws PbsRefusal {
    List<Long> later = wish.getLaterMs();
    boolean repeats = !later.isEmpty() || !wish.getRule().isEmpty();
    if (!repeats) {
      return;
    }
    boolean sound =
        !wish.getRule().isEmpty()
            && wish.getRule().length() <= RULE_MAX
            && wish.getMaintained().isEmpty();
    if (!sound) {
      throw new PbsRefusal(PbsError.BAD_RULE);
    }
    if (later.size() >= MAX) {
      throw new PbsRefusal(PbsError.BAD_TIMES, ": at most " + MAX + " occurrences");
    }
    long chunks = wish.getRequest().getChunks().stream().mapToLong(Chunk::getCount).sum();
    if (chunks * (1 + later.size()) > BOOKINGS_MAX) {
      throw new PbsRefusal(
          PbsError.ILLEGAL_VALUE,
          " select: at most " + BOOKINGS_MAX + " chunks in all occurrences together");
    }
    long lengthMs = wish.getEndMs() - wish.getStartMs();
    long freeMs = wish.getEndMs();
    for (long startMs : later) {
      if (startMs < freeMs) {
        throw new PbsRefusal(PbsError.BAD_TIMES);
      }
      ReservationRequest.checkWindow(c, startMs, startMs + lengthMs);
      freeMs = startMs + lengthMs;
    }
  }
}
