package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignAdditions;
import io.millrace.schemas.campaign.CampaignCause;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.CampaignNumbers;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.ClusterLoad;
import io.millrace.schemas.campaign.ClusterStop;
import io.millrace.schemas.campaign.EventPlace;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.ParameterBlock;
import io.millrace.schemas.common.CommandId;
import io.millrace.server.campaigns.core.lines.ParameterBlocks;
import io.millrace.server.campaigns.core.memory.EndedCampaigns;
import io.millrace.server.campaigns.core.memory.GoingTotals;
import io.millrace.server.campaigns.core.place.LastAttempts;
import io.millrace.server.campaigns.core.place.LastPlaces;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Campaigns, their tasks that were sent, and what was seen of clusters. */
public final class CampaignState {

  private final CampaignTable table;

  /** Campaigns that go on, in the order of submission; the same as in the table. */
  private final TreeMap<Long, Campaign> going = new TreeMap<>();

  /** The same by the clusters that they name. */
  private final TreeMap<String, TreeMap<Long, Campaign>> naming = new TreeMap<>();

  /** How often a cluster came to be named, or no more. */
  private long renamed;

  private final GoingTotals totals = new GoingTotals();

  /** Those that were changed lately. */
  private final TreeSet<Long> changed = new TreeSet<>();

  private final EndedCampaigns ended = new EndedCampaigns();

  /** The block that was used last. */
  private String unpackedKey = "";

  private List<String> unpacked = List.of();

  public CampaignState(CampaignTable table) {
    this(table, true);
  }

  private CampaignState(CampaignTable table, boolean all) {
    this.table = table;
    if (all) {
      table.scan(CampaignKeys.CAMPAIGNS, record -> remember((Campaign) record));
    }
  }

  /** Knows what is asked for by its number, and not which campaigns go on: they are not read. */
  static CampaignState ofOne(CampaignTable table) {
    return new CampaignState(table, false);
  }

  CampaignTable table() {
    return table;
  }

  private void remember(Campaign campaign) {
    long id = campaign.getId();
    if (campaign.getEndedMs() < 0) {
      totals.count(campaign);
      if (going.put(id, campaign) != campaign) {
        renamed++;
        for (CampaignCluster cluster : campaign.getClusters()) {
          naming.computeIfAbsent(cluster.getName(), it -> new TreeMap<>()).put(id, campaign);
        }
      }
    } else {
      if (going.remove(id) != null) {
        renamed++;
        campaign.getClusters().forEach(it -> forget(it.getName(), id));
      }
      totals.forget(campaign);
      ended.add(campaign);
    }
  }

  GoingTotals totals() {
    return totals;
  }

  private void forget(String cluster, long id) {
    naming.get(cluster).remove(id);
    if (naming.get(cluster).isEmpty()) {
      naming.remove(cluster);
    }
  }

  EndedCampaigns ended() {
    return ended;
  }

  /** Forgets a campaign that has ended. */
  void remove(Campaign campaign) {
    table.put(CampaignKeys.campaign(campaign.getId()), null);
    ended.remove(campaign);
  }

  /** Campaigns that go on, in the order of submission; not to be changed. */
  List<Campaign> going() {
    return new ArrayList<>(going.values());
  }

  /** Those of them that name a cluster, in the same order. */
  List<Campaign> naming(String cluster) {
    Map<Long, Campaign> all = naming.get(cluster);
    return all == null ? new ArrayList<>() : new ArrayList<>(all.values());
  }

  /** Clusters that campaigns name which go on. */
  Set<String> clusters() {
    return naming.keySet();
  }

  /**
   * What is wanted of those who look at clusters.
   *
   * @param clusters that campaigns name which go on
   * @param campaigns how many these are
   * @param change another number with each change
   */
  public record Wanted(Set<String> clusters, int campaigns, long change) {
    public static final Wanted NOTHING = new Wanted(Set.of(), 0, -1);
  }

  /**
   * What is wanted now.
   *
   * @param before as it was told last; the same is told while nothing has changed
   */
  public Wanted wanted(Wanted before) {
    return before.change() == renamed
        ? before
        : new Wanted(Set.copyOf(naming.keySet()), going.size(), renamed);
  }

  /**
   * Those that go on and were changed since that was forgotten: with the others all is as it was.
   */
  List<Campaign> changed() {
    List<Campaign> all = new ArrayList<>();
    for (long id : changed) {
      Campaign campaign = going.get(id);
      if (campaign != null) {
        all.add(campaign);
      }
    }
    return all;
  }

  void forgetChanged() {
    changed.clear();
  }

  /** Whose a campaign is; empty when there is none of this number. */
  String owner(long id) {
    return campaign(id).map(Campaign::getOwner).orElse("");
  }

  /** A campaign, not to be changed but by appliers, which put it afterwards. */
  Optional<Campaign> campaign(long id) {
    Campaign known = going.get(id);
    return Optional.ofNullable(
        known != null ? known : (Campaign) table.get(CampaignKeys.campaign(id)));
  }

  void put(Campaign campaign) {
    table.put(CampaignKeys.campaign(campaign.getId()), campaign);
    remember(campaign);
    changed.add(campaign.getId());
  }

  static Optional<CampaignCluster> cluster(Campaign campaign, String name) {
    // Asked for each of many campaigns with each record.
    for (CampaignCluster cluster : campaign.getClusters()) {
      if (cluster.getName().equals(name)) {
        return Optional.of(cluster);
      }
    }
    return Optional.empty();
  }

