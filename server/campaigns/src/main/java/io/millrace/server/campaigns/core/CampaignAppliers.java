package io.millrace.server.campaigns.core;

import io.millrace.schemas.campaign.AdmissionRules;
import io.millrace.schemas.campaign.AdmissionRulesSet;
import io.millrace.schemas.campaign.AffinitySet;
import io.millrace.schemas.campaign.AttemptDropped;
import io.millrace.schemas.campaign.AttemptEnded;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignAdditions;
import io.millrace.schemas.campaign.CampaignAltered;
import io.millrace.schemas.campaign.CampaignCancelled;
import io.millrace.schemas.campaign.CampaignCause;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEnded;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.CampaignNumbers;
import io.millrace.schemas.campaign.CampaignPurged;
import io.millrace.schemas.campaign.CampaignSubmitted;
import io.millrace.schemas.campaign.CampaignSwept;
import io.millrace.schemas.campaign.ClusterRefused;
import io.millrace.schemas.campaign.ClusterSeen;
import io.millrace.schemas.campaign.EventOpened;
import io.millrace.schemas.campaign.EventsClosed;
import io.millrace.schemas.campaign.NoticeGroup;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.PostponedTasksReturned;
import io.millrace.schemas.campaign.ReplicasDropped;
import io.millrace.schemas.campaign.ScriptMoved;
import io.millrace.schemas.campaign.SentTask;
import io.millrace.schemas.campaign.TaskDeleted;
import io.millrace.schemas.campaign.TaskMoved;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksAdded;
import io.millrace.schemas.campaign.TasksSent;
import io.millrace.schemas.campaign.UserAffinity;
import io.millrace.schemas.common.CommandId;
import io.millrace.server.campaigns.core.lines.ParameterBlocks;
import io.millrace.server.campaigns.core.memory.KeptMemory;
import io.millrace.server.campaigns.core.notice.NoticeAppliers;
import io.millrace.server.campaigns.core.pace.CampaignPace;
import io.millrace.server.campaigns.core.pace.ClusterStress;
import io.millrace.server.campaigns.core.place.LastAttempts;
import io.millrace.server.campaigns.core.place.LastPlaces;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.CampaignTable;
import io.millrace.server.campaigns.core.task.ExitWish;
import io.millrace.server.campaigns.core.task.TaskAffinities;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;

/** Changes the state by facts, which are true: nothing is checked here. */
public final class CampaignAppliers {

  private final CampaignState state;
  private final CampaignTable table;
  private final EventAppliers events;
  private final ClusterCounts counts;
  private final ReplicaAppliers replicas;
  private final ScriptAppliers scripts;
  private final NoticeAppliers notices;
  private final LastPlaces places;
  private final LastAttempts attempts;
  private final WaitingAppliers waiting;

  public CampaignAppliers(CampaignState state) {
    this.state = state;
    this.table = state.table();
    this.scripts = new ScriptAppliers(state);
    this.events = new EventAppliers(state, scripts);
    this.notices = new NoticeAppliers(table);
    this.places = new LastPlaces(table);
    this.attempts = new LastAttempts(table);
    this.counts = new ClusterCounts(state);
    this.waiting = new WaitingAppliers(state, counts);
    this.replicas = new ReplicaAppliers(state, counts);
  }

