package io.millrace.server.core.job.depend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.fact.JobDepends;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Dependency;
import io.millrace.schemas.state.DependencyKind;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.core.job.depend.waiting.DependencyLists;
import io.millrace.server.core.job.depend.waiting.Dependents;
import io.millrace.server.core.shard.Calls;
import io.millrace.server.core.shard.TestShards;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Jobs that wait for jobs, in one shard and across shards. */
class DependTest extends DependFixture {
  @ParameterizedTest
  @ValueSource(strings = {"workq", "east"})
  void theEndDecides(String queue) {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    String ok = after(queue, DependencyKind.AFTEROK, first);
    String notOk = after(queue, DependencyKind.AFTERNOTOK, first);
    String any = after(queue, DependencyKind.AFTERANY, first);
    shards.run();
    waits(ok);
    waits(notOk);
    waits(any);
    assertEquals(3, shards.job(first).getDependents());
    run(first, 0);
    free(ok);
    free(any);
    impossible(notOk, because(first));
    assertEquals(3, shards.job(first).getDependents(), "the history shows them");
  }

  @ParameterizedTest
  @ValueSource(strings = {"workq", "west"})
  void aStartReleasesThoseThatWaitForIt(String queue) {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    String next = after(queue, DependencyKind.AFTER, first);
    shards.run();
    waits(next);
    StartRun order = start(first, "default", "n0");
    waits(next);
    shards.started(order);
    free(next);
    assertEquals(0, shards.job(first).getDependents());
    free(after(queue, DependencyKind.AFTER, first));
  }

  @Test
  void aChainAndADiamondOverThreePartitions() {
    String top = shards.submit(Calls.job("ann", "workq", 1));
    String left = after("east", DependencyKind.AFTEROK, top);
    String right = after("west", DependencyKind.AFTEROK, top);
    String bottom = after("workq", DependencyKind.AFTEROK, left, right);
    shards.run();
    waits(bottom);
    run(top, 0);
    StartRun one = start(left, "es", "e0");
    shards.started(one);
    shards.finished(one, 0);
    waits(bottom);
    StartRun two = start(right, "ws", "w0");
    shards.started(two);
    shards.finished(two, 0);
    free(bottom);
  }

  @Test
  void whatCanNeverRunTakesTheWholeChainWithIt() {
    String top = shards.submit(Calls.job("ann", "workq", 1));
    String middle = after("east", DependencyKind.AFTEROK, top);
    String end = after("west", DependencyKind.AFTERANY, middle);
    shards.run();
    run(top, 1);
    impossible(middle, because(top));
    impossible(end, because(middle));
    impossible(after("west", DependencyKind.AFTERANY, middle), because(middle));
  }

