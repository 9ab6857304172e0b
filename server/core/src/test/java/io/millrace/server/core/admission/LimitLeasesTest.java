package io.millrace.server.core.admission;

import static io.millrace.schemas.command.ChangeOperation.SET;
import static io.millrace.schemas.command.ChangeOperation.UNSET;
import static io.millrace.schemas.common.ObjectKind.QUEUE;
import static io.millrace.schemas.common.ObjectKind.SCHEDULER;
import static io.millrace.schemas.common.ObjectKind.SERVER;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterJob;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.fact.CommandParked;
import io.millrace.schemas.fact.LimitAsked;
import io.millrace.schemas.output.Reply;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The server's limits on queued jobs hold for the jobs of all shards together. */
class LimitLeasesTest {
  private static final String FULL = "15142 Maximum number of jobs already in complex";

  private final TestShards shards = TestShards.threePartitions();
  private final int east = shards.shardOfQueue("east");
  private final int west = shards.shardOfQueue("west");

  private void limit(String value) {
    shards.must(SET, SERVER, "", "max_queued=" + value);
  }

  private SubmitJobs submission(String owner, String queue, int jobs) {
    NewJob[] wishes = new NewJob[jobs];
    Arrays.fill(wishes, Calls.job(owner, queue, 1));
    return Calls.submit(shards.user(owner), List.of(), wishes);
  }

  private Reply submit(String owner, String queue, int jobs) {
    return shards.ask(shards.shardOfQueue(queue), submission(owner, queue, jobs));
  }

  private String accepted(String owner, String queue) {
    Reply reply = submit(owner, queue, 1);
    assertEquals(0, reply.getCode(), reply.toString());
    return reply.getLines().get(0);
  }

  private static void refused(String expected, Reply reply) {
    assertEquals(expected, reply.getCode() + " " + String.join(" ", reply.getLines()));
  }

  private int code(MoveJob command) {
    return shards.code(shards.where(command.getJobId()), command);
  }

  private void delete(String job) {
    assertEquals(0, shards.code(shards.where(job), Calls.delete(shards.manager(), job, true)));
  }

  @Test
  void jobsOfAllShardsCountTogether() {
    limit("[o:PBS_ALL=3]");
    accepted("ann", "east");
    String second = accepted("bob", "west");
    accepted("ann", "workq");
    for (String queue : List.of("east", "west", "workq")) {
      refused(FULL, submit("ann", queue, 1));
    }
    delete(second);
    accepted("ann", "east");
    refused(FULL, submit("bob", "west", 1));
  }

  @Test
  void whileThereAreMoreThanTheLimitNoJobFollowsOneThatEnded() {
    limit("[o:PBS_ALL=6]");
    String first = accepted("ann", "east");
    accepted("ann", "east");
    for (int i = 0; i < 3; i++) {
      accepted("bob", "west");
    }
    limit("[o:PBS_ALL=4]");
    refused(FULL, submit("ann", "east", 1));
    delete(first);
    refused(FULL, submit("ann", "east", 1));
  }

  @Test
  void whoHasLeasedAmplyNeedNotAskForEachJob() {
    limit("[o:PBS_ALL=1000]");
    for (int i = 0; i < 600; i++) {
      accepted("ann", "east");
    }
    assertEquals(1, shards.facts(LimitAsked.class).size());
    for (int i = 0; i < 400; i++) {
      accepted("bob", "west");
    }
    refused(FULL, submit("ann", "east", 1));
    refused(FULL, submit("bob", "west", 1));
    assertTrue(
        shards.facts(LimitAsked.class).size() < 30,
        () -> shards.facts(LimitAsked.class).toString());
  }

  @Test
  void whereOnePartitionIsAllNothingIsAsked() {
    TestShards one = TestShards.initialised();
    one.must(SET, SERVER, "", "max_queued=[o:PBS_ALL=1]");
    one.submit(Calls.job("ann", "workq", 1));
    SubmitJobs second = Calls.submit(one.user("ann"), List.of(), Calls.job("ann", "workq", 1));
    refused(FULL, one.ask(0, second));
    assertEquals(List.of(), one.facts(LimitAsked.class));
  }

  @Test
  void aUserIsLimitedForHimself() {
    limit("[u:PBS_GENERIC=1],[u:bob=2]");
    accepted("ann", "east");
    accepted("bob", "east");
    accepted("bob", "west");
    accepted("eve", "west");
    String each = "15142 would exceed complex's per-user limit";
    refused(each, submit("ann", "west", 1));
    refused(each, submit("eve", "east", 1));
    refused(
        "15142 Maximum number of jobs for user bob already in complex", submit("bob", "workq", 1));
  }