  /**
   * @throws IllegalStateException for a record that is no fact about campaigns
   */
  public void apply(SpecificRecord fact) {
    if (fact instanceof CampaignSubmitted submitted) {
      submitted(submitted);
    } else if (fact instanceof TasksAdded added) {
      added(campaign(added.getCampaign()), added);
    } else if (fact instanceof TasksSent sent) {
      sent(sent);
    } else if (fact instanceof TaskMoved moved) {
      moved(moved.getTask(), moved.getAtMs());
    } else if (fact instanceof AttemptEnded ended) {
      ended(ended);
    } else if (fact instanceof PostponedTasksReturned returned) {
      returned(campaign(returned.getCampaign()));
    } else if (fact instanceof ReplicasDropped dropped) {
      replicas.dropped(dropped);
    } else if (fact instanceof AttemptDropped dropped) {
      replicas.over(campaign(dropped.getCampaign()), dropped);
    } else if (fact instanceof ScriptMoved moved) {
      scripts.moved(campaign(moved.getCampaign()), moved);
    } else if (fact instanceof ClusterRefused refused) {
      refused(refused);
    } else if (fact instanceof EventOpened opened) {
      events.opened(opened);
      told(opened);
    } else if (fact instanceof EventsClosed closed) {
      events.closed(closed);
    } else if (fact instanceof CampaignCancelled cancelled) {
      cancelled(campaign(cancelled.getCampaign()));
    } else if (fact instanceof CampaignAltered altered) {
      altered(campaign(altered.getCampaign()), altered);
    } else if (fact instanceof TaskDeleted deleted) {
      deleted(campaign(deleted.getCampaign()), deleted.getTask());
    } else if (fact instanceof CampaignSwept swept) {
      Campaign campaign = campaign(swept.getCampaign());
      campaign.setSwept(swept.getNext());
      state.put(campaign);
    } else if (fact instanceof CampaignEnded ended) {
      Campaign campaign = campaign(ended.getCampaign());
      forgetParameters(campaign);
      campaign.setEndedMs(ended.getAtMs());
      campaign.setKeptBytes(KeptMemory.of(table, campaign));
      state.put(campaign);
      forgetLoads(campaign);
      told(campaign, ended);
    } else if (fact instanceof CampaignPurged purged) {
      purged(campaign(purged.getCampaign()));
    } else if (fact instanceof ClusterSeen seen) {
      table.put(CampaignKeys.load(seen.getLoad().getName()), seen.getLoad());
    } else if (fact instanceof AdmissionRulesSet set) {
      table.put(
          CampaignKeys.ADMISSION, new AdmissionRules(set.getRules(), set.getAtMs(), set.getBy()));
    } else if (fact instanceof AffinitySet set) {
      set(set);
    } else if (!waiting.apply(fact) && !notices.apply(fact)) {
      throw new IllegalStateException("no fact about campaigns: " + fact.getSchema().getName());
    }
  }

  private void returned(Campaign campaign) {
    campaign.setRanges(
        TaskRanges.replaced(campaign.getRanges(), TaskStatus.POSTPONED, TaskStatus.WAITING));
    state.put(campaign);
  }

  private void set(AffinitySet fact) {
    UserAffinity set = new UserAffinity(fact.getUser(), fact.getCluster(), fact.getAffinity());
    String key = CampaignKeys.affinity(fact.getUser(), fact.getCluster());
    table.put(key, fact.getAffinity() == 0 ? null : set);
  }

  /** What is of no campaign is told to those whose campaigns it keeps from a cluster. */
  private void told(EventOpened fact) {
    CampaignEvent event = fact.getEvent();
    NoticeGroup one =
        new NoticeGroup(
            event.getCampaign(),
            "",
            event.getCode(),
            fact.getSeverity(),
            event.getCluster(),
            1,
            event.getId(),
            event.getBecause() == 0
                ? event.getMessage()
                : "because of event " + event.getBecause());
    if (event.getCampaign() != 0) {
      Campaign campaign = campaign(event.getCampaign());
      one.setName(campaign.getName());
      notices.happened(Set.of(campaign.getOwner()), false, one, fact.getAtMs());
      return;
    }
    Set<String> owners =
        state.naming(event.getCluster()).stream()
            .map(Campaign::getOwner)
            .collect(Collectors.toSet());
    notices.happened(owners, true, one, fact.getAtMs());
  }

  private void told(Campaign campaign, CampaignEnded fact) {
    NoticeGroup end =
        new NoticeGroup(
            campaign.getId(),
            campaign.getName(),
            "ENDED",
            NoticeSeverity.LOW,
            "",
            1,
            0L,
            fact.getHow());
    notices.happened(Set.of(campaign.getOwner()), false, end, fact.getAtMs());
  }

