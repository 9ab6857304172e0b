package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.campaigns.predictors.Predictors;
import io.millrace.schemas.campaign.AddTasks;
import io.millrace.schemas.campaign.AdmissionRule;
import io.millrace.schemas.campaign.AlterCampaign;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignEvent;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.ContinueCampaign;
import io.millrace.schemas.campaign.DeleteCampaign;
import io.millrace.schemas.campaign.DeleteTask;
import io.millrace.schemas.campaign.FixEvents;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NightQueue;
import io.millrace.schemas.campaign.NoteCluster;
import io.millrace.schemas.campaign.NoteJob;
import io.millrace.schemas.campaign.NoticeSeverity;
import io.millrace.schemas.campaign.NoticeWritten;
import io.millrace.schemas.campaign.OpenTask;
import io.millrace.schemas.campaign.PurgeCampaign;
import io.millrace.schemas.campaign.SetAdmissionRules;
import io.millrace.schemas.campaign.SetAffinity;
import io.millrace.schemas.campaign.StopCluster;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.campaign.SubscribeNotices;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksSent;
import io.millrace.schemas.campaign.UnsubscribeNotices;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.server.campaigns.core.standing.JobStanding;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import io.millrace.server.campaigns.core.table.MemoryTable;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;

/**
 * Random histories: jobs start, end, fail, are killed, deleted, requeued and refused, reports come
 * twice, the process restarts, campaigns and tests pause and are deleted, clusters stop, events are
 * fixed, two users have affinities, programs want another attempt now or at the end, scripts run
 * before and after, tasks are added, also to campaigns that have ended, queues become best effort
 * and night falls, several tasks run in one job; every other history begins near the end of a
 * campaign whose last tasks get replicas. No attempt is sent twice, each task is in one place and
 * counted once, and the facts alone rebuild the state.
 */
final class CampaignReplayTest {

  private static final int HISTORIES = Boolean.getBoolean("millrace.night") ? 60 : 20;
  private static final int STEPS = 300;

  /** All that may come into the inbox. */
  private static final Set<Class<?>> COMMANDS =
      Set.of(
          SubmitCampaign.class,
          AddTasks.class,
          AlterCampaign.class,
          DeleteCampaign.class,
          ContinueCampaign.class,
          FixEvents.class,
          SetAdmissionRules.class,
          SetAffinity.class,
          DeleteTask.class,
          PurgeCampaign.class,
          StopCluster.class,
          SubscribeNotices.class,
          UnsubscribeNotices.class,
          NoteCluster.class,
          NoteJob.class,
          Reply.class);

  private static final Set<TaskStatus> OPEN =
      EnumSet.of(
          TaskStatus.WAITING,
          TaskStatus.POSTPONED,
          TaskStatus.SENT,
          TaskStatus.QUEUED,
          TaskStatus.RUNNING);

  private final Set<String> done = new HashSet<>();
  private final Set<Long> tests = new HashSet<>();
  private final Set<Class<?>> taken = new HashSet<>();
  private int groups;
  private int replicas;
  private final AdditionTrial.Tally additions = new AdditionTrial.Tally();
  private int letters;

  /** What is looked at after some steps. */
  private BiConsumer<CampaignTrial, Supplier<MemoryTable>> check = this::check;

