package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.reservations.timeline.Claim;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.Waiting;
import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.Needs;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Jobs that no placement can tell apart, and what became of the first of them: when nothing is
 * released within a run, what did not fit once does not fit again.
 */
public final class Category {

  private final Needs needs;
  private final long duration;
  private final Demand[] asked;
  private final Demand[] soft;
  private final BitSet requested = new BitSet();
  private final Claim claim;
  private final boolean slotOnly;
  private final boolean asksOnce;
  private String quoted;
  private Waiting refused;
  private boolean neverLater;

  /**
   * @param duration of its jobs as it is assumed, in seconds
   */
  public Category(Needs needs, long duration, Attributes attributes) {
    this.needs = needs;
    this.duration = duration;
    this.asked = demands(needs.hard(), attributes);
    this.soft = demands(needs.soft(), attributes);
    for (Demand demand : asked) {
      requested.set(demand.number());
    }
    this.claim = attributes.claim(needs);
    this.slotOnly =
        !needs.parallel()
            && needs.hard().stream().noneMatch(request -> request.complex().consumable());
    this.asksOnce = needs.hard().stream().anyMatch(request -> request.complex().perJob());
  }

  private static Demand[] demands(List<AttributeRequest> requests, Attributes attributes) {
    return requests.stream().map(each -> Demand.of(each, attributes)).toArray(Demand[]::new);
  }

  public Needs needs() {
    return needs;
  }

  long duration() {
    return duration;
  }

  /** Hard requests, in their order. */
  Demand[] asked() {
    return asked;
  }

  Demand[] soft() {
    return soft;
  }

  boolean requests(Demand demand) {
    return requested.get(demand.number());
  }

  public Claim claim() {
    return claim;
  }

  /** Whether its jobs wait for nothing else than a slot. */
  public boolean slotOnly() {
    return slotOnly;
  }

  /** Whether it requests something that is taken once for a job. */
  public boolean asksOnce() {
    return asksOnce;
  }

  /** The hard requests as reasons quote them. */
  public String quoted() {
    if (quoted == null) {
      quoted = needs.quoted();
    }
    return quoted;
  }

  /** Why the first of them could not start. */
  public Optional<Waiting> refused() {
    return Optional.ofNullable(refused);
  }

  public void refuse(Waiting why) {
    if (refused == null) {
      refused = why;
    }
  }

  /** Whether it was found that no later start can be promised. */
  public boolean neverLater() {
    return neverLater;
  }

  public void never() {
    neverLater = true;
  }
}