  /** How many of the tasks of a campaign that is over were done. */
  static String how(Campaign campaign) {
    return (campaign.getCancelled() ? "deleted; " : "")
        + campaign.getDone()
        + " of "
        + campaign.getTasks()
        + " tasks done, "
        + campaign.getFailed()
        + " failed";
  }

  private Campaign campaign(long id) {
    return state.campaign(id).orElseThrow();
  }

  /** Nothing of it is sent any more. */
  private void forgetParameters(Campaign campaign) {
    int lines = campaign.getTasks() - campaign.getLinesFrom();
    for (int first = 0; first < lines; first += ParameterBlocks.LINES) {
      table.put(CampaignKeys.block(campaign.getId(), first / ParameterBlocks.LINES), null);
    }
    campaign.setLinesFrom(campaign.getTasks());
    campaign.setLineBytes(0);
    state.linesChanged();
  }

  /** One that had ended goes on. */
  private void added(Campaign campaign, TasksAdded fact) {
    long id = campaign.getId();
    if (campaign.getEndedMs() >= 0) {
      state.ended().remove(campaign);
      campaign.setEndedMs(-1L);
    }
    for (int i = 0; i < fact.getBlocks().size(); i++) {
      table.put(CampaignKeys.block(id, fact.getFirstBlock() + i), fact.getBlocks().get(i));
    }
    state.linesChanged();
    List<CommandId> commands = new ArrayList<>(state.additions(id));
    commands.add(fact.getCommand());
    int old = Math.max(0, commands.size() - KeptMemory.ADDITIONS_MAX);
    List<CommandId> last = commands.subList(old, commands.size());
    table.put(CampaignKeys.additions(id), new CampaignAdditions(new ArrayList<>(last)));
    campaign.setTasks(campaign.getTasks() + fact.getTasks());
    campaign.setRanges(TaskRanges.longer(campaign.getRanges(), fact.getTasks()));
    campaign.setLineBytes(fact.getLineBytes());
    campaign.setKeptBytes(fact.getKeptBytes());
    scripts.renewed(campaign);
    state.put(campaign);
  }

  /** What was seen of a cluster that no campaign wants now is old when one wants it again. */
  private void forgetLoads(Campaign campaign) {
    for (CampaignCluster cluster : campaign.getClusters()) {
      String name = cluster.getName();
      if (!state.wanted(name)) {
        table.put(CampaignKeys.load(name), null);
      }
    }
  }

  private void cancelled(Campaign campaign) {
    int failed = TaskRanges.count(campaign.getRanges(), status -> status == TaskStatus.EVENT);
    campaign.setCancelled(true);
    campaign.setFailed(campaign.getFailed() + failed);
    campaign.setRanges(
        TaskRanges.replaced(campaign.getRanges(), TaskStatus.WAITING, TaskStatus.CANCELLED));
    campaign.setRanges(
        TaskRanges.replaced(campaign.getRanges(), TaskStatus.POSTPONED, TaskStatus.CANCELLED));
    campaign.setRanges(
        TaskRanges.replaced(campaign.getRanges(), TaskStatus.EVENT, TaskStatus.FAILED));
    state.put(campaign);
  }

  private void altered(Campaign campaign, CampaignAltered fact) {
    campaign.setName(fact.getName());
    campaign.setPausedMs(fact.getPausedMs());
    state.put(campaign);
  }

  private void deleted(Campaign campaign, int task) {
    OpenTask open = state.open(campaign.getId(), task).orElse(null);
    if (open != null && open.getStatus() != TaskStatus.WAITING) {
      open.setDeleted(true);
      table.put(CampaignKeys.open(campaign.getId(), task), open);
      return;
    }
    if (open != null) {
      campaign.setTried(campaign.getTried() - 1);
      table.put(CampaignKeys.open(campaign.getId(), task), null);
    }
    campaign.setRanges(TaskRanges.with(campaign.getRanges(), task, TaskStatus.CANCELLED));
    state.put(campaign);
  }

