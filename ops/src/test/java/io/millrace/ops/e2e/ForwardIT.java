package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Jobs that run in a real Slurm, which the test starts and stops; only root can. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Order(3)
class ForwardIT {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final Duration INSTALLING = Duration.ofMinutes(8);
  private static final String PART = "forward-c1";

  private Site site;
  private Account user;
  private Account stranger;
  private Path work;
  private boolean started;

  @BeforeAll
  void up() throws Exception {
    assumeTrue(Account.superuser(), "only root can start a Slurm");
    site = Site.prepare("forward");
    Shell.Answer slurm = slurm("up");
    started = slurm.status() == 0;
    if (!started) {
      System.err.println("NOT RUN: ForwardIT: " + slurm.err().strip());
    }
    assumeTrue(started, slurm::err);
    user = site.user("mrforward");
    stranger = site.user("mrstranger");
    work = site.folderOf(user, "work");
    Path spool = site.folder().resolve("outside");
    site.run("install -d -m 755 " + spool + " && install -d -o mrforward " + spool + "/mrforward")
        .must();
    Path file =
        Files.write(
            site.folder().resolve("c1.properties"),
            List.of(
                "name = c1",
                "system = slurm",
                "cluster_name = hand",
                "accounting = /var/spool/millrace-slurm/jobcomp",
                "spool = " + spool,
                "as = sudo",
                "user.mrforward = mrforward",
                "user.root = root"));
    site.up("--no-keeper --shards 2 --executors 0 --forward " + file).must();
    Site.await(SOON, "the node is served", () -> nodeIs("free"));
  }

  @AfterAll
  void down() throws Exception {
    try {
      if (started) {
        slurm("down");
      }
    } finally {
      if (site != null) {
        site.close();
      }
    }
  }

  private Shell.Answer slurm(String verb) throws IOException, InterruptedException {
    String script = site.checkout() + "/connectors/testkit/src/test/sh/slurm.sh";
    return new Shell(site.folder()).run(site.folder(), INSTALLING, "bash " + script + " " + verb);
  }

  private static String node() {
    try {
      return Installation.host(1) + "@c1";
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private boolean nodeIs(String state) {
    try {
      return site.run("pbsnodes " + node()).out().contains("state = " + state + "\n");
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private String why(String id) {
    try {
      return site.run("why " + id).out();
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private String submit(Account by, String options, String script) throws Exception {
    return site.run(by, site.folder(), "echo '" + script + "' | qsub " + options).must().strip();
  }

  private JsonNode ended(String id) throws Exception {
    site.awaitState(id, "F");
    return site.job(id);
  }

  @Test
  void aScriptRunsThereAsItsUserAndItsStatusComesBack() throws Exception {
    Path output = work.resolve("out");
    String id =
        submit(
            user,
            "-j oe -o " + output + " -l select=1:ncpus=2:host=" + node() + " -q c1",
            "id -un; echo $SLURM_JOB_ID $SLURM_CPUS_PER_TASK $PBS_JOBID; exit 7");
    JsonNode job = ended(id);
    assertEquals(7, job.path("Exit_status").asInt(), job::toString);
    List<String> said = Files.readAllLines(output);
    assertEquals("mrforward", said.get(0));
    assertEquals(job.path("session_id").asText() + " 2 " + id, said.get(1));
    assertTrue(job.path("exec_host").asText().startsWith(node() + "/"), job::toString);
    Path books = site.home().accounting();
    Site.await(
        SOON,
        "its end is in the accounting",
        () -> {
          try {
            String end = ";E;" + id + ";";
            return site.run("grep -h " + "'" + end + "' " + books + "/*")
                .out()
                .contains("Exit_status=7");
          } catch (IOException e) {
            throw new AssertionError(e);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void whoHasNoAccountThereIsRefusedBeforeAnythingLeaves() throws Exception {
    String id = submit(stranger, "-q c1", "echo never");
    JsonNode job = ended(id);
    assertEquals(-10, job.path("Exit_status").asInt(), job::toString);
    assertEquals("", site.run("squeue -h -t all -u mrstranger").must().strip());
  }

  @Test
  void deletedHereIsDeletedThere() throws Exception {
    String id = submit(user, "-q c1", "touch " + work + "/runs; sleep 600");
    Site.await(SOON, "it runs", () -> Files.exists(work.resolve("runs")));
    site.run("qdel " + id).must();
    assertEquals(271, ended(id).path("Exit_status").asInt());
    assertEquals("", site.run("squeue -h -u mrforward -t R").must().strip());
  }

  /** The forwarder is killed while it submits and while runs end; each script begins once. */
  @Test
  void aKilledForwarderLosesNothingAndBeginsNothingTwice() throws Exception {
    Path counts = work.resolve("counts");
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      ids.add(submit(user, "-q c1", "echo " + i + " >> " + counts + "; sleep 2; exit " + i));
      if (i % 2 == 1) {
        long before = site.processes().get(PART).pid();
        site.run("kill -KILL " + before).must();
        site.up("").must();
        assertNotEquals(before, site.processes().get(PART).pid());
      }
    }
    for (int i = 0; i < ids.size(); i++) {
      JsonNode job = ended(ids.get(i));
      assertEquals(i, job.path("Exit_status").asInt(), job::toString);
      assertEquals(1, job.path("run_count").asInt(), job::toString);
    }
    List<String> begun = Files.readAllLines(counts).stream().sorted().toList();
    assertEquals(IntStream.range(0, ids.size()).mapToObj(Integer::toString).toList(), begun);
  }

  /** The cluster's master goes and comes back: runs stay, and nothing new is sent. */
  @Test
  void whatRunsStaysWhileItsMasterIsAway() throws Exception {
    assumeTrue(Site.NIGHT, "it takes longer than the others together");
    Path mark = work.resolve("stays");
    String runs = submit(user, "-q c1", "touch " + mark + "; sleep 90; exit 3");
    Site.await(SOON, "it runs", () -> Files.exists(mark));
    site.run("kill $(cat /var/spool/millrace-slurm/ctld/slurmctld.pid)").must();
    Site.await(SOON, "its node is unknown", () -> nodeIs("state-unknown"));
    String waits = submit(user, "-q c1", "exit 4");
    assertEquals("R", site.state(runs));
    Site.await(
        SOON, "that nobody has heard of it", () -> why(runs).contains("is not heard of since"));
    assertEquals("Q", site.state(waits));
    site.run("slurmctld < /dev/null").must();
    assertEquals(3, ended(runs).path("Exit_status").asInt());
    assertEquals(4, ended(waits).path("Exit_status").asInt());
    assertTrue(nodeIs("free"));
  }
}
