package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Jobs and a campaign in a real OAR, by its REST API, where they are of best effort; only root can
 * start it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock(OutsidePeer.ALL)
@Tag("night")
class OarForwardIT {

  private static final Duration SOON = Duration.ofSeconds(300);
  private static final Duration INSTALLING = Duration.ofMinutes(9);
  private static final int ABSENT = 77;
  private static final int TASKS = 12;

  /** One that waits, the first time, until a local job wants its place. */
  private static final int GIVES_WAY = 5;

  private Site site;
  private Account user;
  private Path work;
  private boolean started;

  private Shell.Answer oar(String words) throws IOException, InterruptedException {
    String script = site.checkout() + "/connectors/testkit/src/test/sh/oar.sh ";
    return new Shell(site.folder()).run(site.folder(), INSTALLING, "bash " + script + words);
  }

  private static long self() {
    return ProcessHandle.current().pid();
  }

  @BeforeAll
  void up() throws Exception {
    assumeTrue(Account.superuser(), "only root can start an OAR");
    site = Site.prepare("oar");
    user = site.user("mroar");
    Shell.Answer up = oar("up " + self() + " mroar");
    if (up.status() == ABSENT) {
      System.out.println("e2e: SKIPPED with OAR: " + up.err().strip());
    }
    assumeTrue(up.status() != ABSENT, up.err());
    up.must();
    started = true;
    work = site.folderOf(user, "work");
    Path spool = site.folder().resolve("outside");
    site.run("install -d -m 755 " + spool + " && install -d -o mroar " + spool + "/mroar").must();
    Path passwords = site.folder().resolve("oar-passwords");
    Files.writeString(passwords, "mroar:mroar\n");
    Files.setPosixFilePermissions(passwords, PosixFilePermissions.fromString("rw-------"));
    Path file =
        Files.write(
            site.folder().resolve("c8.properties"),
            List.of(
                "name = c8",
                "system = oar",
                "url = http://127.0.0.1:6668/oarapi",
                "credentials = " + passwords,
                "best_effort = yes",
                "spool = " + spool,
                "as = sudo",
                "user.mroar = mroar"));
    Shell.Answer check = site.run(site.checkout() + "/millrace outside check " + file);
    assertEquals(0, check.status(), check::toString);
    assertTrue(check.out().contains("ok: version: OAR 2.5.9"), check::toString);
    site.up("--no-keeper --shards 2 --executors 0 --campaigns --forward " + file).must();
    Site.await(SOON, "it is served", () -> said("pbsnodes " + node()).contains("state = free"));
  }

  @AfterAll
  void down() throws Exception {
    if (site == null) {
      return;
    }
    try {
      if (started) {
        oar("down " + self());
      }
    } finally {
      site.close();
    }
  }

  private String said(String line) {
    try {
      return site.run(line).out();
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Its host is called so there, too. */
  private static String node() {
    return "localhost@c8";
  }

  private String submit(String options, String script) throws Exception {
    String line = "echo '" + script + "' | qsub -q c8 " + options;
    return site.run(user, site.folder(), line).must().strip();
  }

  private JsonNode ended(String id) throws Exception {
    Site.await(SOON, id + " is over", () -> said("qstat -xf " + id).contains("job_state = F"));
    return site.job(id);
  }

  @Test
  void aScriptRunsThereAsItsUserAndItsStatusComesBack() throws Exception {
    Path output = work.resolve("out");
    String script = "id -un; echo $OAR_JOB_ID $PBS_JOBID; exit 7";
    String id = submit("-N \"a'b\" -j oe -o " + output, script);
    JsonNode job = ended(id);
    assertEquals(7, job.path("Exit_status").asInt(), job::toString);
    List<String> said = Files.readAllLines(output);
    assertEquals(List.of("mroar", job.path("session_id").asText() + " " + id), said);
    assertTrue(job.path("exec_host").asText().startsWith(node() + "/"), job::toString);
  }

  @Test
  void deletedHereIsDeletedThere() throws Exception {
    Path mark = work.resolve("runs");
    String id = submit("", "touch " + mark + "; sleep 600");
    Site.await(SOON, "it runs", () -> Files.exists(mark));
    String number = site.job(id).path("session_id").asText();
    site.run("qdel " + id).must();
    assertEquals(271, ended(id).path("Exit_status").asInt());
    String there = oar("run oarstat -fj " + number).must();
    assertTrue(there.contains("state = Error"), there);
  }

  @Test
  void oarEndsWhatLastsTooLong() throws Exception {
    JsonNode job = ended(submit("-l walltime=10", "sleep 600"));
    assertEquals(-29, job.path("Exit_status").asInt(), job::toString);
  }

  /** Each task runs once to its end; the one that a local job killed is run again. */
  @Test
  void aCampaignInTheGaps() throws Exception {
    Path task = work.resolve("task.sh");
    Files.writeString(
        task,
        """
        #!/bin/sh
        if [ $1 = %d ] && mkdir waited 2>/dev/null; then echo $OAR_JOB_ID >id; sleep 600; fi
        echo $1 $CIGRI_JOB_NAME >>out-$1
        """
            .formatted(GIVES_WAY));
    Files.setPosixFilePermissions(task, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path done = work.resolve("done");
    site.run(user, work, "mkdir done").must();
    String document =
        "{\"name\": \"gaps\", \"exec_file\": \"%s\", \"exec_directory\": \"%s\", \"nb_jobs\": %d,"
                .formatted(task, done, TASKS)
            + " \"clusters\": {\"c8\": {\"walltime\": \"00:30:00\"}}}";
    String said = site.run(user, work, "gridsub '" + document + "'").must();
    String id = said.replaceFirst("(?s).*CAMPAIGN_ID=", "").strip();
    Site.await(SOON, "one waits", () -> done.resolve("id").toFile().length() > 0);
    String number = Files.readString(done.resolve("id")).strip();
    Site.await(SOON, "the others are done", () -> outputs(done) == TASKS - 1);
    oar("run su mrbob -c 'cd / && oarsub -l /resource_id=8,walltime=0:0:20 -O /dev/null"
            + " -E /dev/null true'")
        .must();
    Site.await(SOON, "all are over", () -> said("gridstat " + id).contains("terminated"));
    String there = oar("run oarstat -fj " + number).must();
    assertTrue(there.contains("BESTEFFORT_KILL"), there);
    assertEquals(TASKS, outputs(done));
    for (int i = 1; i <= TASKS; i++) {
      assertEquals(1, Files.readAllLines(done.resolve("out-" + i)).size());
    }
  }

  private static long outputs(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(it -> it.getFileName().toString().startsWith("out-")).count();
    } catch (IOException e) {
      return 0;
    }
  }
}