  private void purged(Campaign campaign) {
    events.forgetAll(campaign.getId());
    replicas.forgetAll(campaign.getId());
    scripts.forgetAll(campaign.getId());
    places.forgetAll(campaign);
    attempts.forgetAll(campaign);
    table.put(CampaignKeys.cause(campaign.getCause()), null);
    table.put(CampaignKeys.text(campaign.getId()), null);
    table.put(CampaignKeys.additions(campaign.getId()), null);
    state.remove(campaign);
  }

  private void submitted(CampaignSubmitted fact) {
    Campaign campaign = Campaign.newBuilder(fact.getCampaign()).build();
    long id = campaign.getId();
    for (int i = 0; i < fact.getBlocks().size(); i++) {
      table.put(CampaignKeys.block(id, i), fact.getBlocks().get(i));
    }
    table.put(CampaignKeys.text(id), fact.getText());
    scripts.submitted(campaign, fact.getScripts());
    CampaignNumbers numbers = state.numbers();
    numbers.setNextId(id + 1);
    table.put(CampaignKeys.NUMBERS, numbers);
    table.put(CampaignKeys.cause(campaign.getCause()), new CampaignCause(id));
    state.put(campaign);
  }

  private void sent(TasksSent fact) {
    Campaign campaign = campaign(fact.getCampaign());
    CampaignCluster cluster = cluster(campaign, fact.getCluster());
    Map<Integer, List<Integer>> followers = new HashMap<>();
    for (SentTask sent : fact.getTasks()) {
      if (sent.getLead() >= 0) {
        followers.computeIfAbsent(sent.getLead(), it -> new ArrayList<>()).add(sent.getTask());
      }
    }
    for (SentTask sent : fact.getTasks()) {
      OpenTask open = new OpenTask();
      open.setCampaign(campaign.getId());
      open.setTask(sent.getTask());
      open.setAttempt(sent.getAttempt());
      open.setStatus(TaskStatus.SENT);
      open.setCluster(fact.getCluster());
      open.setCause(fact.getCommand());
      open.setJobId("");
      open.setSentMs(fact.getAtMs());
      open.setAffinities(List.of());
      open.setNight(fact.getNight());
      open.setLead(sent.getLead());
      open.setFollowers(followers.getOrDefault(sent.getTask(), List.of()));
      if (fact.getReplicas()) {
        replicas.sent(open);
        continue;
      }
      state
          .open(campaign.getId(), sent.getTask())
          .ifPresent(
              before -> {
                campaign.setTried(campaign.getTried() - 1);
                open.setKillings(before.getKillings());
                open.setWishes(before.getWishes());
                open.setReplicated(before.getReplicated());
                open.setNewest(before.getNewest());
                open.setAffinities(before.getAffinities());
              });
      open.setSending(cluster.getSending());
      put(campaign, open);
    }
    // Jobs: those that run in another one's come after it, and take no room of their own.
    int count = (int) fact.getTasks().stream().filter(it -> it.getLead() < 0).count();
    cluster.setWaiting(cluster.getWaiting() + count);
    cluster.setUsed(true);
    if (fact.getReplicas()) {
      cluster.setReplicas(cluster.getReplicas() + count);
      state.put(campaign);
      return;
    }
    campaign.setAttempts(campaign.getAttempts() + fact.getTasks().size());
    int firsts = (int) fact.getTasks().stream().filter(it -> it.getAttempt() == 1).count();
    campaign.setFirstAttempts(campaign.getFirstAttempts() + firsts);
    cluster.setSent(cluster.getSent() + count);
    cluster.setAllowed(Math.max(0, cluster.getAllowed() - count));
    state.put(campaign);
  }

  private void moved(OpenTask task, long atMs) {
    Campaign campaign = campaign(task.getCampaign());
    if (replicas.moved(campaign, task)) {
      return;
    }
    OpenTask before = state.open(task.getCampaign(), task.getTask()).orElseThrow();
    CampaignCluster cluster = cluster(campaign, task.getCluster());
    counts.count(cluster, before, -1);
    counts.count(cluster, task, 1);
    if (before.getStatus() == TaskStatus.SENT) {
      cluster.setRefusals(0);
      if (task.getStatus() == TaskStatus.QUEUED) {
        ClusterStress.taken(table, cluster.getName(), atMs - task.getSentMs());
      }
    }
    if (task.getStatus() == TaskStatus.RUNNING) {
      cluster.setUnbegun(0);
    }
    put(campaign, OpenTask.newBuilder(task).build());
    state.put(campaign);
  }

