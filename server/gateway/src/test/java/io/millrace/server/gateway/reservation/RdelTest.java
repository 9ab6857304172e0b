package io.millrace.server.gateway.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import io.millrace.server.gateway.command.RecordedReservations;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that wait in a reservation are moved before it is deleted, where a queue is named. */
class RdelTest {

  private final FakeSite site = new FakeSite();

  @BeforeEach
  void reservation() {
    site.reservations.put(73L, RecordedReservations.r73());
    job(74, JobStatus.QUEUED, "R73");
    job(75, JobStatus.HELD, "R73");
    job(76, JobStatus.RUNNING, "R73");
    job(77, JobStatus.QUEUED, "workq");
    site.answer(sent -> new Reply(sent.id(), 0, List.of(), false));
  }

  private void job(long number, JobStatus status, String queue) {
    Job job = Jobs.fromScript(number, status);
    job.getSpec().setQueue(queue);
    site.jobs.put(number, job);
  }

  private FakeInvocation run(String user, String line) throws Exception {
    return run(user, line, site.id());
  }

  private FakeInvocation run(String user, String line, UUID id) throws Exception {
    return site.run(new FakeInvocation(user, Arrays.asList(line.split(" ")), new HashMap<>(), id));
  }

  /** What was sent, with the subject of each. */
  private List<String> sent() {
    return site.sent.stream()
        .map(
            it ->
                it.command() instanceof MoveJob move
                    ? move.getJobId() + " to " + move.getQueue()
                    : ((DeleteReservation) it.command()).getReservationId())
        .toList();
  }

  @Test
  void waitingJobsGoToTheQueueFirst() throws Exception {
    assertEquals("", run("pbsu1", "pbs_rdel -q workq R73").errors());
    assertEquals(0, site.status);
    assertEquals(List.of("74.vm to workq", "75.vm to workq", "R73.vm"), sent());
  }

  @Test
  void withoutQueueNothingIsMoved() throws Exception {
    run("pbsu1", "pbs_rdel R73");
    assertEquals(List.of("R73.vm"), sent());
  }

  @Test
  void theReservationStaysWhenAJobDoes() throws Exception {
    site.answer(
        sent ->
            sent.command() instanceof MoveJob move && move.getJobId().equals("75.vm")
                ? new Reply(sent.id(), 15007, List.of("Unauthorized Request "), false)
                : new Reply(sent.id(), 0, List.of(), false));
    assertEquals(
        "pbs_rdel: Unauthorized Request  75.vm\n", run("pbsu1", "pbs_rdel -q workq R73").errors());
    assertEquals(159, site.status);
    assertEquals(List.of("74.vm to workq", "75.vm to workq"), sent());
  }

  @Test
  void aJobThatBeginsMeanwhileIsDeletedAsThoseAreThatRun() throws Exception {
    site.answer(
        sent ->
            sent.command() instanceof MoveJob
                ? new Reply(sent.id(), 15016, List.of("Request invalid for state of job"), false)
                : new Reply(sent.id(), 0, List.of(), false));
    assertEquals("", run("pbsu1", "pbs_rdel -q workq R73").errors());
    assertEquals("R73.vm", sent().get(2));
  }

  /** The jobs that were moved are in no list any more; what is left has the ids that it had. */
  @Test
  void aRepetitionRepeatsTheSameCommands() throws Exception {
    UUID id = site.id();
    run("pbsu1", "pbs_rdel -q workq R73", id);
    Set<Object> first = new HashSet<>();
    site.sent.forEach(it -> first.add(it.id()));
    assertEquals(3, first.size());
    site.sent.clear();
    site.jobs.remove(74L);
    run("pbsu1", "pbs_rdel -q workq R73", id);
    assertEquals(List.of("75.vm to workq", "R73.vm"), sent());
    site.sent.forEach(it -> assertTrue(first.contains(it.id()), it.toString()));
  }

  @Test
  void whoMayNotDeleteItMovesNoJob() throws Exception {
    run("pbsu2", "pbs_rdel -q workq R73");
    assertEquals(List.of("R73.vm"), sent(), "the shard refuses");
    site.sent.clear();
    run("root", "pbs_rdel -q workq R73");
    assertEquals(3, sent().size());
  }

  @Test
  void wrongDestinationsAreToldBeforeAnythingIsSent() throws Exception {
    assertEquals("pbs_rdel: Unknown queue\n", run("pbsu1", "pbs_rdel -q nosuch R73").errors());
    assertEquals(170, site.status);
    assertEquals(
        "pbs_rdel: illegally formed destination: a#b\n",
        run("pbsu1", "pbs_rdel -q a#b R73").errors());
    assertEquals(2, site.status);
    assertEquals(
        "pbs_rdel: jobs cannot be moved to the queue that is deleted R73.vm\n",
        run("pbsu1", "pbs_rdel -q R73 R73").errors());
    assertEquals(156, site.status);
    assertTrue(site.sent.isEmpty(), "nothing was sent");
  }
}
