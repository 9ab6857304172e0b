package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import java.util.HashMap;
import java.util.Map;

/**
 * What campaigns that go on take of memory beside what was counted when they were submitted: ranges
 * of their tasks, and open events. One campaign may have very many of them, all together may not.
 */
final class GoingTotals {

  /**
   * A campaign whose tasks are in so many ranges that its record would become too large is sent no
   * further until some of them are over.
   */
  static final int RANGES_MAX = 100_000;

  /** A campaign with so many open events is sent no further until some of them are fixed. */
  static final int EVENTS_MAX = 1_000;

  /** Of all campaigns together; the campaigns of one owner may have half as many. */
  static final int ALL_RANGES_MAX = 400_000;

  static final int ALL_EVENTS_MAX = 20_000;

  /** So many a campaign may have however many the others have. */
  static final int OWN_RANGES = 400;

  static final int OWN_EVENTS = 10;

  private record Held(int ranges, int events) {
    static final Held NONE = new Held(0, 0);

    Held plus(Held more, int sign) {
      return new Held(ranges + sign * more.ranges, events + sign * more.events);
    }
  }

  private final Map<Long, Held> ofCampaigns = new HashMap<>();
  private final Map<String, Held> ofOwners = new HashMap<>();
  private Held all = Held.NONE;

  private void add(String owner, Held held, int sign) {
    all = all.plus(held, sign);
    Held sum = ofOwners.getOrDefault(owner, Held.NONE).plus(held, sign);
    if (sum.equals(Held.NONE)) {
      ofOwners.remove(owner);
    } else {
      ofOwners.put(owner, sum);
    }
  }

  /** Counts a campaign as it is now. */
  void count(Campaign campaign) {
    Held held = new Held(campaign.getRanges().size(), campaign.getOpenEvents());
    Held before = ofCampaigns.put(campaign.getId(), held);
    if (!held.equals(before)) {
      add(campaign.getOwner(), before == null ? Held.NONE : before, -1);
      add(campaign.getOwner(), held, 1);
    }
  }

  /** Counts a campaign no more. */
  void forget(Campaign campaign) {
    Held before = ofCampaigns.remove(campaign.getId());
    if (before != null) {
      add(campaign.getOwner(), before, -1);
    }
  }

  /** Whether so many events are open that nothing of the campaign is sent. */
  boolean tooManyEvents(Campaign campaign) {
    int own = campaign.getOpenEvents();
    int owner = ofOwners.getOrDefault(campaign.getOwner(), Held.NONE).events();
    boolean together = all.events() >= ALL_EVENTS_MAX || owner >= ALL_EVENTS_MAX / 2;
    return own >= EVENTS_MAX || own >= OWN_EVENTS && together;
  }

  /** Whether its tasks are in so many ranges that nothing of it is sent. */
  boolean tooManyRanges(Campaign campaign) {
    int own = campaign.getRanges().size();
    int owner = ofOwners.getOrDefault(campaign.getOwner(), Held.NONE).ranges();
    boolean together = all.ranges() >= ALL_RANGES_MAX || owner >= ALL_RANGES_MAX / 2;
    return own >= RANGES_MAX || own >= OWN_RANGES && together;
  }
}