  private void ended(AttemptEnded fact) {
    Campaign campaign = campaign(fact.getCampaign());
    OpenTask open =
        state
            .second(fact.getCampaign(), fact.getTask(), fact.getAttempt())
            .or(() -> state.open(fact.getCampaign(), fact.getTask()))
            .orElseThrow();
    CampaignCluster cluster = cluster(campaign, open.getCluster());
    counts.count(cluster, open, -1);
    ReplicaAppliers.counted(cluster, open, fact);
    String key = CampaignKeys.open(fact.getCampaign(), fact.getTask());
    boolean bagged = open.getStatus() == TaskStatus.WAITING;
    if (fact.getStatus() == TaskStatus.WAITING || fact.getStatus() == TaskStatus.POSTPONED) {
      boolean wanted = ExitWish.of(fact.getExitStatus()).isPresent();
      boolean leaving = open.getLeaving() && !wanted;
      boolean killed =
          open.getStatus() != TaskStatus.SENT && !leaving && !wanted && !fact.getUnbegun();
      open.setKillings(open.getKillings() + (killed && !open.getGaveWay() ? 1 : 0));
      open.setWishes(open.getWishes() + (wanted ? 1 : 0));
      if (killed || leaving) {
        open.setAffinities(TaskAffinities.lowered(open.getAffinities(), open.getCluster()));
      }
      cluster.setTakenBack(cluster.getTakenBack() + (leaving ? 1 : 0));
      open.setLeaving(false);
      // The number of its next attempt follows from this one's.
      open.setStatus(TaskStatus.WAITING);
      open.setJobId("");
      open.setKilled(false);
      open.setGaveWay(false);
      open.setHeld(false);
      open.setOverdue(false);
      open.setReplica(false);
      open.setNight(false);
      open.setLead(-1);
      open.setFollowers(List.of());
      table.put(key, open);
      campaign.setTried(campaign.getTried() + 1);
    } else {
      replicas.other(campaign, open);
      table.put(key, null);
      int there = campaign.getClusters().indexOf(cluster);
      places.put(campaign, fact.getTask(), there, state.totals().tooManyPlaces(campaign));
      attempts.put(campaign, fact, state.totals().tooManyAttempts(campaign));
    }
    campaign.setTried(campaign.getTried() - (bagged ? 1 : 0));
    if (fact.getStatus() == TaskStatus.DONE) {
      campaign.setDone(campaign.getDone() + 1);
      cluster.setDone(cluster.getDone() + 1);
      cluster.setDoneMs(cluster.getDoneMs() + fact.getRunMs());
      CampaignPace.done(campaign, cluster, fact);
      cluster.setFailedInARow(0);
    } else if (fact.getStatus() == TaskStatus.EVENT) {
      cluster.setFailedInARow(cluster.getFailedInARow() + 1);
    }
    campaign.setRanges(TaskRanges.with(campaign.getRanges(), fact.getTask(), fact.getStatus()));
    state.put(campaign);
  }

  private void refused(ClusterRefused fact) {
    Campaign campaign = campaign(fact.getCampaign());
    CampaignCluster cluster = cluster(campaign, fact.getCluster());
    cluster.setRefusals(cluster.getRefusals() + 1);
    cluster.setRefusal(fact.getWhy());
    cluster.setPausedUntilMs(fact.getUntilMs());
    state.put(campaign);
  }

  private void put(Campaign campaign, OpenTask open) {
    table.put(CampaignKeys.open(open.getCampaign(), open.getTask()), open);
    campaign.setRanges(TaskRanges.with(campaign.getRanges(), open.getTask(), open.getStatus()));
  }

  private static CampaignCluster cluster(Campaign campaign, String name) {
    return CampaignState.cluster(campaign, name).orElseThrow();
  }
}
