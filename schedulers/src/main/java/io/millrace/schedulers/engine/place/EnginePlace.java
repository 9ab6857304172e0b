package io.millrace.schedulers.engine.place;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.CommandAnswered;
import io.millrace.schemas.fact.EngineNoted;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Answer;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** The place of one engine apart, from its wish to be let in until it has to ask again. */
public final class EnginePlace {

  /** How it stands. */
  public enum EngineStanding {
    /** The shard has not answered yet. */
    ASKED,
    /** The engine schedules. */
    HELD,
    /** The shard has refused it: {@link #refusal()}. */
    REFUSED,
    /** Another engine apart schedules. */
    REPLACED,
    /** The one that replaced it is missed, has ended or failed: the place can be asked for. */
    FREE,
    /** The server's own engine schedules: the place can be asked for. */
    TAKEN_OVER,
    /** There is no such scheduler object in the shard, or no more. */
    UNKNOWN
  }

  private final String scheduler;
  private final int shard;
  private final boolean shadow;
  private final CommandId wish;
  private EngineStanding standing = EngineStanding.ASKED;
  private Optional<Answer> refusal = Optional.empty();
  private long epoch = -1;

  /** Epoch of the engine apart that has the place now. */
  private long holder = -1;

  /**
   * @param shard the one of the scheduler object, to which the engine belongs
   * @param shadow whether the engine has no place that another could take
   * @param wish id of its command to be let in
   */
  public EnginePlace(String scheduler, int shard, boolean shadow, CommandId wish) {
    this.scheduler = scheduler;
    this.shard = shard;
    this.shadow = shadow;
    this.wish = wish;
  }

  public EngineStanding standing() {
    return standing;
  }

  /** Epoch of the engine; -1 until it was let in. */
  public long epoch() {
    return epoch;
  }

  /** What the shard answered to an engine that it has refused. */
  public Optional<Answer> refusal() {
    return refusal;
  }

  /** Whether the engine need not wait for anything else before it asks again. */
  public boolean isOver() {
    return switch (standing) {
      case ASKED, HELD, REPLACED -> false;
      case REFUSED, FREE, TAKEN_OVER, UNKNOWN -> true;
    };
  }

  /** Hears the next fact of the shard. */
  public void follow(SpecificRecord fact) {
    if (fact instanceof ObjectWritten it && isElsewhere(it.getObject())) {
      standing = EngineStanding.UNKNOWN;
    } else if (standing == EngineStanding.ASKED) {
      asked(fact);
    } else if (fact instanceof ObjectDeleted it && isOwn(it)) {
      standing = EngineStanding.UNKNOWN;
    } else if (fact instanceof EngineStarted it && replaces(it)) {
      holder = it.getEpoch();
      standing = it.getApart() ? EngineStanding.REPLACED : EngineStanding.TAKEN_OVER;
    } else if (fact instanceof EngineNoted it && isOfHolder(it)) {
      boolean works = it.getCondition() == EngineCondition.WORKS;
      standing = works ? EngineStanding.REPLACED : EngineStanding.FREE;
    }
  }

  private void asked(SpecificRecord fact) {
    if (fact instanceof EngineStarted it && it.getMeta().getCause().equals(wish)) {
      epoch = it.getEpoch();
      holder = epoch;
      standing = EngineStanding.HELD;
    } else if (fact instanceof CommandAnswered it
        && it.getAnswer().getId().equals(wish)
        && it.getAnswer().getCode() != 0) {
      boolean unknown = it.getAnswer().getCode() == PbsError.UNKNOWN_SCHEDULER.code();
      standing = unknown ? EngineStanding.UNKNOWN : EngineStanding.REFUSED;
      refusal = Optional.of(it.getAnswer());
    }
  }

  private boolean isOwn(ObjectDeleted fact) {
    return fact.getKind() == ObjectKind.SCHEDULER && fact.getName().equals(scheduler);
  }

  /** Whether the scheduler object has gone to the shard of its first partition. */
  private boolean isElsewhere(ClusterObject object) {
    return object.getKind() == ObjectKind.SCHEDULER
        && object.getName().equals(scheduler)
        && object.getAttributes().stream()
            .filter(it -> it.getName().equals("shard"))
            .anyMatch(it -> !it.getValue().equals(Integer.toString(shard)));
  }

  private boolean replaces(EngineStarted fact) {
    return !shadow
        && !fact.getShadow()
        && fact.getScheduler().equals(scheduler)
        && fact.getEpoch() > holder;
  }

  /** What is noted of the engine itself is no reason to ask again: it works, if it reads this. */
  private boolean isOfHolder(EngineNoted fact) {
    return (standing == EngineStanding.REPLACED || standing == EngineStanding.FREE)
        && fact.getScheduler().equals(scheduler)
        && fact.getEpoch() == holder;
  }
}
