package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.CampaignNumbers;
import io.millrace.schemas.campaign.ClusterStop;
import io.millrace.schemas.campaign.EventOpened;
import io.millrace.schemas.campaign.EventPlace;
import io.millrace.schemas.campaign.EventsClosed;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.server.campaigns.core.memory.ClosedEvents;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import java.util.ArrayList;
import java.util.List;

/** Changes the state by facts about events. */
final class EventAppliers {

  /** Events of a campaign, or of none, that are remembered after they were closed. */
  private static final int CLOSED_MAX = 1_000;

  /** The same of all together. */
  static final int ALL_CLOSED_MAX = 20_000;

  private final CampaignState state;
  private final CampaignTable table;
  private final ScriptAppliers scripts;

  private final ClosedEvents closed = new ClosedEvents();

  EventAppliers(CampaignState state, ScriptAppliers scripts) {
    this.state = state;
    this.table = state.table();
    this.scripts = scripts;
    table.scan(CampaignKeys.EVENTS, it -> count((CampaignEvent) it));
  }

  private void count(CampaignEvent event) {
    long campaign = event.getCampaign();
    if (event.getClosedMs() >= 0) {
      closed.add(campaign, closed.count(campaign) > 0 ? "" : state.owner(campaign));
    }
  }

  void opened(EventOpened fact) {
    CampaignEvent event = fact.getEvent();
    put(event);
    table.put(CampaignKeys.eventPlace(event.getId()), new EventPlace(event.getCampaign()));
    CampaignNumbers numbers = state.numbers();
    numbers.setNextEvent(event.getId() + 1);
    table.put(CampaignKeys.NUMBERS, numbers);
    boolean blacklist = event.getCode().equals(EventCode.BLACKLIST.name());
    if (event.getCampaign() == 0) {
      stopped(event, blacklist);
      return;
    }
    Campaign campaign = state.campaign(event.getCampaign()).orElseThrow();
    campaign.setOpenEvents(campaign.getOpenEvents() + 1);
    campaign.setEventMs(fact.getAtMs());
    CampaignCluster cluster = CampaignState.cluster(campaign, event.getCluster()).orElseThrow();
    if (blacklist) {
      cluster.setBlacklist(event.getId());
    } else if (event.getCode().equals(EventCode.SUBMIT_ERROR.name())) {
      cluster.setTrouble(event.getId());
    } else if (event.getCode().equals(EventCode.NOT_BEGUN.name())) {
      cluster.setVain(event.getId());
    }
    state.put(campaign);
  }

  private void stopped(CampaignEvent event, boolean blacklist) {
    String name = event.getCluster();
    ClusterStop stop =
        blacklist
            ? state.stop(name).orElseThrow()
            : new ClusterStop(name, event.getCode(), event.getMessage(), event.getId(), 0L);
    stop.setBlacklist(blacklist ? event.getId() : 0L);
    table.put(CampaignKeys.stop(name), stop);
  }

  private void put(CampaignEvent event) {
    table.put(CampaignKeys.event(event.getCampaign(), event.getId()), event);
  }

  void closed(EventsClosed fact) {
    Campaign campaign =
        fact.getCampaign() == 0 ? null : state.campaign(fact.getCampaign()).orElseThrow();
    for (long id : fact.getIds()) {
      CampaignEvent event = state.event(fact.getCampaign(), id).orElseThrow();
      boolean first = event.getClosedMs() < 0;
      event.setClosedMs(fact.getAtMs());
      if (first) {
        count(event);
      }
      event.setClosedBy(fact.getBy());
      put(event);
      if (campaign == null) {
        freed(event);
      } else {
        closed(campaign, event, fact);
      }
    }
    if (campaign != null) {
      state.put(campaign);
    }
    forgetOld(fact.getCampaign());
  }

  /** What stops the cluster now may have come after the event. */
  private void freed(CampaignEvent event) {
    if (state.stop(event.getCluster()).filter(it -> EventBook.names(it, event)).isPresent()) {
      table.put(CampaignKeys.stop(event.getCluster()), null);
    }
  }

  private void closed(Campaign campaign, CampaignEvent event, EventsClosed fact) {
    boolean again = fact.getAgain();
    campaign.setOpenEvents(campaign.getOpenEvents() - 1);
    CampaignCluster cluster = CampaignState.cluster(campaign, event.getCluster()).orElseThrow();
    if (cluster.getBlacklist() == event.getId()) {
      cluster.setBlacklist(0L);
      cluster.setFailedInARow(0);
    }
    if (cluster.getTrouble() == event.getId()) {
      cluster.setTrouble(0L);
    }
    if (cluster.getVain() == event.getId()) {
      cluster.setVain(0L);
      cluster.setUnbegun(0);
    }
    scripts.closed(campaign, event, again, fact.getBy());
    int task = event.getTask();
    if (task < 0 || TaskRanges.status(campaign.getRanges(), task) != TaskStatus.EVENT) {
      return;
    }
    TaskStatus status = again ? TaskStatus.WAITING : TaskStatus.FAILED;
    campaign.setRanges(TaskRanges.with(campaign.getRanges(), task, status));
    if (again) {
      campaign.setTried(campaign.getTried() + 1);
      OpenTask open = new OpenTask();
      open.setCampaign(campaign.getId());
      open.setTask(task);
      open.setAttempt(event.getAttempt());
      open.setNewest(event.getNewest());
      open.setStatus(TaskStatus.WAITING);
      open.setCluster(event.getCluster());
      open.setCause(campaign.getCause());
      open.setJobId("");
      open.setAffinities(event.getAffinities());
      open.setLead(-1);
      open.setFollowers(List.of());
      table.put(CampaignKeys.open(campaign.getId(), task), open);
    } else {
      campaign.setFailed(campaign.getFailed() + 1);
    }
  }

  private void forgetOld(long campaign) {
    forgetFirst(campaign, closed.count(campaign) - CLOSED_MAX);
    while (closed.count() > ALL_CLOSED_MAX) {
      forgetFirst(closed.largest(), closed.count() - ALL_CLOSED_MAX);
    }
  }

  private void forgetFirst(long campaign, int many) {
    if (many <= 0) {
      return;
    }
    List<CampaignEvent> old = new ArrayList<>();
    state.events(
        campaign,
        event -> {
          if (event.getClosedMs() >= 0) {
            old.add(event);
          }
          return old.size() < many;
        });
    old.forEach(this::forget);
  }

  private void forget(CampaignEvent event) {
    if (event.getClosedMs() >= 0) {
      closed.remove(event.getCampaign());
    }
    table.put(CampaignKeys.event(event.getCampaign(), event.getId()), null);
    table.put(CampaignKeys.eventPlace(event.getId()), null);
  }

  /** Nothing is remembered of a campaign any more. */
  void forgetAll(long campaign) {
    List<CampaignEvent> events = new ArrayList<>();
    state.events(campaign, events::add);
    events.forEach(this::forget);
  }
}
