package io.millrace.server.core.job.array;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.IndexSteps;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.shard.Calls;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How an array ends: by itself, or deleted in whole or in part. */
class ArrayEndsTest extends ArrayFixture {
  @Test
  void theLastSubjobEndsTheArray() {
    String good = array(1, 3, 1, 0);
    for (int i = 1; i <= 3; i++) {
      assertEquals(JobStatus.QUEUED, shards.status(good));
      run(subjob(good, i), 0);
    }
    assertEquals(JobStatus.FINISHED, shards.status(good));
    assertEquals(0, shards.job(good).getExitStatus());
    String bad = array(1, 2, 1, 1);
    run(subjob(bad, 1), 3);
    run(subjob(bad, 2), 0);
    assertEquals(1, shards.job(bad).getExitStatus());
    shards.pass(400L * 3600 * 1000);
    assertNull(shards.job(bad));
    assertNull(shards.job(subjob(bad, 1)));
  }

  @Test
  void anArrayIsDeletedWithAllItsSubjobs() {
    String array = array(1, 1000, 1, 0);
    StartRun order = start(subjob(array, 1));
    shards.started(order);
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), array, false)));
    assertEquals(subjob(array, 1), shards.lastKill().getJobId());
    assertNull(shards.job(subjob(array, 2)), "it never began");
    assertEquals(JobStatus.QUEUED, shards.status(array), "a run has not ended");
    shards.finished(order, 271);
    assertEquals(JobStatus.FINISHED, shards.status(array));
    assertEquals(1, shards.job(array).getExitStatus());
    assertEquals(1000, state(array).getExpired());
    assertTrue(most[0] <= Context.FACTS_MAX, most[0] + " facts");
  }

  @Test
  void oneSubjobIsDeletedWithAndWithoutARecord() {
    String array = array(1, 300, 1, 0);
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), subjob(array, 200), false)));
    assertEquals(
        List.of(new IndexRange(101, 199), new IndexRange(201, 300)), state(array).getLeft());
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), subjob(array, 1), false)));
    assertEquals(2, state(array).getExpired());
    assertNotNull(shards.job(subjob(array, 101)));
    int other = shards.code(0, Calls.delete(shards.user("bob"), subjob(array, 201), false));
    assertEquals(PbsError.UNAUTHORIZED.code(), other);
    int none = shards.code(0, Calls.delete(shards.user("ann"), subjob(array, 301), false));
    assertEquals(PbsError.INVALID_REQUEST.code(), none);
  }

  @Test
  void aFinishedArrayIsForgottenWithItsSubjobs() {
    String array = array(1, 250, 1, 0);
    run(subjob(array, 1), 0);
    assertEquals(
        PbsError.SUBJOB_FINISHED.code(),
        shards.code(0, Calls.delete(shards.user("ann"), subjob(array, 1), false)));
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), array, false)));
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), array, true)));
    assertNull(shards.job(array));
    assertNull(shards.job(subjob(array, 1)));
  }

  private DeleteJob delete(String array, IndexSteps... which) {
    return new DeleteJob(shards.user("ann"), array, false, List.of(which), false, false, false);
  }

  @Test
  void aSubjobIsDeletedThoughItsArrayIsJustLeaving() {
    String array = array(1, 300, 1, 0);
    int east = shards.shardOfQueue("east");
    shards.silence(east, true);
    shards.ask(0, Calls.move(shards.user("ann"), array, "east"));
    DeleteJob delete = Calls.delete(shards.user("ann"), subjob(array, 200), false);
    assertNull(shards.ask(0, delete), "it waits for the end of the hand-over");
    shards.silence(east, false);
    shards.run();
    assertEquals(0, shards.answer(delete.getMeta()).getCode());
    assertEquals(east, shards.where(array));
    assertEquals(
        List.of(new IndexRange(101, 199), new IndexRange(201, 300)), state(array).getLeft());
  }

  @Test
  void anArrayIsNotCutIntoTooManyPieces() {
    allow(100_000);
    String array = array(1, 100_000, 1, 0);
    Reply odd = shards.ask(0, delete(array, new IndexSteps(1, 99_999, 2)));
    assertEquals(PbsError.INVALID_REQUEST.code(), odd.getCode());
    assertEquals(
        List.of("Invalid request: more than 20000 indices apart from each other"), odd.getLines());
    Reply few = shards.ask(0, delete(array, new IndexSteps(1, 12_001, 2)));
    assertEquals(
        List.of("Invalid request: of what waits more than 5000 pieces would be left"),
        few.getLines());
    assertEquals(List.of(new IndexRange(101, 100_000)), state(array).getLeft());
    assertEquals(0, shards.code(0, delete(array, new IndexSteps(1, 9_999, 2))));
    assertEquals(5000, state(array).getExpired());
    assertTrue(state(array).getLeft().size() <= Deletion.PIECES_LEFT_MAX);
    IndexSteps[] many = new IndexSteps[1001];
    java.util.Arrays.fill(many, new IndexSteps(1, 2, 1));
    assertEquals(
        List.of("Invalid request: more than 1000 ranges at once"),
        shards.ask(0, delete(array, many)).getLines());
    assertEquals(0, shards.code(0, delete(array, new IndexSteps(1, 100_000, 1))));
    assertEquals(JobStatus.FINISHED, shards.status(array));
  }

  @Test
  void aRangeOfWhichNothingIsThereIsRefused() {
    String array = array(1, 9, 2, 2);
    int invalid = PbsError.INVALID_REQUEST.code();
    assertEquals(invalid, shards.code(0, delete(array, new IndexSteps(10, 20, 1))));
    assertEquals(invalid, shards.code(0, delete(array, new IndexSteps(2, 8, 2))));
    assertEquals(invalid, shards.code(0, delete(subjob(array, 8))));
    assertEquals(invalid, shards.code(0, delete(subjob(array, 20))));
    run(subjob(array, 1), 0);
    assertEquals(
        PbsError.SUBJOB_FINISHED.code(), shards.code(0, delete(array, new IndexSteps(1, 2, 1))));
    assertEquals(0, shards.code(0, delete(array, new IndexSteps(1, 3, 1))));
  }

  @Test
  void alsoARunThatWaitsAgainBetweenTwoPartsOfADeletionIsDeleted() {
    shards.nodeUp("n0", 200);
    String array = array(1, 160, 1, 0);
    List<StartRun> runs = new java.util.ArrayList<>();
    for (int i = 1; i <= 150; i++) {
      runs.add(start(subjob(array, i)));
    }
    StartRun last = runs.get(149);
    assertEquals(0, shards.code(0, Calls.rerun(shards.operator(), subjob(array, 150))));
    shards.send(0, delete(array, new IndexSteps(1, 150, 1)));
    shards.send(0, Calls.finished(shards.executor(last.getHost()), last, 271));
    shards.run();
    assertEquals(1, state(array).getExpired(), "it was not told to end, but waited");
    assertNull(shards.job(subjob(array, 150)));
    assertEquals(149, state(array).getBegun().size());
    runs.subList(0, 149).forEach(order -> shards.finished(order, 271));
    assertEquals(150, state(array).getExpired());
  }
}
