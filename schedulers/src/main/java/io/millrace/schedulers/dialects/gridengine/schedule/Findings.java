package io.millrace.schedulers.dialects.gridengine.schedule;

import io.millrace.schedulers.dialects.gridengine.schedule.Reason.Code;
import java.util.HashMap;
import java.util.Map;

/**
 * What a container was found to lack. Thousands of jobs fail at the same container for the same
 * reason: it is put into words once.
 */
final class Findings {

  /** Instead of an amount that is left: refused whatever is left. */
  private static final long REFUSED = Long.MIN_VALUE;

  private record Key(int attribute, boolean asked, long left, boolean reserved, boolean parallel) {}

  private final Holder holder;
  private Map<Key, Finding> known;

  /** The last one, which is usually asked for again. */
  private Key lastKey;

  private Finding lastFinding;

  Findings(Holder holder) {
    this.holder = holder;
  }

  /** A demand is refused, whatever is in use. */
  Finding refused(Demand demand, boolean parallel) {
    return find(new Key(demand.number(), demand.asked(), REFUSED, false, parallel), demand);
  }

  /** A requested attribute is unknown at all levels. */
  Finding unknown(Demand demand, boolean parallel) {
    String because = "job requests unknown resource (" + demand.complex().name() + ")";
    return new Finding.Unmet(code(), holder.name(), because, parallel);
  }

  /** Too little of a consumable is left. */
  Finding shortage(Demand demand, long left, boolean reserved, boolean parallel) {
    return find(new Key(demand.number(), demand.asked(), left, reserved, parallel), demand);
  }

  private Finding find(Key key, Demand demand) {
    if (!key.equals(lastKey)) {
      known = known == null ? new HashMap<>() : known;
      lastFinding = known.computeIfAbsent(key, it -> words(it, demand));
      lastKey = key;
    }
    return lastFinding;
  }

  private Finding words(Key key, Demand demand) {
    String because =
        key.left == REFUSED
            ? demand.refusal(holder)
            : demand.shortage(holder, key.left, key.reserved);
    return new Finding.Unmet(code(), holder.name(), because, key.parallel);
  }

  private Code code() {
    return switch (holder.level()) {
      case GLOBAL -> Code.CANNOT_RUN_GLOBALLY;
      case HOST -> Code.CANNOT_RUN_AT_HOST;
      default -> Code.CANNOT_RUN_IN_QUEUE;
    };
  }
}