  @Test
  void theFactsRebuildTheStateAndEachTaskIsCountedOnce() {
    long seed = Long.getLong("millrace.day", 20261126L);
    for (int history = 0; history < HISTORIES; history++) {
      try {
        history(new Random(seed * HISTORIES + history), MemoryTable::new, history % 2 == 1);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ", history " + history, e);
      }
    }
    // Twenty histories have 32 to 70 scripts and 16 to 33 letters, as the day wills.
    additions.check(HISTORIES);
    assertTrue(letters > HISTORIES / 4, letters + " letters were written");
    assertTrue(groups > HISTORIES, groups + " ends of jobs with several tasks");
    assertTrue(replicas > HISTORIES, replicas + " replicas were sent");
    assertEquals(COMMANDS, taken, "each of them has come");
  }

  /** The end of a task whose other attempt is there still is forgotten. */
  private static final class Forgetful extends MemoryTable {
    @Override
    public void put(String key, SpecificRecord record) {
      boolean over = record == null && key.startsWith("open/");
      if (!over || get(key.replace("open/", "second/")) == null) {
        super.put(key, record);
      }
    }
  }

  /** Of what is counted twice, nothing else is looked at: other counts would tell it, too. */
  @Test
  void anEndThatIsCountedTwiceIsFound() {
    Random random = new Random(Long.getLong("millrace.day", 20261126L));
    check = (trial, tables) -> countedOnce(trial);
    List<String> found = new ArrayList<>();
    for (int history = 0; history < 10 * HISTORIES && found.isEmpty(); history++) {
      try {
        history(random, Forgetful::new, true);
      } catch (AssertionError e) {
        found.add(e.getMessage());
      } catch (RuntimeException e) {
        // What follows from a count that is wrong may be impossible; the next one tells it.
        assertTrue(e instanceof NoSuchElementException, e.toString());
      }
    }
    assertEquals(1, found.size(), "found");
    assertTrue(found.get(0).startsWith("done ==> "), found.get(0));
  }

  private void history(Random random, Supplier<MemoryTable> tables, boolean ending) {
    done.clear();
    tests.clear();
    CampaignTrial trial = new CampaignTrial(tables.get());
    trial.runMs = 5_000;
    trial.numbered = true;
    if (ending) {
      nearTheEnd(trial);
    }
    int steps = ending ? STEPS / 2 : STEPS;
    for (int step = 0; step < steps; step++) {
      step(trial, random);
      if (step % 20 == 0) {
        check.accept(trial, tables);
      }
    }
    drain(trial);
    check.accept(trial, tables);
    AdditionTrial.afterTheEnd(trial);
    drain(trial);
    check.accept(trial, tables);
    taken.addAll(trial.taken);
    additions.count(trial);
    letters += trial.ledger.stream().filter(NoticeWritten.class::isInstance).count();
    trial.ledger.forEach(
        fact ->
            replicas +=
                fact instanceof TasksSent sent && sent.getReplicas() ? sent.getTasks().size() : 0);
    trial.table.scan(
        CampaignKeys.CAMPAIGNS,
        it -> {
          Campaign campaign = (Campaign) it;
          assertTrue(campaign.getEndedMs() > 0, "all have ended: " + it);
          boolean left = !campaign.getCancelled() && ScriptDeciders.isLeft(campaign);
          assertFalse(left, "its scripts are over: " + it);
        });
  }

  /** All but four of a campaign's tasks are done. */
  private void nearTheEnd(CampaignTrial trial) {
    trial.submit(40, CampaignTrial.finalizing("c0"), CampaignTrial.finalizing("c1"));
    while (done.size() < 36) {
      trial.seen("c0", 4, 4);
      trial.seen("c1", 4, 4);
      for (String tag : List.copyOf(trial.jobs.keySet())) {
        trial.tell(tag, JobChange.QUEUED, 0);
        trial.tell(tag, JobChange.STARTED, 0);
        if (done.size() < 36) {
          trial.tell(tag, JobChange.FINISHED, 0);
          done.add(task(tag));
        }
      }
    }
    trial.nowMs += 10_000;
    trial.seen("c0", 4, 4);
    trial.seen("c1", 4, 4);
  }

  private static String task(String tag) {
    return tag.substring(0, tag.lastIndexOf('.'));
  }

  /** Whether a success of the task would be counted. */
  private static boolean isOpen(CampaignTrial trial, String tag) {
    String[] parts = tag.split("\\.");
    if (ScriptDeciders.Tag.parse(tag).isPresent()) {
      return false;
    }
    long id = Long.parseLong(parts[0]);
    int task = Integer.parseInt(parts[1]);
    boolean told = GroupTrial.told(trial, id, task, Integer.parseInt(parts[2]));
    Campaign campaign = (Campaign) trial.table.get(CampaignKeys.campaign(id));
    return !told && OPEN.contains(TaskRanges.status(campaign.getRanges(), task));
  }

  private void step(CampaignTrial trial, Random random) {
    switch (random.nextInt(15)) {
      case 0 -> {
        long nightMs = random.nextInt(3) == 0 ? 0 : trial.nowMs + random.nextInt(60_000);
        trial.seen("c" + random.nextInt(2), random.nextInt(5), random.nextBoolean(), nightMs);
      }
      case 1 -> {
        AdditionTrial.add(trial, random, 1 + random.nextInt(3));
        if (random.nextInt(20) == 0) {
          tests.add(trial.test(CampaignTrial.cluster("c0", 0), CampaignTrial.cluster("c1", 0)));
        }
        if (random.nextInt(10) == 0) {
          trial.scripts = scripts(random);
          trial.user = random.nextBoolean() ? "ada" : "eve";
          trial.submit(1 + random.nextInt(40), paced("c0", random), paced("c1", random));
        }
      }
      case 2 -> trial.restart();
      case 3 -> {
        if (random.nextInt(30) == 0) {
          trial.beginDeletion(1 + random.nextInt(3), "ada");
        }
        if (random.nextInt(4) == 0) {
          trial.alter(1 + random.nextInt(3), "ada", Role.USER, null, random.nextBoolean());
          trial.alter(1 + random.nextInt(3), "ada", Role.USER, "n" + random.nextInt(3), null);
        }
        trial.goOn();
      }
      case 5 -> events(trial, random);
      case 6 -> notices(trial, random);
      case 4 -> {
        if (!trial.jobs.isEmpty() && trial.refusable(trial.any())) {
          // The first passes; the other does not.
          int code = random.nextBoolean() ? 15039 : 15031;
          trial.refuse(trial.any(), code, "no");
        }
      }
      default -> job(trial, random);
    }
    trial.nowMs += random.nextInt(2_000);
  }

  private static List<CampaignScript> scripts(Random random) {
    List<CampaignScript> scripts = new ArrayList<>();
    for (int cluster = 0; cluster < 2; cluster++) {
      for (boolean after : List.of(false, true)) {
        if (random.nextInt(3) == 0) {
          scripts.add(CampaignTrial.script(cluster, after));
        }
      }
    }
    return scripts;
  }

  private static CampaignCluster paced(String name, Random random) {
    CampaignCluster cluster = CampaignTrial.cluster(name, random.nextInt(3));
    List<String> names = Predictors.names();
    cluster.setPredictor(names.get(random.nextInt(names.size())));
    cluster.setFinalize(random.nextBoolean());
    cluster.setGrouping(random.nextBoolean());
    if (random.nextInt(3) == 0) {
      List<String> types = JobStanding.words();
      cluster.setType(types.get(random.nextInt(types.size())));
      boolean semi = cluster.getType().equals(JobStanding.SEMI_BEST_EFFORT.word());
      cluster.setNight(semi ? new NightQueue("n-" + name, 0, cluster.getJob()) : null);
    }
    return cluster;
  }

  private static void notices(CampaignTrial trial, Random random) {
    String user = random.nextBoolean() ? "ada" : "oscar";
    Role role = user.equals("ada") ? Role.USER : Role.OPERATOR;
    NoticeSeverity[] all = NoticeSeverity.values();
    switch (random.nextInt(6)) {
      case 5 ->
          trial.affinity(
              "max",
              random.nextBoolean() ? Role.MANAGER : Role.OPERATOR,
              random.nextBoolean() ? "ada" : "eve",
              "c" + random.nextInt(2),
              random.nextInt(5) - 2);
      case 0 -> trial.subscribe(user, role, "a" + random.nextInt(3), all[random.nextInt(3)]);
      case 1 -> trial.unsubscribe(user, "a" + random.nextInt(3));
      case 2 ->
          trial.admit(
              random.nextBoolean() ? Role.MANAGER : Role.OPERATOR,
              new AdmissionRule("jdl.nb_jobs > " + -random.nextInt(5), "no"));
      default -> trial.letters();
    }
  }

  private static void events(CampaignTrial trial, Random random) {
    long campaign = 1 + random.nextInt(3);
    switch (random.nextInt(6)) {
      case 0 -> trial.fix(campaign, 0, "ada", Role.USER, random.nextBoolean());
      case 1 -> {
        long event = 1 + random.nextInt(20);
        trial.fix(0, event, "ada", Role.USER, random.nextBoolean());
        // Those that stop a cluster are not to be closed; the last ones may be open.
        List<CampaignEvent> events = trial.events(0);
        if (!events.isEmpty()) {
          event = events.get(events.size() - 1 - random.nextInt(2)).getId();
          trial.fix(0, event, "oscar", Role.OPERATOR, random.nextBoolean());
        }
      }
      case 2 -> trial.seen("c1", 4, random.nextInt(5), random.nextBoolean() ? "" : "NO_NODE");
      case 3 -> trial.seen("c0", 4, 2, "QUEUE_STOPPED");
      case 4 -> trial.seen("c0", 4, 2);
      default -> TaskTrial.more(trial, random);
    }
  }

  private void job(CampaignTrial trial, Random random) {
    if (trial.jobs.isEmpty()) {
      return;
    }
    List<String> tags = new ArrayList<>(trial.jobs.keySet());
    String tag = tags.get(random.nextInt(tags.size()));
    JobChange change =
        switch (random.nextInt(11)) {
          case 8 -> JobChange.HELD;
          case 9 -> JobChange.RELEASED;
          case 10 -> JobChange.PREEMPTED;
          case 0, 1 -> JobChange.QUEUED;
          case 2, 3 -> JobChange.STARTED;
          case 4 -> JobChange.KILLED;
          case 5 -> JobChange.DELETED;
          default -> JobChange.FINISHED;
        };
    int status =
        switch (random.nextInt(8)) {
          case 0, 1 -> 1;
          case 2 -> 66;
          case 3 -> 67;
          default -> 0;
        };
    List<OpenTask> tasks = GroupTrial.tasks(trial, tag);
    String steps = change == JobChange.FINISHED ? GroupTrial.steps(tasks, random) : "";
    boolean open = isOpen(trial, tag);
    trial.tell(tag, change, status, steps);
    if (random.nextInt(3) == 0) {
      trial.tell(tag, change, status, steps);
    }
    groups += tasks.size() > 1 ? 1 : 0;
    if (tasks.size() > 1 && change == JobChange.FINISHED) {
      done.addAll(GroupTrial.done(tasks, status, steps));
    } else if (change == JobChange.FINISHED && status == 0 && open) {
      done.add(task(tag));
    }
  }

  /** All jobs end well, and the clusters have room. */
  private void drain(CampaignTrial trial) {
    for (int i = 0; i < 2_000; i++) {
      List<Long> ids = new ArrayList<>();
      trial.table.scan(CampaignKeys.CAMPAIGNS, it -> ids.add(((Campaign) it).getId()));
      ids.forEach(id -> trial.fix(id, 0, "oscar", Role.OPERATOR, true));
      ids.forEach(id -> trial.alter(id, "oscar", Role.OPERATOR, null, false));
      trial.nowMs += 600_000;
      trial.goOn();
      TaskTrial.start(trial);
      trial.seen("c0", 4, i % 2 == 0, trial.nowMs + 60_000);
      trial.seen("c1", 4, i % 2 == 0, trial.nowMs + 60_000);
      for (String tag : List.copyOf(trial.jobs.keySet())) {
        boolean open = isOpen(trial, tag);
        List<OpenTask> tasks = GroupTrial.tasks(trial, tag);
        trial.tell(tag, JobChange.FINISHED, 0);
        if (tasks.size() > 1) {
          done.addAll(GroupTrial.done(tasks, 0, ""));
        } else if (open) {
          done.add(task(tag));
        }
      }
      if (trial.jobs.isEmpty() && i > 20 && ids.stream().allMatch(id -> isOver(trial, id))) {
        return;
      }
    }
  }

  private static boolean isOver(CampaignTrial trial, long id) {
    return ((Campaign) trial.table.get(CampaignKeys.campaign(id))).getEndedMs() > 0;
  }

  private void check(CampaignTrial trial, Supplier<MemoryTable> tables) {
    MemoryTable rebuilt = tables.get();
    CampaignAppliers appliers = new CampaignAppliers(new CampaignState(rebuilt));
    trial.ledger.forEach(appliers::apply);
    assertEquals(trial.table.contents(), rebuilt.contents());
    countedOnce(trial);
    trial.table.scan(
        CampaignKeys.CAMPAIGNS,
        it -> {
          Campaign campaign = (Campaign) it;
          TaskTrial.whole(campaign);
          AdditionTrial.check(trial, campaign);
          int postponed =
              TaskRanges.count(campaign.getRanges(), status -> status == TaskStatus.POSTPONED);
          assertTrue(postponed == 0 || TaskPacing.waits(campaign), "nothing is put off for ever");
          int waiting =
              TaskRanges.count(
                  campaign.getRanges(),
                  status -> status == TaskStatus.SENT || status == TaskStatus.QUEUED);
          waiting -= GroupTrial.followers(trial, campaign.getId(), false);
          waiting += seconds(trial, campaign, at -> at.getStatus() != TaskStatus.RUNNING);
          assertEquals(
              waiting, campaign.getClusters().stream().mapToInt(c -> c.getWaiting()).sum());
          int running =
              TaskRanges.count(campaign.getRanges(), status -> status == TaskStatus.RUNNING);
          running -= GroupTrial.followers(trial, campaign.getId(), true);
          running += seconds(trial, campaign, at -> at.getStatus() == TaskStatus.RUNNING);
          assertEquals(
              campaign.getFailed(),
              TaskRanges.count(campaign.getRanges(), status -> status == TaskStatus.FAILED));
          assertEquals(campaign.getOpenEvents(), trial.open(campaign.getId()).size());
          TaskTrial.check(trial, campaign);
          TaskTrial.bounded(trial, campaign);
          int leaving = campaign.getClusters().stream().mapToInt(c -> c.getLeaving()).sum();
          int seen = leaving(trial, campaign.getId());
          assertEquals(leaving, seen + seconds(trial, campaign, OpenTask::getLeaving));
          int lonely = seconds(trial, campaign, at -> isLonely(trial, at));
          assertEquals(0, lonely, "a replica that counts has a task that goes on");
          assertEquals(
              running, campaign.getClusters().stream().mapToInt(c -> c.getRunning()).sum());
        });
    trial.jobs.forEach(
        (tag, job) -> {
          String[] parts = tag.split("\\.");
          boolean script = ScriptDeciders.Tag.parse(tag).isPresent();
          if (tests.contains(Long.parseLong(parts[0])) && !script) {
            assertEquals("c" + parts[1], job.getQueue(), "a test's task goes to its cluster");
          }
        });
    TaskTrial.openEventsStopClusters(trial);
  }

  private void countedOnce(CampaignTrial trial) {
    int[] counted = {0};
    trial.table.scan(
        CampaignKeys.CAMPAIGNS,
        it -> {
          Campaign campaign = (Campaign) it;
          counted[0] += campaign.getDone();
          assertEquals(
              TaskRanges.count(campaign.getRanges(), status -> status == TaskStatus.DONE),
              campaign.getDone(),
              "done");
        });
    assertEquals(done.size(), counted[0], "tasks that were done");
  }

  private static int seconds(CampaignTrial trial, Campaign campaign, Predicate<OpenTask> which) {
    int[] found = {0};
    trial.table.scan(
        CampaignKeys.seconds(campaign.getId()),
        it -> found[0] += which.test((OpenTask) it) ? 1 : 0);
    return found[0];
  }

  private static boolean isLonely(CampaignTrial trial, OpenTask second) {
    OpenTask first =
        (OpenTask) trial.table.get(CampaignKeys.open(second.getCampaign(), second.getTask()));
    return !second.getDropped() && (first == null || first.getStatus() == TaskStatus.WAITING);
  }

  private static int leaving(CampaignTrial trial, long campaign) {
    int[] leaving = {0};
    trial.table.scan(
        CampaignKeys.open(campaign), it -> leaving[0] += GroupTrial.leaves((OpenTask) it) ? 1 : 0);
    return leaving[0];
  }
}
