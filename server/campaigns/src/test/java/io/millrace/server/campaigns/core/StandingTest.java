package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.NightQueue;
import io.millrace.schemas.common.JobSpec;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** CiGri's types of campaigns: where their jobs go, and when. */
final class StandingTest {

  private static final long HOUR_MS = 3_600_000;

  private final CampaignTrial trial = new CampaignTrial();

  private static CampaignCluster typed(String type, long walltimeS) {
    CampaignCluster cluster = CampaignTrial.cluster("c0", 0);
    cluster.setType(type);
    cluster.getJob().getRequest().setWalltimeS(walltimeS);
    if (type.equals("semi-best-effort")) {
      cluster.setNight(new NightQueue("work", 3, cluster.getJob()));
    }
    return cluster;
  }

  private Set<String> queues() {
    return trial.jobs.values().stream()
        .map(JobSpec::getQueue)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private String why(long campaign, int task) {
    return String.join("\n", new TaskWhy(trial.table).lines(campaign, task, trial.nowMs));
  }

  @Test
  void ordinaryJobsNeverGoToABestEffortQueue() {
    long id = trial.submit(9, typed("normal", -1));
    trial.seen("c0", 4, true, 0);
    assertEquals(Set.of(), queues());
    assertTrue(
        why(id, 0).contains("c0: queue c0 is best effort now, where type normal never goes"),
        why(id, 0));
    trial.seen("c0", 4, false, 0);
    assertEquals(Set.of("c0"), queues());
  }

  @Test
  void bestEffortOnesGoToAnyQueueDayAndNight() {
    trial.submit(9, typed("best-effort", -1));
    trial.seen("c0", 4, true, 0);
    int sent = trial.jobs.size();
    assertTrue(sent >= 4, sent + " were sent");
    trial.jobs.keySet().stream().toList().forEach(it -> trial.tell(it, JobChange.FINISHED, 0));
    trial.seen("c0", 4, false, trial.nowMs + HOUR_MS);
    assertTrue(trial.everSent.size() > sent);
  }

  @Test
  void nightlyOnesBeginByNightAndAreOverBeforeItIs() {
    long id = trial.submit(9, typed("nightly", 1_800));
    trial.seen("c0", 4, false, 0);
    assertEquals(Set.of(), queues());
    assertTrue(why(id, 0).contains("c0: it is day there; its night is 20:00-06:00"), why(id, 0));
    long endMs = trial.nowMs + HOUR_MS;
    trial.seen("c0", 4, false, endMs);
    assertEquals(Set.of("c0"), queues());
    List<String> tags = List.copyOf(trial.jobs.keySet());
    tags.forEach(it -> trial.tell(it, JobChange.QUEUED, 0));
    trial.tell(tags.get(0), JobChange.STARTED, 0);
    assertEquals(List.of(), trial.deleted);

    trial.nowMs = endMs - 1_799_000;
    trial.seen("c0", 4, false, endMs);
    assertEquals(Set.copyOf(jobs(tags.subList(1, tags.size()))), Set.copyOf(trial.deleted));
    tags.subList(1, tags.size()).forEach(it -> trial.tell(it, JobChange.DELETED, 0));
    assertEquals(Set.of(tags.get(0)), trial.jobs.keySet(), "what runs goes on");
    assertTrue(why(id, 1).contains("1798 s left, less than a task may run"), why(id, 0));
    assertEquals(List.of(), trial.open(id));
  }

  @Test
  void whatComesOnceWaitsForTheNextNightAsTasksDo() {
    trial.scripts = List.of(CampaignTrial.script(0, false), CampaignTrial.script(0, true));
    long id = trial.submit(1, typed("nightly", 1_800));
    long endMs = trial.nowMs + HOUR_MS;
    trial.seen("c0", 4, false, endMs);
    for (String script : List.of("p0", "e0")) {
      String tag = id + "." + script;
      assertEquals(Set.of(tag + ".1"), trial.jobs.keySet());
      trial.tell(tag + ".1", JobChange.QUEUED, 0);
      trial.seen("c0", 0, false, endMs);
      assertEquals(List.of(), trial.deleted);

      trial.nowMs = endMs - 1_799_000;
      trial.seen("c0", 0, false, endMs);
      trial.seen("c0", 0, false, endMs);
      assertEquals(List.of("job-" + tag + ".1"), trial.deleted, "once");
      trial.tell(tag + ".1", JobChange.DELETED, 0);
      assertEquals(Set.of(), trial.jobs.keySet());
      assertEquals(0, killings(id, script.startsWith("e")), "nobody has killed it");

      trial.deleted.clear();
      endMs = trial.nowMs + 24 * HOUR_MS;
      trial.seen("c0", 4, false, endMs);
      trial.tell(tag + ".2", JobChange.STARTED, 0);
      trial.nowMs = endMs + 1;
      trial.seen("c0", 4, false, 0);
      assertEquals(List.of(), trial.deleted, "what runs goes on");
      trial.tell(tag + ".2", JobChange.FINISHED, 0);
      endMs = trial.nowMs + HOUR_MS;
      trial.seen("c0", 4, false, endMs);
      List.copyOf(trial.jobs.keySet()).stream()
          .filter(it -> it.equals(id + ".0.1"))
          .forEach(it -> trial.tell(it, JobChange.FINISHED, 0));
    }
    assertEquals(List.of(), trial.open(id));
  }

  private int killings(long id, boolean after) {
    return ((CampaignScript) trial.table.get(CampaignKeys.script(id, 0, after))).getKillings();
  }

  private static List<String> jobs(List<String> tags) {
    return tags.stream().map(it -> "job-" + it).toList();
  }

  @Test
  void semiBestEffortOnesAreOrdinaryByNight() {
    long id = trial.submit(40, typed("semi-best-effort", -1));
    trial.seen("c0", 4, true, 0);
    assertEquals(Set.of("c0"), queues());
    List<String> byDay = List.copyOf(trial.jobs.keySet());
    byDay.forEach(it -> trial.tell(it, JobChange.QUEUED, 0));
    byDay.forEach(it -> trial.tell(it, JobChange.STARTED, 0));

    long endMs = trial.nowMs + HOUR_MS;
    trial.seen("c0", 4, true, endMs);
    assertEquals(Set.of("c0", "work"), queues());
    List<String> byNight = trial.jobs.keySet().stream().filter(it -> !byDay.contains(it)).toList();
    byNight.forEach(it -> trial.tell(it, JobChange.QUEUED, 0));
    trial.tell(byNight.get(0), JobChange.STARTED, 0);
    assertEquals(List.of(), trial.deleted);

    trial.nowMs = endMs + 1;
    trial.seen("c0", 4, true, 0);
    assertEquals(
        Set.copyOf(jobs(byNight.subList(1, byNight.size()))),
        Set.copyOf(trial.deleted),
        "what waits in the ordinary queue by day comes back, what runs goes on");
    trial.seen("c0", 4, false, trial.nowMs + HOUR_MS);
    assertTrue(
        why(id, 39).contains("is not best effort any more, which type semi-best-effort needs"),
        why(id, 39));
  }

  /** A manager has unset it, made it best effort or deleted it. */
  @Test
  void whatHasNoQueueOfTheNightAnyMoreIsBestEffortByNightAndToldSo() {
    long id = trial.submit(40, typed("semi-best-effort", -1));
    long endMs = trial.nowMs + HOUR_MS;
    trial.seen("c0", 4, true, endMs);
    assertEquals(Set.of("work"), queues());
    List<String> byNight = List.copyOf(trial.jobs.keySet());
    byNight.forEach(it -> trial.tell(it, JobChange.QUEUED, 0));
    trial.tell(byNight.get(0), JobChange.STARTED, 0);

    trial.nightQueue = "";
    trial.seen("c0", 4, true, endMs);
    trial.seen("c0", 4, true, endMs);
    assertEquals(
        Set.copyOf(jobs(byNight.subList(1, byNight.size()))),
        Set.copyOf(trial.deleted),
        "what waits there comes back");
    assertEquals(List.of("NIGHT_QUEUE_LOST"), trial.open(id), "once");
    assertEquals(
        "queue work is no night_queue of c0 any more", trial.events(id).get(0).getMessage());
    byNight.subList(1, byNight.size()).forEach(it -> trial.tell(it, JobChange.DELETED, 0));
    trial.seen("c0", 4, true, endMs);
    assertEquals(Set.of("c0", "work"), queues(), "what runs goes on, the others are best effort");

    trial.nightQueue = "work";
    trial.seen("c0", 4, true, endMs);
    assertEquals(List.of(), trial.open(id), "it ends by itself");
  }

  @Test
  void aTypeThatDoesNotExistIsRefused() {
    CampaignOutcome outcome = trial.submit("{}", List.of("users"), typed("weekly", -1));
    assertEquals("there is no type weekly", outcome.answer().orElseThrow().getLines().get(0));
  }
}
