package io.millrace.server.gridengine.submit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.jobs.JobAttributes;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.query.AwaitedJob;
import io.millrace.server.gateway.query.Queries;
import io.millrace.server.gateway.session.Invocation;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a qsub that stays says, and when it ends. */
class StayingSubmissionTest {

  private static final Optional<Job> NOT_FOUND = Optional.empty();

  /** What the next looks at a job find; the last one stays. */
  private final Map<Long, Deque<Optional<Job>>> looks = new HashMap<>();

  private final List<String> said = new ArrayList<>();
  private int looksUntilGone = Integer.MAX_VALUE;
  private long nowMs;

  private static Job job(JobStatus status, int run, Integer exitStatus) {
    Job job = new Job();
    job.setStatus(status);
    job.setRun(run);
    job.setExitStatus(exitStatus);
    return job;
  }

  private void finds(long number, Job... jobs) {
    looks.put(number, new ArrayDeque<>());
    for (Job job : jobs) {
      looks.get(number).add(Optional.of(job));
    }
  }

  private Object find(long number) {
    nowMs += 1000;
    looksUntilGone--;
    Deque<Optional<Job>> found = looks.getOrDefault(number, new ArrayDeque<>(List.of(NOT_FOUND)));
    return found.size() > 1 ? found.poll() : found.peek();
  }

  private Void say(String what) {
    said.add(what);
    return null;
  }

  private <T> T speaking(Class<T> type) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (it, method, args) ->
                switch (method.getName()) {
                  case "job" -> find((long) args[0]);
                  case "clientGone" -> looksUntilGone <= 0;
                  case "out", "err" -> say(method.getName() + ": " + args[0]);
                  default -> say(method.getName());
                });
    return type.cast(proxy);
  }

  private int follow(String options, long... numbers) throws Exception {
    Submission asked = Submission.of(OptionLineWords.of(options));
    Invocation invocation = speaking(Invocation.class);
    Queries queries = speaking(Queries.class);
    List<AwaitedJob> jobs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (long number : numbers) {
      jobs.add(new AwaitedJob(queries, number, () -> TimeUnit.MILLISECONDS.toNanos(nowMs)));
      names.add(asked.array() ? numbers[0] + "." + (names.size() + 1) : "" + number);
    }
    StayingSubmission.begin(invocation, asked);
    return new StayingSubmission(invocation, new AwaitedTasks(jobs), names).follow(asked);
  }

  @Test
  void oneThatEndsSoonTakesNoSeatAndOneThatStaysTakesNoOrdinaryOne() throws Exception {
    assertEquals(0, follow("", 7));
    assertEquals(List.of(), said);
    finds(7, job(JobStatus.FINISHED, 1, 3));
    assertEquals(3, follow("-sync y", 7));
    assertEquals(
        List.of("lasts", "streaming", "err: Job 7 exited with exit code 3.\n"),
        said,
        "the number is shown before the wait");
  }

  @Test
  void ofOneThatWasKilledTheSignalIsTold() throws Exception {
    finds(7, job(JobStatus.FINISHED, 1, -29));
    assertEquals(1, follow("-sync y", 7));
    assertEquals("err: Job 7 exited because of signal SIGKILL\n", last());
    finds(8, job(JobStatus.FINISHED, 1, 271));
    assertEquals(1, follow("-sync y", 8));
    assertEquals("err: Job 8 exited because of signal SIGTERM\n", last());
    finds(9, job(JobStatus.FINISHED, 1, 255));
    assertEquals(255, follow("-sync y", 9));
    assertEquals("err: Job 9 exited with exit code 255.\n", last());
    finds(10, job(JobStatus.FINISHED, 1, 256 + 40));
    assertEquals(1, follow("-sync y", 10));
    assertEquals("err: Job 10 exited because of signal 40\n", last());
  }

  @Test
  void aJobThatIsHeldOrTravelsOrIsMissedOnceHasNotStarted() throws Exception {
    finds(
        7,
        job(JobStatus.HELD, 0, null),
        job(JobStatus.TRANSIT, 0, null),
        job(JobStatus.QUEUED, 0, null));
    looks.get(7L).add(NOT_FOUND);
    looks.get(7L).add(Optional.of(job(JobStatus.RUNNING, 1, null)));
    assertEquals(0, follow("-now y", 7));
    assertEquals(1, looks.get(7L).size(), "all looks were needed");
    assertEquals("err: \nYour immediate job 7 has been successfully scheduled.\n", last());
  }

  private String last() {
    return said.get(said.size() - 1);
  }

  @Test
  void oneThatRanBetweenTwoLooksHasStarted() throws Exception {
    finds(7, job(JobStatus.FINISHED, 1, 0));
    assertEquals(0, follow("-now y -sync y", 7));
    assertEquals("out: Job 7 exited with exit code 0.\n", last());
    finds(8, job(JobStatus.QUEUED, 1, null));
    assertEquals(0, follow("-now y", 8), "it was lost and waits again");
  }

  @Test
  void oneThatWentUnstartedCouldNotBeScheduled() throws Exception {
    finds(7, job(JobStatus.QUEUED, 0, null), job(JobStatus.FINISHED, 0, null));
    assertEquals(1, follow("-now y", 7));
    assertEquals(
        List.of(
            "lasts",
            "streaming",
            "err: Waiting for immediate job to be scheduled.\n",
            "err: \nYour qsub request could not be scheduled; try again later.\n"),
        said);
  }

  @Test
  void whatIsNotRememberedIsNotTakenForASuccess() throws Exception {
    assertEquals(1, follow("-now y", 7));
    assertEquals("err: \nYour immediate job 7 is over, and not remembered.\n", last());
    assertEquals(1, follow("-sync y", 8));
    assertEquals("err: Job 8 is over, and its history is not kept (job_history_enable).\n", last());
  }

  @Test
  void anyTaskOfAnArrayWillDo() throws Exception {
    finds(11, job(JobStatus.FINISHED, 0, null));
    finds(12, job(JobStatus.RUNNING, 1, null), job(JobStatus.FINISHED, 1, 2));
    assertEquals(2, follow("-now y -sync y -t 1-2", 11, 12));
    assertEquals(
        List.of(
            "err: \nYour immediate job 11 has been successfully scheduled.\n",
            "err: Task 11.1 never ran.\n",
            "err: Task 11.2 exited with exit code 2.\n"),
        said.subList(said.size() - 3, said.size()));
  }

  @Test
  void nobodyIsToldWhenTheClientWent() throws Exception {
    finds(7, job(JobStatus.QUEUED, 0, null));
    looksUntilGone = 2;
    assertEquals(1, follow("-now y", 7));
    assertEquals("err: Waiting for immediate job to be scheduled.\n", last());
  }

  @Test
  void theShardIsToldThatSomebodyWaits() {
    for (String options : List.of("-sync y", "-now y")) {
      JobSpec spec = new JobSpec();
      spec.setExtra(CellJobBuilder.passed(Submission.of(OptionLineWords.of(options))));
      assertEquals("True", JobAttributes.passed(spec, JobAttributes.BLOCK, ""));
    }
    assertEquals(List.of(), CellJobBuilder.passed(Submission.of(OptionLineWords.of("-now n"))));
  }
}
