package io.millrace.server.core.admission;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.LeaseLimit;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.fact.LimitAsked;
import io.millrace.schemas.state.LimitLease;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.parking.Parking;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.Copies;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.State;
import io.millrace.server.core.state.View;
import java.util.List;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/** What this shard may have of the server's limits without asking, while several shards serve. */
public final class LimitLeases {

  /** An answer that is not there by then is asked for again. */
  private static final long ASKED_MS = 5_000;

  private LimitLeases() {}

  /**
   * The lease; nothing where none holds, but for what has gone: it may be counted nowhere yet. A
   * copy, which appliers may change.
   */
  static LimitLease of(View view, String key) {
    long change = ShardNumbers.of(view).getLimitChange();
    LimitLease lease = view.table(LimitLease.class).get(key);
    if (lease != null && lease.getChange() == change) {
      return LimitLease.newBuilder(lease).build();
    }
    return LimitLease.newBuilder()
        .setLimit(key)
        .setChange(change)
        .setAmount(0)
        .setGone(lease == null ? 0 : lease.getGone())
        .build();
  }

  static void put(State state, LimitLease lease) {
    state.table(LimitLease.class).put(lease.getLimit(), lease);
  }

  /** What jobs hold of a limit here, with those that may not be counted elsewhere yet. */
  static long held(View view, String key) {
    return ServerLimits.present(view, key) + of(view, key).getGone();
  }

  /** The same for a submission, which needs what all its jobs count. */
  public static Decision await(Context c, LeaseShort need, SubmitJobs command) {
    long units = 0;
    for (NewJob job : command.getJobs()) {
      int jobs = job.getArray() == null ? 1 : ArrayStates.size(job.getArray());
      units += ServerLimits.units(c.view(), job.getSpec(), jobs).getOrDefault(need.limit(), 0L);
    }
    return await(c, need, Math.max(units, need.units()), command);
  }

  /** Lets a command wait until the administrative shard has answered how much there is. */
  public static Decision await(Context c, LeaseShort need, AlterJob command) {
    return await(c, need, need.units(), command);
  }

  private static Decision await(Context c, LeaseShort need, long units, SpecificRecord command) {
    Decision decision = Decision.none();
    ask(c, need.limit(), need.held(), need.held() + units, decision);
    return Parking.parkForLimit(c, subject(need.limit()), units, command, decision);
  }

  /**
   * Asks the administrative shard for more, unless an answer is awaited.
   *
   * @param held of the limit by this shard
   * @param needed by it in all
   */
  static void ask(Context c, String key, long held, long needed, Decision decision) {
    LimitLease lease = of(c.view(), key);
    if (lease.getAskedMs() < 0 || c.nowMs() - lease.getAskedMs() > ASKED_MS) {
      decision.fact(new LimitAsked(c.stamp(), key));
      decision.tell(
          Topics.ADMINISTRATIVE_SHARD, new LeaseLimit(c.asShard(), key, c.shard(), held, needed));
    }
  }

  /** As what commands are parked for; names of users and projects may have any letters. */
  static String subject(String key) {
    return key.replace("%", "%25").replace("/", "%2F");
  }

  /** Whether a change of an object makes leases void: of a limit, or of who serves what. */
  public static boolean isVoidedBy(ClusterObject before, ClusterObject after) {
    return switch (after.getKind()) {
      case PARTITION -> true;
      case SERVER -> !limits(before).equals(limits(after));
      default -> false;
    };
  }

  private static List<Attribute> limits(ClusterObject server) {
    return server == null
        ? List.of()
        : server.getAttributes().stream().filter(it -> isLimit(it.getName())).toList();
  }

  private static boolean isLimit(String attribute) {
    return EntityLimit.isLimit(attribute) || RunningAmounts.isLimit(attribute);
  }

  /** A change makes leases void: who waits for more of a limit asks again. */
  public static void askAgain(Context c, Decision decision) {
    Parking.releaseAll(c, Parking.Cause.LIMIT, decision);
  }

  /** All leases are void from this change on; what is needed is asked for anew. */
  public static void makeVoid(State state, long change) {
    ShardState numbers = Copies.of(ShardNumbers.of(state));
    numbers.setLimitChange(change);
    state.numbers().put(Keys.NUMBERS, numbers);
  }

  /** A job has gone to another shard. */
  static void gone(State state, JobSpec spec, int jobs) {
    for (Map.Entry<String, Long> units : ServerLimits.units(state, spec, jobs).entrySet()) {
      LimitLease lease = of(state, units.getKey());
      lease.setGone(lease.getGone() + units.getValue());
      put(state, lease);
    }
  }
}
