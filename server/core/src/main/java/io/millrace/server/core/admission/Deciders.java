package io.millrace.server.core.admission;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.GrantLimit;
import io.millrace.schemas.command.LeaseLimit;
import io.millrace.schemas.command.RecallLimit;
import io.millrace.schemas.command.ReturnLimit;
import io.millrace.schemas.fact.LimitGranted;
import io.millrace.schemas.fact.LimitReturned;
import io.millrace.schemas.state.LimitLease;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.parking.Parking;

/** Decides who may have how much of the server's limits. */
public final class Deciders {

  public Decision decide(Context c, LeaseLimit command) {
    return LimitBooks.of(c, command.getLimit())
        .ask(command.getShard(), command.getHeld(), command.getNeeded());
  }

  public Decision decide(Context c, ReturnLimit command) {
    return LimitBooks.of(c, command.getLimit())
        .returned(command.getShard(), command.getRound(), command.getHeld(), command.getGone());
  }

  /**
   * What is not used is given back at once; the next job here asks again. What is used beyond the
   * lease, by an operator's word or since a limit was lowered, is told, but does not become leased;
   * nor does what is to be left to others when it is free.
   */
  public Decision decide(Context c, RecallLimit command) {
    String limit = command.getLimit();
    LimitLease lease = LimitLeases.of(c.view(), limit);
    long present = ServerLimits.present(c.view(), limit);
    long asked = command.getKeep() == LimitTurns.ALL ? present : command.getKeep();
    long kept = Math.min(asked, Math.min(lease.getAmount(), present));
    Decision decision = Decision.none();
    if (lease.getAmount() != kept || lease.getGone() != 0) {
      decision.fact(new LimitReturned(c.stamp(), limit, kept));
    }
    return decision.tell(
        Topics.ADMINISTRATIVE_SHARD,
        new ReturnLimit(
            c.asShard(), limit, c.shard(), command.getRound(), present, lease.getGone()));
  }

  public Decision decide(Context c, GrantLimit command) {
    if (command.getChange() != c.numbers().getLimitChange()) {
      // Granted before a change that came here first: who waited for it has asked again.
      return Decision.none();
    }
    String key = command.getLimit();
    long left = Math.max(0, command.getAmount() - LimitLeases.held(c.view(), key));
    Decision decision =
        Decision.none()
            .fact(
                new LimitGranted(
                    c.stamp(), key, command.getAmount(), left, command.getExhausted()));
    String subject = LimitLeases.subject(key);
    EntityLimit limit = ServerLimits.find(c.view(), key).orElse(null);
    if (!command.getExhausted() || limit == null) {
      Parking.release(c, Parking.Cause.LIMIT, subject, decision);
      return decision;
    }
    PbsRefusal refusal = limit.refused();
    Parking.releaseFitting(c, subject, left, refusal, decision);
    return decision;
  }
}
