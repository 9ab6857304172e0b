package io.millrace.server.campaigns.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.campaign.AddTasks;
import io.millrace.schemas.campaign.AdmissionRule;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.JobChange;
import io.millrace.schemas.campaign.PurgeCampaign;
import io.millrace.schemas.campaign.ShownTask;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.core.lines.ParameterBlocks;
import io.millrace.server.campaigns.core.memory.KeptMemory;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Further tasks of a campaign that there is. */
final class AdditionTest {

  private final CampaignTrial trial = new CampaignTrial();

  private Campaign campaign(long id) {
    return (Campaign) trial.table.get(CampaignKeys.campaign(id));
  }

  private static List<String> lines(int from, int to) {
    return IntStream.range(from, to).mapToObj(it -> "t" + it).toList();
  }

  private List<String> parameters(long id, int from, int to) {
    return new TaskPage(trial.table)
        .of(id, from, to - from).stream().map(ShownTask::getParameters).toList();
  }

  private String refusal(CampaignOutcome outcome) {
    assertEquals(0, outcome.facts().size());
    return outcome.answer().orElseThrow().getLines().get(0);
  }

  private void finish(int status) {
    for (String tag : List.copyOf(trial.jobs.keySet())) {
      trial.tell(tag, JobChange.FINISHED, status);
    }
  }

  @Test
  void blocksAreFilledBeforeFurtherOnesBegin() {
    trial.submit(lines(0, 998), CampaignTrial.cluster("c1", 1));
    long beside = campaign(1).getKeptBytes() - campaign(1).getLineBytes();
    for (int[] part : new int[][] {{998, 999}, {999, 1_001}, {1_001, 3_500}, {3_500, 3_501}}) {
      Reply reply = trial.add("ada", 1, lines(part[0], part[1])).answer().orElseThrow();
      assertEquals(List.of("1"), reply.getLines());
      AdditionTrial.check(trial, campaign(1));
    }
    assertEquals(lines(2_990, 3_010), parameters(1, 2_990, 3_010));
    CampaignTrial other = new CampaignTrial();
    other.submit(lines(0, 3_501), CampaignTrial.cluster("c1", 1));
    Campaign whole = (Campaign) other.table.get(CampaignKeys.campaign(1));
    assertEquals(whole.getLineBytes(), campaign(1).getLineBytes(), "as of one submission");
    assertEquals(other.table.bytes("block/"), trial.table.bytes("block/"));
    assertEquals(beside + 4 * 20, campaign(1).getKeptBytes() - campaign(1).getLineBytes());
  }

  @Test
  void aTaskThatIsAddedIsSentAsTheOthersAreAndCounted() {
    trial.submit(2, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 9, 9);
    assertEquals(List.of("1.0.1", "1.1.1"), List.copyOf(trial.jobs.keySet()));
    trial.add("ada", 1, List.of("a -x", "b"));
    List<String> words = trial.jobs.get("1.2.1").getArgv();
    assertEquals(List.of("a", "-x"), words.subList(words.size() - 2, words.size()));
    assertEquals(4, trial.jobs.size(), "at once");
    finish(0);
    assertEquals(4, campaign(1).getDone());
    assertEquals(4, campaign(1).getTasks());
    assertTrue(campaign(1).getEndedMs() > 0);
  }

  @Test
  void theSameCommandAddsOnceAlsoAfterTheEnd() {
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    AddTasks command = trial.addition("ada", 1, List.of("a"));
    assertEquals(0, trial.take(command).answer().orElseThrow().getCode());
    assertEquals(List.of(), trial.take(command).facts());
    trial.seen("c1", 9, 9);
    finish(0);
    CampaignOutcome again = trial.take(command);
    assertEquals(List.of(), again.facts());
    assertEquals(0, again.answer().orElseThrow().getCode());
    assertEquals(2, campaign(1).getTasks());
    for (int i = 0; i <= KeptMemory.ADDITIONS_MAX; i++) {
      trial.add("ada", 1, List.of("a"));
    }
    long bytes = trial.table.bytes("added/");
    assertTrue(bytes < 20L * KeptMemory.ADDITIONS_MAX, "a bounded number is remembered: " + bytes);
  }

