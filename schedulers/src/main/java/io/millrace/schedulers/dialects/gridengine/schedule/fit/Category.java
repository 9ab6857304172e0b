package io.millrace.schedulers.dialects.gridengine.schedule.fit;

import io.millrace.reservations.timeline.Claim;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.WaitingReasons;
import io.millrace.schedulers.gridengine.language.request.AttributeRequest;
import io.millrace.schedulers.gridengine.language.request.Needs;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * Jobs that can be placed in the same places, and the outcome for the first of them. Within a run
 * nothing is released, so what did not fit once does not fit again.
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
  private WaitingReasons refused;
  private boolean neverLater;

  /**
   * @param duration assumed run time of its jobs in seconds
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

  /** The hard requests in their order. */
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

  /** Whether the jobs wait for nothing but a slot. */
  public boolean slotOnly() {
    return slotOnly;
  }

  /** Whether a job requests a consumable that is taken once per job. */
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

  /** Why the first job of the category could not start. */
  public Optional<WaitingReasons> refused() {
    return Optional.ofNullable(refused);
  }

  public void refuse(WaitingReasons why) {
    if (refused == null) {
      refused = why;
    }
  }

  /** Whether no later start can be promised to its jobs. */
  public boolean neverLater() {
    return neverLater;
  }

  public void never() {
    neverLater = true;
  }
}
