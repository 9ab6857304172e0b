package io.millrace.server.campaigns.core.memory;

import io.millrace.schemas.campaign.Campaign;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * The campaigns that have ended and are remembered. Where they are too many, or take too much room,
 * the owner of the most, or of the largest, has the first of his forgotten: nobody pushes out
 * others' by ending many of his own.
 */
public final class EndedCampaigns {

  private static final Comparator<KeptCampaign> FIRST =
      Comparator.comparingLong(KeptCampaign::endedMs).thenComparingLong(KeptCampaign::id);

  private record KeptCampaign(long endedMs, long id, long bytes) {
    static KeptCampaign of(Campaign campaign) {
      return new KeptCampaign(campaign.getEndedMs(), campaign.getId(), campaign.getKeptBytes());
    }
  }

  /** Those of one owner, never none. */
  private static final class Share {
    final TreeSet<KeptCampaign> campaigns = new TreeSet<>(FIRST);
    long bytes;

    long count() {
      return campaigns.size();
    }

    long bytes() {
      return bytes;
    }
  }

  private final TreeSet<KeptCampaign> all = new TreeSet<>(FIRST);
  private final Map<String, Share> shares = new HashMap<>();
  private long bytes;

  /** One that is remembered from now on, or is already. */
  public void add(Campaign campaign) {
    KeptCampaign ended = KeptCampaign.of(campaign);
    if (all.add(ended)) {
      Share share = shares.computeIfAbsent(campaign.getOwner(), owner -> new Share());
      share.campaigns.add(ended);
      share.bytes += ended.bytes();
      bytes += ended.bytes();
    }
  }

  /** One that is forgotten. */
  public void remove(Campaign campaign) {
    KeptCampaign ended = KeptCampaign.of(campaign);
    if (all.remove(ended)) {
      Share share = shares.get(campaign.getOwner());
      share.campaigns.remove(ended);
      share.bytes -= ended.bytes();
      bytes -= ended.bytes();
      if (share.campaigns.isEmpty()) {
        shares.remove(campaign.getOwner());
      }
    }
  }

  /**
   * The one to be forgotten next.
   *
   * @param byMs those that have ended by then are
   * @param most of all that may be kept
   * @param mostBytes that these may have together
   */
  public OptionalLong due(long byMs, int most, long mostBytes) {
    if (all.isEmpty()) {
      return OptionalLong.empty();
    }
    if (all.first().endedMs() <= byMs) {
      return OptionalLong.of(all.first().id());
    }
    if (bytes > mostBytes) {
      return firstOfLargest(Share::bytes);
    }
    return all.size() > most ? firstOfLargest(Share::count) : OptionalLong.empty();
  }

  private OptionalLong firstOfLargest(ToLongFunction<Share> size) {
    return shares.values().stream()
        .max(Comparator.comparingLong(size).thenComparing(EndedCampaigns::first, FIRST.reversed()))
        .map(share -> OptionalLong.of(first(share).id()))
        .orElseThrow();
  }

  private static KeptCampaign first(Share share) {
    return share.campaigns.first();
  }
}