  @Test
  void amountsCountTogetherAndWhoAsksForMoreLater() throws Exception {
    shards.must(SET, SERVER, "", "max_queued_res.ncpus=[o:PBS_ALL=4]");
    String job = accepted("ann", "east");
    accepted("ann", "west");
    accepted("ann", "west");
    String full = "15143 would exceed limit on resource ncpus in complex";
    AlterJob alter = new AlterJob();
    alter.setMeta(shards.user("ann"));
    alter.setJobId(job);
    alter.setBefore(List.of());
    alter.setRequest(Calls.job("ann", "east", 3).getSpec().getRequest());
    refused(full, shards.ask(east, alter));
    alter.setMeta(shards.user("ann"));
    alter.setRequest(Calls.job("ann", "east", 2).getSpec().getRequest());
    assertEquals(0, shards.code(east, alter));
    refused(full, submit("bob", "workq", 1));
  }

  @Test
  void allJobsOfACommandAreTakenOrNone() {
    limit("[o:PBS_ALL=5]");
    accepted("ann", "west");
    refused(FULL, submit("ann", "east", 5));
    assertEquals(0, submit("ann", "east", 4).getCode());
    refused(FULL, submit("ann", "west", 1));
  }

  @Test
  void aLimitMayBeChangedAndTakenAwayWhileJobsAreThere() {
    limit("[o:PBS_ALL=4]");
    List<String> jobs = new ArrayList<>();
    for (String queue : List.of("east", "west", "east", "west")) {
      jobs.add(accepted("ann", queue));
    }
    limit("[o:PBS_ALL=2]");
    refused(FULL, submit("ann", "workq", 1));
    delete(jobs.get(0));
    delete(jobs.get(1));
    refused(FULL, submit("ann", "workq", 1));
    delete(jobs.get(2));
    accepted("ann", "workq");
    limit("[o:PBS_ALL=3]");
    accepted("ann", "west");
    refused(FULL, submit("ann", "east", 1));
    shards.must(UNSET, SERVER, "", "max_queued");
    accepted("ann", "east");
  }

  @Test
  void aJobThatMovesCountsOnce() {
    limit("[o:PBS_ALL=3]");
    List<String> jobs =
        List.of(accepted("ann", "east"), accepted("ann", "east"), accepted("ann", "west"));
    for (String queue : List.of("west", "workq", "east", "west")) {
      assertEquals(0, code(Calls.move(shards.user("ann"), jobs.get(0), queue)), queue);
      for (String other : List.of("east", "west", "workq")) {
        refused(FULL, submit("bob", other, 1));
      }
    }
    delete(jobs.get(0));
    accepted("bob", "workq");
    refused(FULL, submit("bob", "east", 1));
  }

  @Test
  void aPartitionThatGoesToAnotherShardTakesItsJobsAlong() {
    limit("[o:PBS_ALL=3]");
    accepted("ann", "east");
    accepted("ann", "east");
    shards.must(UNSET, SCHEDULER, "es", "partition");
    shards.must(SET, SCHEDULER, "ws", "partition+=peast");
    assertEquals(west, shards.shardOfQueue("east"));
    accepted("ann", "workq");
    for (String queue : List.of("east", "west", "workq")) {
      refused(FULL, submit("ann", queue, 1));
    }
    shards.must(SET, QUEUE, "east", "partition=");
    refused(FULL, submit("ann", "west", 1));
  }

  @Test
  void whileAnotherShardIsAwayWhatIsLeasedCanBeUsedAndTheRestWaits() {
    limit("[o:PBS_ALL=8]");
    accepted("ann", "east");
    accepted("ann", "west");
    shards.silence(west, true);
    List<SubmitJobs> sent = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      sent.add(submission("ann", "east", 1));
      shards.ask(east, sent.get(i));
    }
    List<SubmitJobs> open =
        sent.stream().filter(it -> shards.answer(it.getMeta()) == null).toList();
    assertEquals(sent.subList(6, 8), open);
    shards.silence(west, false);
    shards.run();
    for (SubmitJobs command : sent) {
      if (open.contains(command)) {
        refused(FULL, shards.answer(command.getMeta()));
      } else {
        assertEquals(0, shards.answer(command.getMeta()).getCode());
      }
    }
  }

  @Test
  void whoWaitsAsksAgainWhenTheLimitChanges() {
    limit("[o:PBS_ALL=2]");
    accepted("ann", "west");
    shards.silence(west, true);
    SubmitJobs command = submission("ann", "east", 2);
    assertNull(shards.ask(east, command));
    shards.post(0, Calls.change(shards.manager(), SET, SERVER, "", "max_queued=[o:PBS_ALL=3]"));
    shards.run();
    shards.silence(west, false);
    shards.run();
    assertEquals(0, shards.answer(command.getMeta()).getCode());
    refused(FULL, submit("ann", "east", 1));
  }

  @Test
  void whoWaitsTooLongForAnotherShardIsToldToTryAgain() {
    limit("[o:PBS_ALL=2]");
    accepted("ann", "west");
    shards.silence(west, true);
    SubmitJobs command = submission("ann", "east", 2);
    assertNull(shards.ask(east, command));
    assertEquals(1, shards.facts(east, CommandParked.class).size());
    shards.pass(25_000);
    Reply reply = shards.answer(command.getMeta());
    assertEquals(15208, reply.getCode(), reply.toString());
    shards.silence(west, false);
    shards.run();
    refused(FULL, submit("ann", "east", 2));
    accepted("ann", "east");
  }
}
