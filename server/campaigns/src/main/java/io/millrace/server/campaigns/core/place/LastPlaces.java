package io.millrace.server.campaigns.core.place;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.PlaceBlock;
import io.millrace.schemas.campaign.PlaceRun;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * At which cluster each task was that is over. The record of its attempts is gone then; here a run
 * of equal ones in a block of tasks takes two bytes.
 */
public final class LastPlaces {

  /** Tasks of a block. */
  private static final int TASKS = 1_000;

  private final CampaignTable table;

  public LastPlaces(CampaignTable table) {
    this.table = table;
  }

  private static String key(long campaign, int task) {
    return CampaignKeys.place(campaign, task / TASKS);
  }

  /** The numbers of the clusters of a block's tasks. */
  private int[] block(long campaign, int task) {
    int[] places = new int[TASKS];
    PlaceBlock block = (PlaceBlock) table.get(key(campaign, task));
    int at = 0;
    for (PlaceRun run : block == null ? List.<PlaceRun>of() : block.getRuns()) {
      Arrays.fill(places, at, at + run.getTasks(), run.getCluster());
      at += run.getTasks();
    }
    return places;
  }

  private static List<PlaceRun> runs(int[] places) {
    List<PlaceRun> runs = new ArrayList<>();
    for (int place : places) {
      PlaceRun last = runs.isEmpty() ? null : runs.get(runs.size() - 1);
      if (last != null && last.getCluster() == place) {
        last.setTasks(last.getTasks() + 1);
      } else {
        runs.add(new PlaceRun(1, place));
      }
    }
    return runs;
  }

  /** Of a block of which nothing is known there is no record. */
  private static int known(List<PlaceRun> runs) {
    return runs.size() == 1 && runs.get(0).getCluster() == 0 ? 0 : runs.size();
  }

  /**
   * A task has ended at a cluster.
   *
   * @param cluster which of the campaign's it is, from 0
   * @param full whether there are too many runs: where a task was is forgotten then when it was not
   *     where its neighbours were
   */
  public void put(Campaign campaign, int task, int cluster, boolean full) {
    int[] places = block(campaign.getId(), task);
    int before = known(runs(places));
    int own = task % TASKS;
    boolean fresh = places[own] == 0;
    places[own] = cluster + 1;
    List<PlaceRun> after = runs(places);
    if (full && after.size() > before) {
      if (fresh) {
        return;
      }
      places[own] = 0; // better nothing than where it was before
      after = runs(places);
    }
    campaign.setPlaceRuns(campaign.getPlaceRuns() + known(after) - before);
    table.put(key(campaign.getId(), task), known(after) == 0 ? null : new PlaceBlock(after));
  }

  /** Reads the places of one campaign, in the order of its tasks. */
  public PlaceReader of(Campaign campaign) {
    return new PlaceReader(campaign);
  }

  /** Has a block of a campaign at hand. */
  public final class PlaceReader {
    private final Campaign campaign;
    private int[] places = {};
    private int number = -1;

    private PlaceReader(Campaign campaign) {
      this.campaign = campaign;
    }

    /** Name of the cluster where a task was last; empty when nothing is known. */
    public String cluster(int task) {
      if (number != task / TASKS) {
        places = block(campaign.getId(), task);
        number = task / TASKS;
      }
      int place = places[task % TASKS];
      return place == 0 ? "" : campaign.getClusters().get(place - 1).getName();
    }
  }

  /** Nothing is remembered of a campaign any more. */
  public void forgetAll(Campaign campaign) {
    for (int first = 0; first < campaign.getTasks(); first += TASKS) {
      table.put(key(campaign.getId(), first), null);
    }
  }
}
