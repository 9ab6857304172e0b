package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason.Code;
import java.util.HashMap;
import java.util.Map;

/**
 * What a container was found to lack. Thousands of jobs fail at the same container for the same
 * reason: it is put into words once.
 */
final class Obstacles {

  /** Instead of an amount that is left: refused whatever is left. */
  private static final long REFUSED = Long.MIN_VALUE;

  private record Key(int attribute, boolean asked, long left, boolean reserved, boolean parallel) {}

  private final LevelResources holder;
  private Map<Key, Obstacle> known;

  /** The last one, which is usually asked for again. */
  private Key lastKey;

  private Obstacle lastFinding;

  Obstacles(LevelResources holder) {
    this.holder = holder;
  }

  /** A demand is refused, whatever is in use. */
  Obstacle refused(Demand demand, boolean parallel) {
    return find(new Key(demand.number(), demand.asked(), REFUSED, false, parallel), demand);
  }

  /** A requested attribute is unknown at all levels. */
  Obstacle unknown(Demand demand, boolean parallel) {
    String because = "job requests unknown resource (" + demand.complex().name() + ")";
    return new Obstacle.Unmet(code(), holder.name(), because, parallel);
  }

  /** Too little of a consumable is left. */
  Obstacle shortage(Demand demand, long left, boolean reserved, boolean parallel) {
    return find(new Key(demand.number(), demand.asked(), left, reserved, parallel), demand);
  }

  private Obstacle find(Key key, Demand demand) {
    if (!key.equals(lastKey)) {
      known = known == null ? new HashMap<>() : known;
      lastFinding = known.computeIfAbsent(key, it -> words(it, demand));
      lastKey = key;
    }
    return lastFinding;
  }

  private Obstacle words(Key key, Demand demand) {
    String because =
        key.left == REFUSED
            ? demand.refusal(holder)
            : demand.shortage(holder, key.left, key.reserved);
    return new Obstacle.Unmet(code(), holder.name(), because, key.parallel);
  }

  private Code code() {
    return switch (holder.level()) {
      case GLOBAL -> Code.CANNOT_RUN_GLOBALLY;
      case HOST -> Code.CANNOT_RUN_AT_HOST;
      default -> Code.CANNOT_RUN_IN_QUEUE;
    };
  }
}
