package io.millrace.server.gateway.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.KillPurpose;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** qterm -t immediate and -t delay, with a shard that does what it is told at once. */
class ServerEndTest {
  private static final long ARRAY = 4;

  @TempDir Path home;
  private final FakeSite site = new FakeSite();

  /** What was asked for, in its order. */
  private final List<String> asked = new CopyOnWriteArrayList<>();

  /** Jobs whose ends are reported by nobody. */
  private final Set<String> unheard = new HashSet<>();

  @BeforeEach
  void fill() throws Exception {
    site.home(home);
    program("echo ending the server");
    put(Jobs.fromScript(1, JobStatus.RUNNING));
    Job once = Jobs.fromScript(2, JobStatus.RUNNING);
    once.getSpec().setRerunnable(false);
    put(once);
    put(Jobs.fromScript(3, JobStatus.QUEUED));
    site.answer(this::obey);
  }

  private void program(String line) throws Exception {
    Path program = Files.createDirectories(home.resolve("etc")).resolve("terminate");
    Files.writeString(program, "#!/bin/sh\n" + line + "\n");
    assertTrue(program.toFile().setExecutable(true));
  }

  private void put(Job job) {
    site.jobs.put(job.getNumber(), job);
  }

  /** An array with one subjob that runs. */
  private void array() {
    Job array = Jobs.fromScript(ARRAY, JobStatus.QUEUED);
    array.setId(ARRAY + "[].vm");
    array.setArray(
        ArrayState.newBuilder()
            .setFirst(1)
            .setLast(3)
            .setLeft(List.of())
            .setBegun(List.of(3))
            .build());
    put(array);
    Job subjob = Jobs.fromScript(ARRAY, JobStatus.RUNNING);
    subjob.setNumber(JobNumbers.subjob(ARRAY, 3));
    subjob.setId(ARRAY + "[3].vm");
    put(subjob);
  }

  private Reply obey(FakeSite.Sent sent) {
    if (sent.command() instanceof ChangeObject change) {
      boolean set = change.getOperation() == ChangeOperation.SET;
      String value = set ? change.getAttributes().get(0).getValue() : "";
      asked.add(change.getAttributes().get(0).getName() + "=" + value);
      server(value);
    } else if (sent.command() instanceof RerunJob rerun) {
      asked.add("rerun " + rerun.getJobId());
      end(rerun.getJobId(), JobStatus.QUEUED, KillPurpose.RERUN);
    } else if (sent.command() instanceof DeleteJob delete) {
      asked.add("delete " + delete.getJobId());
      end(delete.getJobId(), JobStatus.FINISHED, KillPurpose.DELETE);
    }
    return new Reply(sent.id(), 0, List.of(), false);
  }

  private void server(String terminating) {
    if (terminating.isEmpty()) {
      site.put(ObjectKind.SERVER, "server", "server_host", "vm", "job_requeue_timeout", "00:00:01");
    } else {
      site.put(
          ObjectKind.SERVER,
          "server",
          "server_host",
          "vm",
          "job_requeue_timeout",
          "00:00:01",
          "terminating",
          terminating);
    }
  }

  private void end(String id, JobStatus then, KillPurpose purpose) {
    Job job = site.jobs.values().stream().filter(it -> it.getId().equals(id)).findAny().get();
    job.setKilling(purpose);
    if (!unheard.contains(id)) {
      job.setStatus(then);
      job.setKilling(KillPurpose.NONE);
    }
  }

  private boolean ended() throws Exception {
    Path said = home.resolve("log/qterm.out");
    return Files.exists(said) && Files.readString(said).contains("ending the server");
  }

  @Test
  void atOnceWhatRunsIsRequeuedOrDeleted() throws Exception {
    array();
    FakeInvocation run = site.run("root", "qterm", "-t", "immediate");
    assertEquals("", run.errors() + run.output());
    assertEquals(0, site.status);
    assertEquals(
        List.of("terminating=immediate", "rerun 1.vm", "delete 2.vm", "rerun 4[3].vm"), asked);
    assertTrue(ended());
  }

  @Test
  void whatCannotBeRequeuedIsAwaited() throws Exception {
    Thread qterm =
        new Thread(
            () -> {
              try {
                site.run("root", "qterm", "-t", "delay");
              } catch (Exception e) {
                throw new AssertionError(e);
              }
            });
    qterm.start();
    awaitAsked("rerun 1.vm");
    assertFalse(ended());
    assertEquals(JobStatus.RUNNING, site.jobs.get(2L).getStatus());
    site.jobs.get(2L).setStatus(JobStatus.FINISHED);
    qterm.join(30_000);
    assertEquals(0, site.status);
    assertEquals(List.of("terminating=delay", "rerun 1.vm"), asked);
    assertTrue(ended());
  }

