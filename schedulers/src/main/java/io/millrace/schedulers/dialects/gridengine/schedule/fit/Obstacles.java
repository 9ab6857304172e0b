package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.schedulers.dialects.gridengine.schedule.decision.Reason.Code;
import java.util.HashMap;
import java.util.Map;

/**
 * Findings of one level. Thousands of jobs fail at a level for the same reason, so each finding is
 * created once.
 */
final class Obstacles {

  /** Used in place of the amount left when a demand is refused whatever is left. */
  private static final long REFUSED = Long.MIN_VALUE;

  private record ObstacleKey(
      int attribute, boolean asked, long left, boolean reserved, boolean parallel) {}

  private final LevelResources holder;
  private Map<ObstacleKey, Obstacle> known;

  /** The last key that was looked up, which is usually asked for again. */
  private ObstacleKey lastKey;

  private Obstacle lastFinding;

  Obstacles(LevelResources holder) {
    this.holder = holder;
  }

  /** The demand can never be met here. */
  Obstacle refused(Demand demand, boolean parallel) {
    return find(new ObstacleKey(demand.number(), demand.asked(), REFUSED, false, parallel), demand);
  }

  /** A requested attribute is unknown at all levels. */
  Obstacle unknown(Demand demand, boolean parallel) {
    String because = "job requests unknown resource (" + demand.complex().name() + ")";
    return new Obstacle.Unmet(code(), holder.name(), because, parallel);
  }

  /** Too little of a consumable is left. */
  Obstacle shortage(Demand demand, long left, boolean reserved, boolean parallel) {
    return find(new ObstacleKey(demand.number(), demand.asked(), left, reserved, parallel), demand);
  }

  private Obstacle find(ObstacleKey key, Demand demand) {
    if (!key.equals(lastKey)) {
      known = known == null ? new HashMap<>() : known;
      lastFinding = known.computeIfAbsent(key, it -> words(it, demand));
      lastKey = key;
    }
    return lastFinding;
  }

  private Obstacle words(ObstacleKey key, Demand demand) {
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