  @Test
  void aDeletedJobSatisfiesThoseThatDoNotWantItToEndWell() {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    String any = after("workq", DependencyKind.AFTERANY, first);
    String notOk = after("east", DependencyKind.AFTERNOTOK, first);
    String ok = after("workq", DependencyKind.AFTEROK, first);
    shards.run();
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), first, true)));
    free(any);
    free(notOk);
    impossible(ok, because(first));
  }

  @ParameterizedTest
  @ValueSource(strings = {"workq", "east"})
  void aFinishedJobIsJudgedAtOnce(String queue) {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    run(first, 3);
    free(after(queue, DependencyKind.AFTERNOTOK, first));
    free(after(queue, DependencyKind.AFTERANY, first));
    free(after(queue, DependencyKind.AFTER, first));
    impossible(after(queue, DependencyKind.AFTEROK, first), because(first));
  }

  @ParameterizedTest
  @ValueSource(strings = {"workq", "east"})
  void aJobThatThereIsNotIsSaidSo(String queue) {
    String why = "Dependency request for job rejected by %s Unknown Job Id";
    String never = "777777.mill";
    impossible(after(queue, DependencyKind.AFTEROK, never), why.formatted(never));
    String gone = shards.submit(Calls.job("ann", "workq", 1));
    assertEquals(0, shards.code(0, Calls.delete(shards.user("ann"), gone, true)));
    impossible(after(queue, DependencyKind.AFTERANY, gone), why.formatted(gone));
  }

  @ParameterizedTest
  @ValueSource(strings = {"workq", "east"})
  void othersRegisterThemselves(String queue) {
    String last = shards.submit(job(queue, expects(2)));
    waits(last);
    List<String> firsts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      NewJob first = Calls.job("ann", "workq", 1);
      first.setBefore(List.of(on(DependencyKind.AFTERANY, last)));
      firsts.add(shards.submit(first));
    }
    shards.run();
    assertEquals(
        List.of(on(DependencyKind.AFTERANY, firsts.get(0), firsts.get(1))),
        shards.job(last).getDepend());
    NewJob late = Calls.job("ann", "workq", 1);
    late.setBefore(List.of(on(DependencyKind.AFTEROK, last)));
    String why = "Dependency request for job rejected by " + last + " Invalid Job Dependency";
    impossible(shards.submit(late), why);
    run(firsts.get(0), 1);
    waits(last);
    run(firsts.get(1), 0);
    free(last);
  }

  @Test
  void nobodyHoldsTheJobsOfOthers() {
    NewJob his = Calls.job("bob", "workq", 1);
    his.setDepend(List.of(expects(1)));
    String last = shards.submit(his);
    NewJob mine = Calls.job("ann", "workq", 1);
    mine.setBefore(List.of(on(DependencyKind.AFTERANY, last)));
    String why = "Dependency request for job rejected by " + last + " Unauthorized Request";
    impossible(shards.submit(mine), why);
    assertEquals(List.of(expects(1)), shards.job(last).getDepend());
    List<JobQueued> told = shards.facts(JobQueued.class);
    assertEquals(List.of(), told.get(0).getBefore());
    assertEquals(mine.getBefore(), told.get(1).getBefore(), "told as asked for");
  }

  @Test
  void severalAtOnceDoNotRegisterMoreOftenThanAskedFor() {
    String last = shards.submit(job("workq", expects(1)));
    NewJob first = Calls.job("ann", "workq", 1);
    first.setBefore(List.of(on(DependencyKind.AFTERANY, last)));
    NewJob second = Calls.job("ann", "workq", 1);
    second.setBefore(List.of(on(DependencyKind.AFTERANY, last)));
    var meta = shards.user("ann");
    List<String> ids = shards.ask(0, Calls.submit(meta, List.of(), first, second)).getLines();
    assertEquals(JobStatus.QUEUED, shards.status(ids.get(0)));
    assertEquals(JobStatus.FINISHED, shards.status(ids.get(1)));
    assertEquals(1, DependencyLists.named(shards.job(last).getDepend()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"workq", "east"})
  void dependenciesAreAltered(String queue) {
    String one = shards.submit(Calls.job("ann", "workq", 1));
    String two = shards.submit(Calls.job("ann", "workq", 1));
    String job = shards.submit(Calls.job("ann", queue, 1));
    assertEquals(
        0,
        shards.code(
            shards.where(job),
            alter(job).setDepend(List.of(on(DependencyKind.AFTEROK, one))).build()));
    waits(job);
    assertEquals(1, shards.job(one).getDependents());
    assertEquals(
        0,
        shards.code(
            shards.where(job),
            alter(job).setDepend(List.of(on(DependencyKind.AFTEROK, two))).build()));
    assertEquals(0, shards.job(one).getDependents());
    assertEquals(1, shards.job(two).getDependents());
    run(one, 1);
    waits(job);
    assertEquals(0, shards.code(shards.where(job), alter(job).setDepend(List.of()).build()));
    free(job);
    assertEquals(0, shards.job(two).getDependents());
  }

  @Test
  void otherKindsStayAndWhatIsSatisfiedIsNotAdded() {
    String one = shards.submit(Calls.job("ann", "workq", 1));
    String two = shards.submit(Calls.job("ann", "workq", 1));
    String job = after("workq", DependencyKind.AFTERANY, one);
    run(two, 0);
    shards.code(0, alter(job).setDepend(List.of(on(DependencyKind.AFTEROK, two))).build());
    assertEquals(List.of(on(DependencyKind.AFTERANY, one)), shards.job(job).getDepend());
    shards.code(0, alter(job).setDepend(List.of(on(DependencyKind.AFTERNOTOK, two))).build());
    impossible(job, because(two));
  }

  @Test
  void aRunningJobWaitsForNothing() {
    StartRun order = shards.running("ann");
    String other = shards.submit(Calls.job("ann", "workq", 1));
    var wish = alter(order.getJobId()).setDepend(List.of(on(DependencyKind.AFTEROK, other)));
    assertEquals(PbsError.MODIFY_WHILE_RUNNING.code(), shards.code(0, wish.build()));
  }

  @Test
  void aManagerLetsGoWhatWaits() {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    String next = after("workq", DependencyKind.AFTEROK, first);
    assertEquals(0, shards.code(0, Calls.release(shards.manager(), next, "s")));
    assertEquals(JobStatus.QUEUED, shards.status(next));
    StartRun order = start(next, "default", "n0");
    shards.started(order);
    run(first, 1);
    assertEquals(next, shards.lastKill().getJobId());
  }

  @Test
  void nonsenseIsRefused() {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    NewJob twice =
        job("workq", on(DependencyKind.AFTEROK, first), on(DependencyKind.AFTEROK, first));
    NewJob counted = job("workq", new Dependency(DependencyKind.AFTER, 2, List.of()));
    NewJob before = Calls.job("ann", "workq", 1);
    before.setBefore(List.of(expects(1)));
    for (NewJob wrong : List.of(twice, counted, before)) {
      var meta = shards.user("ann");
      int code = shards.ask(0, Calls.submit(meta, List.of(), wrong)).getCode();
      assertEquals(PbsError.ILLEGAL_VALUE.code(), code);
    }
    assertEquals(0, shards.facts(JobDepends.class).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"workq", "east"})
  void whatIsSatisfiedAlreadyMayBeAskedForAgain(String queue) {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    String other = shards.submit(Calls.job("ann", "workq", 1));
    String next =
        shards.submit(
            job(queue, on(DependencyKind.AFTEROK, first), on(DependencyKind.AFTERANY, other)));
    shards.run();
    run(first, 0);
    waits(next);
    Dependency again = on(DependencyKind.AFTEROK, first);
    assertEquals(0, shards.code(shards.where(next), alter(next).setDepend(List.of(again)).build()));
    waits(next);
    run(other, 0);
    free(next);
  }

  private void everyMessageComesTwice() {
    shards.observe(
        (shard, command, outcome, facts) ->
            outcome.messages().stream()
                .filter(
                    message ->
                        Set.of("NoteDependent", "AddDependency", "SettleDependencies")
                            .contains(message.command().getSchema().getName()))
                .forEach(message -> shards.send(message.shard(), message.command())));
  }

  @Test
  void messagesThatComeTwiceChangeNothing() {
    everyMessageComesTwice();
    bothSidesMayMoveToOtherPartitions();
    aChainAndADiamondOverThreePartitions();
    othersRegisterThemselves("east");
    whatCanNeverRunTakesTheWholeChainWithIt();
  }

  @Test
  void bothSidesMayMoveToOtherPartitions() {
    String first = shards.submit(Calls.job("ann", "workq", 1));
    String next = after("workq", DependencyKind.AFTEROK, first);
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), first, "east")));
    assertEquals(1, shards.job(first).getDependents());
    assertEquals(1, Dependents.of(shards.tables(shards.where(first)), shards.job(first)).size());
    assertEquals(0, shards.code(0, Calls.move(shards.user("ann"), next, "west")));
    waits(next);
    StartRun order = start(first, "es", "e0");
    shards.finished(order, 0);
    free(next);
    int left = 0;
    for (int i = 0; i < TestShards.COUNT; i++) {
      left += i == shards.where(first) ? 0 : count(i);
    }
    assertEquals(0, left, "nothing stays where the job is not");
  }
}