  Optional<OpenTask> open(long campaign, int task) {
    return Optional.ofNullable((OpenTask) table.get(CampaignKeys.open(campaign, task)));
  }

  void open(long campaign, Consumer<OpenTask> each) {
    table.scan(CampaignKeys.open(campaign), record -> each.accept((OpenTask) record));
  }

  /** The replica of a task, or an attempt at it that was dropped and whose job is not over. */
  Optional<OpenTask> second(long campaign, int task) {
    return Optional.ofNullable((OpenTask) table.get(CampaignKeys.second(campaign, task)));
  }

  /** The same, if it is the attempt of this number. */
  Optional<OpenTask> second(long campaign, int task, int attempt) {
    return second(campaign, task).filter(it -> it.getAttempt() == attempt);
  }

  void seconds(long campaign, Consumer<OpenTask> each) {
    table.scan(CampaignKeys.seconds(campaign), record -> each.accept((OpenTask) record));
  }

  /** The prologue or the epilogue of a campaign on a cluster of it, if it has one. */
  Optional<CampaignScript> script(long campaign, int cluster, boolean after) {
    return Optional.ofNullable(
        (CampaignScript) table.get(CampaignKeys.script(campaign, cluster, after)));
  }

  /** The next tasks that were sent and are not over, from one on. */
  List<OpenTask> open(long campaign, int from, int most) {
    List<OpenTask> tasks = new ArrayList<>();
    table.scan(
        CampaignKeys.open(campaign),
        CampaignKeys.open(campaign, from),
        record -> {
          tasks.add((OpenTask) record);
          return tasks.size() < most;
        });
    return tasks;
  }

  Optional<ClusterLoad> load(String cluster) {
    return Optional.ofNullable((ClusterLoad) table.get(CampaignKeys.load(cluster)));
  }

  Optional<Long> madeBy(CommandId command) {
    CampaignCause cause = (CampaignCause) table.get(CampaignKeys.cause(command));
    return Optional.ofNullable(cause).map(CampaignCause::getId);
  }

  /** The next numbers of campaigns and events. */
  CampaignNumbers numbers() {
    CampaignNumbers numbers = (CampaignNumbers) table.get(CampaignKeys.NUMBERS);
    return numbers == null ? new CampaignNumbers(1L, 1L) : numbers;
  }

  long nextId() {
    return numbers().getNextId();
  }

  long nextEvent() {
    return numbers().getNextEvent();
  }

  /** An event of a campaign, or of none (0). */
  Optional<CampaignEvent> event(long campaign, long id) {
    return Optional.ofNullable((CampaignEvent) table.get(CampaignKeys.event(campaign, id)));
  }

  Optional<CampaignEvent> event(long id) {
    return event(table, id);
  }

  /** The event of this number. */
  public static Optional<CampaignEvent> event(CampaignTable table, long id) {
    EventPlace place = (EventPlace) table.get(CampaignKeys.eventPlace(id));
    return place == null
        ? Optional.empty()
        : Optional.ofNullable(
            (CampaignEvent) table.get(CampaignKeys.event(place.getCampaign(), id)));
  }

  /** Events of a campaign, or of none (0), in their order, until one is answered with false. */
  void events(long campaign, Predicate<CampaignEvent> each) {
    String prefix = CampaignKeys.events(campaign);
    table.scan(prefix, prefix, record -> each.test((CampaignEvent) record));
  }

  /** Where the tasks of a campaign were that are over. */
  LastPlaces.PlaceReader places(Campaign campaign) {
    return new LastPlaces(table).of(campaign);
  }

  /** The last attempts at the tasks of a campaign that are over. */
  LastAttempts.AttemptReader attempts(Campaign campaign) {
    return new LastAttempts(table).of(campaign.getId());
  }

  /** What keeps all campaigns from a cluster. */
  Optional<ClusterStop> stop(String cluster) {
    return Optional.ofNullable((ClusterStop) table.get(CampaignKeys.stop(cluster)));
  }

  /** Whether a campaign that goes on names the cluster. */
  boolean wanted(String cluster) {
    return naming.containsKey(cluster);
  }

  /** The last commands that added tasks to a campaign. */
  List<CommandId> additions(long campaign) {
    CampaignAdditions known = (CampaignAdditions) table.get(CampaignKeys.additions(campaign));
    return known == null ? List.of() : known.getCommands();
  }

  /** Blocks of lines were put or forgotten. */
  void linesChanged() {
    unpackedKey = "";
  }

  /** The parameters of a task of a campaign that goes on. */
  String parameters(Campaign campaign, int task) {
    return knownParameters(campaign, task).orElseThrow();
  }

  /** The parameters of a task; empty when they are forgotten, as a campaign's end does. */
  Optional<String> knownParameters(Campaign campaign, int task) {
    if (task < campaign.getNumbered()) {
      return Optional.of(Integer.toString(task));
    }
    int line = task - campaign.getLinesFrom();
    if (line < 0) {
      return Optional.empty();
    }
    String key = CampaignKeys.block(campaign.getId(), line / ParameterBlocks.LINES);
    if (!key.equals(unpackedKey)) {
      ParameterBlock block = (ParameterBlock) table.get(key);
      if (block == null) {
        return Optional.empty();
      }
      unpacked = ParameterBlocks.unpack(block);
      unpackedKey = key;
    }
    return Optional.of(unpacked.get(line % ParameterBlocks.LINES));
  }
}
