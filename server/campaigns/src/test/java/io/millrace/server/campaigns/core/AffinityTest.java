package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.UserAffinity;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whose turn a cluster's room is, and where a task goes on that did badly on a cluster. */
final class AffinityTest {

  private final CampaignTrial trial = new CampaignTrial();

  private static CampaignCluster cluster(String name) {
    return CampaignTrial.cluster(name, 0);
  }

  private long submit(String user, int tasks, CampaignCluster... clusters) {
    trial.user = user;
    return trial.submit(tasks, clusters);
  }

  /** How many tasks of a campaign are at a cluster. */
  private long at(long campaign, String cluster) {
    return trial.jobs.entrySet().stream()
        .filter(it -> it.getKey().startsWith(campaign + "."))
        .filter(it -> it.getValue().getQueue().equals(cluster))
        .count();
  }

  private String why(long campaign, int task) {
    List<String> lines = new TaskWhy(trial.table).lines(campaign, task, trial.nowMs);
    return String.join("\n", lines);
  }

  private Reply set(String by, Role role, String user, int affinity) {
    return trial.affinity(by, role, user, "c1", affinity);
  }

  @Test
  void roomGoesByAffinityBeforeSubmission() {
    long first = submit("ada", 100, cluster("c1"));
    set("max", Role.MANAGER, "eve", 5);
    long second = submit("eve", 3, cluster("c1"));
    trial.seen("c1", 10, 10);
    assertEquals(3, at(second, "c1"), "eve has all that she wants");
    assertEquals(8, at(first, "c1"), "seven run, one waits");
  }

  @Test
  void itIsSaidWhoComesFirst() {
    long first = submit("ada", 100, cluster("c1"));
    set("max", Role.MANAGER, "eve", 5);
    submit("eve", 100, cluster("c1"));
    trial.seen("c1", 4, 4);
    assertEquals(0, at(first, "c1"));
    String words =
        "c1: its room goes to campaign 2 first, whose user has the affinity 5 there, not 0";
    assertTrue(why(first, 0).endsWith(words), why(first, 0));
  }

  @Test
  void affinityIsOfOneCluster() {
    submit("ada", 100, cluster("c1"), cluster("c2"));
    set("max", Role.MANAGER, "eve", 5);
    long second = submit("eve", 100, cluster("c1"), cluster("c2"));
    trial.seen("c1", 10, 10);
    trial.seen("c2", 10, 10);
    assertEquals(11, at(second, "c1"));
    assertEquals(5, at(second, "c2"), "a fair turn");
  }

  @Test
  void usersOfEqualAffinityShareTheRoom() {
    long first = submit("ada", 100, cluster("c1"));
    submit("ada", 100, cluster("c1"));
    long third = submit("eve", 100, cluster("c1"));
    long fourth = submit("bob", 2, cluster("c1"));
    trial.seen("c1", 20, 20);
    assertEquals(2, at(fourth, "c1"), "he wants no more");
    assertEquals(21, trial.jobs.size());
    assertEquals(1, Math.abs(at(first, "c1") - at(third, "c1")), "one of them has one that waits");
    assertEquals(0, at(2, "c1"), "of one user the first campaign goes first");
  }

  @Test
  void whoHasLeastIsNext() {
    long first = submit("ada", 100, cluster("c1"));
    trial.seen("c1", 6, 6);
    startAll();
    long before = at(first, "c1");
    long second = submit("eve", 100, cluster("c1"));
    for (int i = 0; i < 3; i++) {
      String tag =
          trial.jobs.keySet().stream().filter(it -> it.startsWith(first + ".")).findFirst().get();
      trial.tell(tag, JobChange.FINISHED, 0);
    }
    assertEquals(before - 3, at(first, "c1"), "nothing more of ada is sent");
    assertTrue(at(second, "c1") >= 3, "what became free is hers: " + trial.jobs.keySet());
  }

  @Test
  void testsComeBeforeAll() {
    set("max", Role.MANAGER, "eve", 5);
    submit("eve", 100, cluster("c1"));
    trial.user = "ada";
    long test = trial.test(cluster("c1"));
    trial.seen("c1", 1, 1);
    assertEquals(1, at(test, "c1"));
  }

  @Test
  void oneThatMayHaveNoMoreKeepsNobodyAway() {
    submit("ada", 100, CampaignTrial.cluster("c1", 1));
    long second = submit("ada", 100, cluster("c1"));
    trial.seen("c1", 4, 4);
    assertEquals(4, at(second, "c1"));
    assertTrue(why(1, 99).contains("c1: 1 tasks are there, of at most 1 (max_jobs)"), why(1, 99));
  }

  private void startAll() {
    List.copyOf(trial.jobs.keySet()).forEach(tag -> trial.tell(tag, JobChange.STARTED, 0));
  }

  private static CampaignCluster paced(String predictor) {
    CampaignCluster cluster = cluster("c1");
    cluster.setPredictor(predictor);
    return cluster;
  }

