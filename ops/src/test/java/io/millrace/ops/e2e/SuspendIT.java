package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * A job is suspended, another runs in its place, server and executor are killed, and the job is
 * resumed; then jobs of an express queue preempt others, which are suspended and resumed.
 */
@Order(2)
@Shared(user = "mrsuspend", site = "second")
class SuspendIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final Duration STILL = Duration.ofMillis(1500);

  /** Script that counts until it is told to end. */
  private static final String SCRIPT =
      """
      cd $PBS_O_WORKDIR
      echo $PBS_JOBID >>begun
      echo $$ >session-$PBS_JOBNAME
      trap 'echo usr1 >>signals' USR1
      until [ -e go-$PBS_JOBNAME ]; do echo tick >>ticks-$PBS_JOBNAME; sleep 0.05; done
      exit 7
      """;

  @Test
  void aSuspendedJobMakesRoomAndGoesOn(Site site, Account user) throws Exception {
    new Scenario(site, user).run();
  }

  private static final class Scenario {
    private final Site site;
    private final Account user;
    private final Path work;

    Scenario(Site site, Account user) throws IOException, InterruptedException {
      this.site = site;
      this.user = user;
      this.work = site.folderOf(user, "work");
    }

    void run() throws Exception {
      site.qmgr("create queue plain queue_type=e,enabled=t,started=t,partition=p1");
      Path script = Files.writeString(work.resolve("script.sh"), SCRIPT);
      user.own(site.folder(), script);
      String first = submit("first");
      awaitTicks("first");
      refusals(first);
      suspend(first, "first");
      String second = submit("second");
      awaitTicks("second");
      site.run("qsig -s resume " + first).must();
      assertEquals("S 45", standing(first), "there is no room yet");
      assertTrue(site.run("why " + first).must().contains("goes on as soon as there is room"));

      if (Site.NIGHT) {
        site.killAndUp("server", "executor-2");
      }
      assertEquals("S 45", standing(first));
      long stood = ticks("first");
      Polling.stays(STILL, "its place is taken", () -> ticks("first") == stood);

      Files.createFile(work.resolve("go-second"));
      site.awaitState(second, "F");
      site.awaitState(first, "R");
      Site.await(PATIENCE, "the first job goes on", () -> ticksNow("first") > stood);
      Files.createFile(work.resolve("go-first"));
      site.awaitState(first, "F");
      assertEquals(7, site.job(first).path("Exit_status").asInt());
      assertEquals(List.of(first, second), Files.readAllLines(work.resolve("begun")));
      assertEquals(List.of("usr1"), Files.readAllLines(work.resolve("signals")));
      String told = site.run("tracejob " + first).must();
      assertTrue(told.contains("Job suspended run 1 at request of "), told);
      assertTrue(told.contains("Job resumed run 1 at request of "), told);
      deletion();
      preemption();
      waiting();
    }

    private void refusals(String job) throws Exception {
      Shell.Answer refused = as("qsig -s suspend " + job);
      if (Account.superuser()) {
        assertEquals("qsig: Unauthorized Request  " + job + "\n", refused.err());
        assertEquals(159, refused.status());
      }
      Shell.Answer unknown = as("qsig -s NOSUCH " + job);
      assertEquals("qsig: Unknown/illegal signal name " + job + "\n", unknown.err());
      assertEquals(165, unknown.status());
      as("qsig -s USR1 " + job).must();
      Site.await(PATIENCE, "the signal is heard", () -> Files.exists(work.resolve("signals")));
    }

    private void suspend(String job, String name) throws Exception {
      site.run("qsig -s suspend " + job).must();
      assertEquals("S 43", standing(job));
      long session = Long.parseLong(Files.readString(work.resolve("session-" + name)).strip());
      // The host may be slow to stop the job.
      Site.await(PATIENCE, name + " stands still", () -> Machine.standsStill(session));
      long stood = ticks(name);
      Polling.stays(STILL, "it is suspended", () -> ticks(name) == stood);
    }

    private void deletion() throws Exception {
      String third = submit("third");
      awaitTicks("third");
      suspend(third, "third");
      as("qdel " + third).must();
      site.awaitState(third, "F");
      assertEquals(271, site.job(third).path("Exit_status").asInt());
    }

    private void preemption() throws Exception {
      site.qmgr("create queue express queue_type=e,enabled=t,started=t,Priority=150,partition=p1");
      String low = submit("low");
      awaitTicks("low");
      String high = submit("express", "high");
      awaitTicks("high");
      assertEquals("S 45", standing(low));
      end(high, "high");
      end(low, "low");
      String told = site.run("tracejob " + low).must();
      assertTrue(told.contains("Job suspended run 1 at request of Scheduler@"), told);
      assertTrue(told.contains("preempted for " + high), told);

      site.qmgr("set sched s1 preempt_order = R");
      String again = submit("again");
      awaitTicks("again");
      String urgent = submit("express", "urgent");
      awaitTicks("urgent");
      assertEquals("Q", site.job(again).path("job_state").asText());
      end(urgent, "urgent");
      end(again, "again");
      List<String> begun = Files.readAllLines(work.resolve("begun"));
      List<String> since = begun.subList(begun.indexOf(low), begun.size());
      assertEquals(List.of(low, high, again, urgent, again), since);
      site.qmgr("unset sched s1 preempt_order");
    }

    /** How long a job waits for resources and how long at a limit, and who can see it. */
    private void waiting() throws Exception {
      site.qmgr("set server eligible_time_enable = True");
      site.qmgr("set server query_other_jobs = False");
      String runs = submit("runs");
      awaitTicks("runs");
      String waits = submit("waits");
      Site.await(PATIENCE, "it waits for resources", () -> waited(waits) > 0);
      assertEquals(2, site.job(waits).path("accrue_type").asInt());
      assertEquals(3, site.job(runs).path("accrue_type").asInt());
      site.qmgr("set server max_run = [u:PBS_GENERIC=1]");
      Site.await(PATIENCE, "it waits at the limit", () -> accrues(waits) == 1);
      long before = waited(waits);
      if (Site.NIGHT) {
        site.killAndUp("server");
      }
      assertEquals(1, accrues(waits));
      assertEquals(before, waited(waits));
      assertTrue(as("qstat -f " + waits).must().contains("eligible_time = "));
      site.run("qalter -W eligible_time=10:00:00 " + waits).must();
      assertEquals(36_000, waited(waits));
      if (Account.superuser()) {
        assertEquals(
            "qalter: Cannot set attribute, read only or insufficient permission  eligible_time "
                + waits
                + "\n",
            as("qalter -W eligible_time=1 " + waits).err());
        String other = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
        Shell.Answer hidden = site.run(other + "qstat " + waits);
        assertEquals("qstat: Unauthorized Request  " + waits + "\n", hidden.err());
        assertEquals("", site.run(other + "qselect").must());
        assertTrue(as("qselect").must().contains(waits));
      }
      end(runs, "runs");
      end(waits, "waits");
      site.qmgr("unset server max_run");
      site.qmgr("unset server query_other_jobs");
      site.qmgr("unset server eligible_time_enable");
    }

    private int accrues(String job) {
      return shown(job).path("accrue_type").asInt();
    }

    /** Seconds of eligible time of a job. */
    private long waited(String job) {
      String[] parts = shown(job).path("eligible_time").asText().split(":");
      return Integer.parseInt(parts[0]) * 3600L
          + Integer.parseInt(parts[1]) * 60L
          + Integer.parseInt(parts[2]);
    }

    private JsonNode shown(String job) {
      try {
        return site.job(job);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    private void end(String job, String name) throws Exception {
      Files.createFile(work.resolve("go-" + name));
      site.awaitState(job, "F");
      assertEquals(7, site.job(job).path("Exit_status").asInt());
    }

    private String standing(String job) throws Exception {
      JsonNode shown = site.job(job);
      return shown.path("job_state").asText() + " " + shown.path("substate").asText();
    }

    private String submit(String name) throws Exception {
      return submit("plain", name);
    }

    /** Submits a job that has its host exclusively while it runs. */
    private String submit(String queue, String name) throws Exception {
      String options = "-l ncpus=" + SharedSite.PROCESSORS + ",walltime=10:00:00";
      return as("qsub -q " + queue + " " + options + " -N " + name + " script.sh").must().strip();
    }

    private void awaitTicks(String name) throws InterruptedException {
      Site.await(PATIENCE, name + " runs", () -> Files.exists(work.resolve("ticks-" + name)));
    }

    private long ticks(String name) throws IOException {
      return Files.readAllLines(work.resolve("ticks-" + name)).size();
    }

    private long ticksNow(String name) throws IOException {
      return ticks(name);
    }

    private Shell.Answer as(String line) throws IOException, InterruptedException {
      return site.run(user, work, line);
    }
  }
}
