package io.millrace.server.campaigns.core.memory;

import io.millrace.schemas.campaign.Campaign;
import java.util.HashMap;
import java.util.Map;

/**
 * What campaigns that go on take of memory beside what was counted when they were submitted: ranges
 * of their tasks, open events, and records of tasks that were tried and wait again. One campaign
 * may have very many of them, all together may not.
 */
public final class GoingTotals {

  /**
   * A campaign whose tasks are in so many ranges that its record would become too large is sent no
   * further until some of them are over.
   */
  public static final int RANGES_MAX = 100_000;

  /** A campaign with so many open events is sent no further until some of them are fixed. */
  public static final int EVENTS_MAX = 1_000;

  /** Of all campaigns together; the campaigns of one owner may have half as many. */
  public static final int ALL_RANGES_MAX = 400_000;

  public static final int ALL_EVENTS_MAX = 20_000;

  /**
   * Tasks in the bag that have a record, since they were tried: about 300 bytes each. A campaign
   * with so many puts off no further task.
   */
  public static final int TRIED_MAX = 20_000;

  public static final int ALL_TRIED_MAX = 100_000;

  public static final int OWN_TRIED = 200;

  /** Runs of equal places of tasks that are over, of all campaigns: two bytes each. */
  public static final int ALL_PLACES_MAX = 4_000_000;

  public static final int OWN_PLACES = 2_000;

  /** Bytes of the last attempts at tasks that are over, of all campaigns. */
  public static final int ALL_ATTEMPT_BYTES_MAX = 16 << 20;

  public static final int OWN_ATTEMPT_BYTES = 8 << 10;

  /** So many a campaign may have however many the others have. */
  public static final int OWN_RANGES = 400;

  public static final int OWN_EVENTS = 10;

  private record PartCounts(int ranges, int events, int tried, int places, int attemptBytes) {
    static final PartCounts NONE = new PartCounts(0, 0, 0, 0, 0);

    PartCounts plus(PartCounts more, int sign) {
      return new PartCounts(
          ranges + sign * more.ranges,
          events + sign * more.events,
          tried + sign * more.tried,
          places + sign * more.places,
          attemptBytes + sign * more.attemptBytes);
    }
  }

  private final Map<Long, PartCounts> ofCampaigns = new HashMap<>();
  private final Map<String, PartCounts> ofOwners = new HashMap<>();
  private PartCounts all = PartCounts.NONE;

  private void add(String owner, PartCounts held, int sign) {
    all = all.plus(held, sign);
    PartCounts sum = ofOwners.getOrDefault(owner, PartCounts.NONE).plus(held, sign);
    if (sum.equals(PartCounts.NONE)) {
      ofOwners.remove(owner);
    } else {
      ofOwners.put(owner, sum);
    }
  }

  /** Counts a campaign as it is now. */
  public void count(Campaign campaign) {
    PartCounts held =
        new PartCounts(
            campaign.getRanges().size(),
            campaign.getOpenEvents(),
            campaign.getTried(),
            campaign.getPlaceRuns(),
            campaign.getAttemptBytes());
    PartCounts before = ofCampaigns.put(campaign.getId(), held);
    if (!held.equals(before)) {
      add(campaign.getOwner(), before == null ? PartCounts.NONE : before, -1);
      add(campaign.getOwner(), held, 1);
    }
  }

  /** Counts a campaign no more. */
  public void forget(Campaign campaign) {
    PartCounts before = ofCampaigns.remove(campaign.getId());
    if (before != null) {
      add(campaign.getOwner(), before, -1);
    }
  }

  /** Whether so many events are open that nothing of the campaign is sent. */
  public boolean tooManyEvents(Campaign campaign) {
    int own = campaign.getOpenEvents();
    int owner = ofOwners.getOrDefault(campaign.getOwner(), PartCounts.NONE).events();
    boolean together = all.events() >= ALL_EVENTS_MAX || owner >= ALL_EVENTS_MAX / 2;
    return own >= EVENTS_MAX || own >= OWN_EVENTS && together;
  }

  /** Whether so many of its tasks wait for another attempt that no further one is put off. */
  public boolean tooManyTried(Campaign campaign) {
    int own = campaign.getTried();
    int owner = ofOwners.getOrDefault(campaign.getOwner(), PartCounts.NONE).tried();
    boolean together = all.tried() >= ALL_TRIED_MAX || owner >= ALL_TRIED_MAX / 2;
    return own >= TRIED_MAX || own >= OWN_TRIED && together;
  }

  /** Whether its tasks were at so many places by turns that no further one is kept. */
  public boolean tooManyPlaces(Campaign campaign) {
    int own = campaign.getPlaceRuns();
    int owner = ofOwners.getOrDefault(campaign.getOwner(), PartCounts.NONE).places();
    boolean together = all.places() >= ALL_PLACES_MAX || owner >= ALL_PLACES_MAX / 2;
    return own >= OWN_PLACES && together;
  }

  /** Whether there is no room for the last attempts at further tasks. */
  public boolean tooManyAttempts(Campaign campaign) {
    int own = campaign.getAttemptBytes();
    int owner = ofOwners.getOrDefault(campaign.getOwner(), PartCounts.NONE).attemptBytes();
    int most = ALL_ATTEMPT_BYTES_MAX;
    boolean together = all.attemptBytes() >= most || owner >= most / 2;
    return own >= OWN_ATTEMPT_BYTES && together;
  }

  /** Whether its tasks are in so many ranges that nothing of it is sent. */
  public boolean tooManyRanges(Campaign campaign) {
    int own = campaign.getRanges().size();
    int owner = ofOwners.getOrDefault(campaign.getOwner(), PartCounts.NONE).ranges();
    boolean together = all.ranges() >= ALL_RANGES_MAX || owner >= ALL_RANGES_MAX / 2;
    return own >= RANGES_MAX || own >= OWN_RANGES && together;
  }
}