  @Test
  void whatAPredictorLeavesIdleGoesToTheNext() {
    set("max", Role.MANAGER, "ada", 5);
    long first = submit("ada", 100, paced("tap"));
    long second = submit("eve", 100, cluster("c1"));
    trial.seen("c1", 10, 10);
    assertEquals(3, at(first, "c1"), "its rate");
    assertEquals(7, at(second, "c1"), "what is idle, and none that waits before those of ada");
    String words = "c1: tap closed: 10 tasks wait there; it is asked again in 30 s";
    assertTrue(why(first, 99).endsWith(words), why(first, 99));
    startAll();
    trial.seen("c1", 10, 0);
    assertEquals(10, trial.jobs.size(), "nothing is idle");
    String turn = "c1: its room goes to campaign 1 first, whose user has the affinity 5";
    assertTrue(why(second, 99).contains(turn), why(second, 99));
    trial.nowMs += 30_000;
    trial.seen("c1", 10, 4);
    assertEquals(7, at(first, "c1"), "it is asked again, and before eve");
  }

  @Test
  void onePassedOverIsAskedAndSoIsTheNext() {
    set("max", Role.MANAGER, "ada", 5);
    long first = submit("ada", 100, paced("tap"));
    trial.seen("c1", 10, 10);
    assertEquals(3, at(first, "c1"));
    long second = submit("eve", 100, paced("slow-start"));
    trial.nowMs += 30_000;
    // Three of ada's wait, so her tap is closed, and eve's predictor begins with one.
    trial.seen("c1", 10, 8);
    assertEquals(3, at(first, "c1"));
    assertEquals(1, at(second, "c1"), "whose predictor was never asked before");
  }

  @Test
  void whoQueuesMoreDoesNotGetAheadOfOneWhoWaits() {
    set("max", Role.MANAGER, "ada", 5);
    long first = submit("ada", 100, cluster("c1"));
    long second = submit("eve", 100, cluster("c1"));
    trial.seen("c1", 4, 4);
    startAll();
    trial.seen("c1", 4, 0);
    assertEquals(0, at(second, "c1"), "ada has one that waits; nothing is idle beside it");
    assertTrue(at(first, "c1") >= 5);
  }

  @Test
  void onlyManagersGetAUserAhead() {
    assertEquals(0, set("max", Role.MANAGER, "ada", 3).getCode());
    Reply other = set("eve", Role.OPERATOR, "ada", 1);
    assertEquals(PbsError.UNAUTHORIZED.code(), other.getCode());
    assertEquals(List.of("only managers set the affinity of another user"), other.getLines());
    Reply up = set("ada", Role.USER, "ada", 4);
    assertEquals(PbsError.UNAUTHORIZED.code(), up.getCode());
    assertEquals(List.of("your affinity there is 3; only managers raise it"), up.getLines());
    assertEquals(0, set("ada", Role.USER, "ada", -1).getCode(), "he steps back");
    assertEquals(-1, affinityOfAda());
  }

  private int affinityOfAda() {
    return ((UserAffinity) trial.table.get(CampaignKeys.affinity("ada", "c1"))).getAffinity();
  }

  @Test
  void wrongOnesAreRefusedInOneLine() {
    Reply far = set("max", Role.MANAGER, "ada", 1_001);
    assertEquals(PbsError.ILLEGAL_VALUE.code(), far.getCode());
    assertEquals(List.of("an affinity is from -1000 to 1000"), far.getLines());
    Reply name = set("max", Role.MANAGER, "a b", 1);
    assertEquals(
        List.of("a name of a user or cluster has 1 to 255 characters, and no blank"),
        name.getLines());
    int facts = trial.ledger.size();
    assertEquals(0, set("max", Role.MANAGER, "ada", 0).getCode());
    assertEquals(facts, trial.ledger.size(), "nothing changes");
  }

  @Test
  void aTaskThatWasKilledGoesWhereItWasKilledLeast() {
    long id = submit("ada", 100, cluster("c1"), cluster("c2"));
    trial.seen("c1", 1, 1);
    trial.tell("1.0.1", JobChange.STARTED, 0);
    trial.seen("c2", 4, 0);
    trial.tell("1.0.1", JobChange.KILLED, 0);
    trial.tell("1.0.1", JobChange.FINISHED, -33);
    assertTrue(why(id, 0).contains("affinity of the task -1"), why(id, 0));
    assertTrue(trial.jobs.keySet().stream().noneMatch(it -> it.equals("1.0.2")), "not there again");
    trial.seen("c2", 4, 4);
    assertEquals("c2", trial.jobs.get("1.0.2").getQueue());
  }

  @Test
  void itGoesBackWhereThereIsNothingElse() {
    submit("ada", 1, cluster("c1"), cluster("c2"));
    trial.seen("c2", 0, 0);
    trial.seen("c1", 1, 1);
    trial.tell("1.0.1", JobChange.STARTED, 0);
    trial.tell("1.0.1", JobChange.KILLED, 0);
    trial.tell("1.0.1", JobChange.FINISHED, -33);
    assertEquals("c1", trial.jobs.get("1.0.2").getQueue());
  }

  @Test
  void aFailureCountsWhenItIsFixed() {
    long id = submit("ada", 100, cluster("c1"), cluster("c2"));
    trial.seen("c1", 1, 1);
    trial.seen("c2", 1, 0);
    trial.tell("1.0.1", JobChange.STARTED, 0);
    trial.tell("1.0.1", JobChange.FINISHED, -29);
    trial.fix(id, 0, "ada", Role.USER, true);
    assertTrue(why(id, 0).contains("affinity of the task -1"), why(id, 0));
  }
}