  /** In CiGri it goes on, too. */
  @Test
  void oneThatHasEndedGoesOn() {
    trial.submit(lines(0, 3), CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 9, 9);
    finish(0);
    assertTrue(campaign(1).getEndedMs() > 0);
    assertEquals(0, trial.table.bytes("block/"));
    trial.restart();
    trial.add("ada", 1, lines(3, 5));
    assertEquals(-1, campaign(1).getEndedMs());
    List<String> known = new ArrayList<>(parameters(1, 0, 5));
    assertEquals(lines(3, 5), known.subList(3, 5));
    known.subList(0, 3).forEach(line -> assertEquals(null, line, "forgotten with its end"));
    assertEquals(List.of(), List.copyOf(trial.jobs.keySet()), "its cluster is not known any more");
    trial.seen("c1", 9, 9);
    assertEquals(List.of("1.3.1", "1.4.1"), List.copyOf(trial.jobs.keySet()));
    trial.nowMs += CampaignDesk.KEPT_MS;
    trial.look();
    assertEquals(3, campaign(1).getDone(), "it goes on, and is not forgotten");
    finish(0);
    assertEquals(5, campaign(1).getDone());
    assertTrue(campaign(1).getEndedMs() > 0);
    trial.take(new PurgeCampaign(trial.meta("ada", Role.USER), 1L));
    assertEquals(0, trial.table.bytes("added/") + trial.table.bytes("block/"));
    trial.restart();
    assertEquals(PbsError.UNKNOWN_JOB.code(), code(trial.add("ada", 1, List.of("a"))));
  }

  private static int code(CampaignOutcome outcome) {
    return outcome.answer().orElseThrow().getCode();
  }

  @Test
  void onlyItsOwnerAddsAnyAndNotToWhatWasDeletedNorToTests() {
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    for (Role role : Role.values()) {
      AddTasks command = trial.addition("max", 1, List.of("a"));
      command.setMeta(trial.meta("max", role));
      CampaignOutcome outcome = trial.take(command);
      assertEquals(PbsError.UNAUTHORIZED.code(), code(outcome), "as " + role);
      assertEquals("campaign 1 is not yours", refusal(outcome));
    }
    trial.delete(1, "ada");
    String deleted = "campaign 1 was deleted; submit another one";
    assertEquals(deleted, refusal(trial.add("ada", 1, List.of("a"))));
    long test = trial.test(CampaignTrial.cluster("c1", 0));
    String one = "campaign " + test + " is a test: it has one job on each of its clusters";
    assertEquals(one, refusal(trial.add("ada", test, List.of("a"))));
  }

  @Test
  void theBoundsAreThoseOfOneSubmission() {
    trial.submit(999_999, CampaignTrial.cluster("c1", 0));
    String most = "a campaign has 1 to 1000000 tasks; it would have 1000001";
    assertEquals(most, refusal(trial.add("ada", 1, List.of("a", "b"))));
    assertEquals(0, code(trial.add("ada", 1, List.of("a"))));
    trial.submit(List.of("x".repeat(2 << 20)), CampaignTrial.cluster("c1", 0));
    String line = "y".repeat((2 << 20) + 1);
    assertEquals(ParameterBlocks.TOO_LONG, refusal(trial.add("ada", 2, List.of(line))));
    assertEquals(0, code(trial.add("ada", 2, List.of("z"))));
    AddTasks command = trial.addition("ada", 2, List.of("a"));
    command.setTasks(2_000);
    String blocks = "its lines lie in other blocks than they should";
    assertEquals(blocks, refusal(trial.take(command)));
  }

  /** All lines together, and all campaigns of an owner together. */
  @Test
  void linesThatAreTooLongTogetherAreRefused() {
    Random random = new Random(1);
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    CampaignOutcome outcome = null;
    int added = 0;
    for (; added < 60; added++) {
      List<String> lines = new ArrayList<>();
      for (int i = 0; i < 1_000; i++) {
        byte[] bytes = new byte[250];
        random.nextBytes(bytes);
        lines.add(java.util.HexFormat.of().formatHex(bytes));
      }
      outcome = trial.add("ada", 1, lines);
      if (code(outcome) != 0) {
        break;
      }
    }
    assertEquals(ParameterBlocks.TOO_LONG, refusal(outcome));
    int bytes = campaign(1).getLineBytes();
    assertTrue(bytes <= ParameterBlocks.BYTES_MAX && bytes > ParameterBlocks.BYTES_MAX * 0.95);
    assertTrue(campaign(1).getKeptBytes() > bytes);
    assertTrue(added > 20, added + " times");
  }