  private void awaitAsked(String what) {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (!asked.contains(what) && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
    assertTrue(asked.contains(what), asked.toString());
  }

  @Test
  void whatEndsOnAHostThatIsAwayIsNotAwaitedForEver() throws Exception {
    unheard.add("1.vm");
    FakeInvocation run = site.run("root", "qterm", "-t", "immediate");
    assertEquals(
        "qterm: 1 jobs end without the server, when their hosts do so: 1.vm\n", run.errors());
    // Once more where the time is not over by then, as it may be on a busy machine.
    assertTrue(site.lists.get() >= 2 && site.lists.get() <= 3, "lists: " + site.lists.get());
    assertEquals(0, site.status);
    assertTrue(ended());
    assertEquals(1, asked.stream().filter("rerun 1.vm"::equals).count(), asked.toString());
  }

  @Test
  void whatStartedJustAfterTheListIsRequeuedToo() throws Exception {
    unheard.add("1.vm");
    site.answer(
        sent -> {
          Reply reply = obey(sent);
          if (sent.command() instanceof RerunJob rerun && rerun.getJobId().equals("1.vm")) {
            put(Jobs.fromScript(9, JobStatus.RUNNING));
          }
          return reply;
        });
    site.run("root", "qterm", "-t", "immediate");
    assertTrue(asked.contains("rerun 9.vm"), asked.toString());
  }

  @Test
  void everythingStartsAgainWhereTheServerDoesNotEnd() throws Exception {
    program("echo somebody is at work; exit 3");
    FakeInvocation run = site.run("root", "qterm", "-t", "immediate");
    assertEquals("qterm: somebody is at work\n", run.errors());
    assertEquals(3, site.status);
    assertEquals("terminating=", asked.get(asked.size() - 1));
  }

  /** Who keeps logs short cuts that of qterm, too. */
  @Test
  void whatIsSaidIsReadFromAFileThatWasCut() throws Exception {
    Files.createDirectories(home.resolve("log"));
    Files.writeString(home.resolve("log/qterm.out"), "somebody was at work\n".repeat(9));
    program(": >log/qterm.out; echo ending the server; exec sleep 5");
    FakeInvocation run = site.run("root", "qterm", "-t", "immediate");
    assertEquals("", run.errors());
    assertEquals(0, site.status);
  }

  @Test
  void whoTakesItBackEndsTheWait() throws Exception {
    site.answer(
        sent -> {
          Reply reply = obey(sent);
          if (sent.command() instanceof RerunJob) {
            server("");
          }
          return reply;
        });
    FakeInvocation run = site.run("root", "qterm", "-t", "delay");
    assertTrue(run.errors().startsWith("qterm: taken back: "), run.errors());
    assertEquals(2, site.status);
    assertEquals(List.of("terminating=delay", "rerun 1.vm"), asked);
    assertFalse(ended());
  }

  @Test
  void aShardThatIsAwayForAMomentIsNoEndOfTheWait() throws Exception {
    site.failures = 1;
    site.listFailures = 1;
    FakeInvocation run = site.run("root", "qterm", "-t", "immediate");
    assertEquals("", run.errors());
    assertEquals(0, site.status);
    assertTrue(ended());
  }

  @Test
  void whereNobodySaysWhatRunsTheServerGoesOn() throws Exception {
    site.listFailures = Integer.MAX_VALUE;
    FakeInvocation run = site.run("root", "qterm", "-t", "immediate");
    assertTrue(run.errors().contains("shard 0 has no owner"), run.errors());
    assertEquals(List.of("terminating=immediate", "terminating="), asked);
    assertFalse(ended());
  }

  /** More than are sent at once, each asked once though the second look sees them all again. */
  @Test
  void hundredsAreAskedToEndTogether() throws Exception {
    for (long number = 10; number < 400; number++) {
      put(Jobs.fromScript(number, JobStatus.RUNNING));
      unheard.add(number + ".vm");
    }
    FakeInvocation run = site.run("root", "qterm", "-t", "immediate");
    assertTrue(run.errors().startsWith("qterm: 390 jobs end without"), run.errors());
    for (long number = 10; number < 400; number++) {
      String rerun = "rerun " + number + ".vm";
      assertEquals(1, asked.stream().filter(rerun::equals).count(), rerun);
    }
  }

  @Test
  void otherUsersEndNothing() throws Exception {
    FakeInvocation run = site.run("pbsu1", "qterm", "-t", "immediate");
    assertEquals("qterm: Unauthorized Request  \n", run.errors());
    assertEquals(List.of(), asked);
  }

  @Test
  void itsStateIsSaid() throws Exception {
    server("delay");
    assertFalse(site.run("root", "qmgr", "-c", "print server").output().contains("terminating"));
    assertTrue(site.run("pbsu1", "qstat", "-B").output().contains(" Terminating_Delay"));
    server("immediate");
    assertTrue(site.run("pbsu1", "qstat", "-Bf").output().contains("server_state = Terminating\n"));
    assertTrue(site.run("pbsu1", "why", "3").output().contains("The server is being ended"));
  }
}