  @Test
  void whoAddsAtTheSameTimeIsToldToTryAgain() {
    trial.submit(lines(0, 2), CampaignTrial.cluster("c1", 0));
    AddTasks late = trial.addition("ada", 1, List.of("t3"));
    trial.add("ada", 1, List.of("t2"));
    CampaignOutcome refused = trial.take(late);
    assertEquals(PbsError.TRY_AGAIN.code(), code(refused));
    assertEquals("other jobs were added to campaign 1", refusal(refused));
    late.setBeside(ParameterBlocks.beside(campaign(1)));
    late.setBlocks(ParameterBlocks.again(late.getBlocks(), late.getBeside()).blocks());
    assertEquals(0, code(trial.take(late)));
    assertEquals(lines(0, 4), parameters(1, 0, 4));
  }

  /** Otherwise a campaign that is too large would come in two pieces. */
  @Test
  void admissionRulesAreForTheCampaignAsItWouldBe() {
    trial.submit(2, CampaignTrial.cluster("c1", 0));
    trial.admit(Role.MANAGER, new AdmissionRule("jdl.nb_jobs <= 3", "three at most"));
    assertEquals(0, code(trial.add("ada", 1, List.of("a"))));
    CampaignOutcome refused = trial.add("ada", 1, List.of("b"));
    assertEquals(PbsError.UNAUTHORIZED.code(), code(refused));
    assertEquals("c1: three at most (admission rule 1)", refusal(refused));
  }

  private TaskStatus epilogue() {
    return campaign(1).getClusters().get(0).getEpilogue();
  }

  @Test
  void scriptsRunAgainForTasksThatComeAfterTheEpilogue() {
    trial.scripts = List.of(CampaignTrial.script(0, false), CampaignTrial.script(0, true));
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 9, 9);
    trial.tell("1.p0.1", JobChange.FINISHED, 0);
    trial.add("ada", 1, List.of("a"));
    assertEquals(List.of("1.0.1", "1.1.1"), List.copyOf(trial.jobs.keySet()), "it is done");
    finish(0);
    trial.seen("c1", 9, 9);
    assertEquals(List.of("1.e0.1"), List.copyOf(trial.jobs.keySet()));
    String why = "the epilogue of campaign 1 at c1 is under way or has failed; add jobs when it is";
    assertEquals(why + " over", refusal(trial.add("ada", 1, List.of("b"))));
    trial.tell("1.e0.1", JobChange.FINISHED, 0);
    assertTrue(campaign(1).getEndedMs() > 0);
    assertEquals(TaskStatus.DONE, epilogue());
    trial.add("ada", 1, List.of("b"));
    trial.seen("c1", 9, 9);
    assertEquals(List.of("1.p0.2"), List.copyOf(trial.jobs.keySet()));
    trial.tell("1.p0.2", JobChange.FINISHED, 0);
    trial.tell("1.2.1", JobChange.FINISHED, 0);
    trial.seen("c1", 9, 9);
    trial.tell("1.e0.2", JobChange.FINISHED, 0);
    assertTrue(campaign(1).getEndedMs() > 0);
    assertEquals(3, campaign(1).getDone());
  }

  /** What a prologue alone has made is there still. */
  @Test
  void aPrologueWithoutAnEpilogueIsDoneOnce() {
    trial.scripts = List.of(CampaignTrial.script(0, false));
    trial.submit(1, CampaignTrial.cluster("c1", 0));
    trial.seen("c1", 9, 9);
    trial.tell("1.p0.1", JobChange.FINISHED, 0);
    finish(0);
    assertTrue(campaign(1).getEndedMs() > 0);
    trial.add("ada", 1, List.of("a"));
    trial.seen("c1", 9, 9);
    assertEquals(List.of("1.1.1"), List.copyOf(trial.jobs.keySet()));
  }
}
