package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A program of the site says what the server has of a resource, and jobs start by it. */
@Shared(user = "mrinputs")
@Tag("night")
class PolicyInputsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @Test
  void jobsWaitForWhatAProgramSays(Site site, Account user) throws Exception {
    Path folder = Files.createDirectory(site.folder().resolve("inputs"));
    mode(folder, "rwxr-xr-x");
    Path amount = Files.writeString(folder.resolve("amount"), "1\n");
    Path program = folder.resolve("seats-free");
    Files.writeString(program, "#!/bin/sh\n[ $(id -u) -ne 0 ] || exit\ncat " + amount + "\n");
    mode(program, "rwxr-xr-x");
    Path config = Files.createDirectory(site.folder().resolve("inputs-policy"));
    Files.writeString(
        config.resolve("sched_config"), "server_dyn_res: \"seats !" + program + "\"\n");
    site.run("qmgr -c 'create resource seats type=long'").must();
    try {
      site.launcher("policy load default " + config, "").must();
      new Scenario(site, user, amount, program).run();
    } finally {
      site.run("qmgr -c 'unset sched default policy,sched_config'").must();
    }
    site.run("qmgr -c 'delete resource seats'").must();
  }

  @Test
  void aDedicatedTimeThatIsWrittenLaterCountsByItself(Site site, Account user) throws Exception {
    Path folder = Files.createDirectory(site.folder().resolve("followed"));
    mode(folder, "rwxr-xr-x");
    Files.writeString(folder.resolve("sched_config"), "by_queue: true\n");
    Path dedicated = Files.writeString(folder.resolve("dedicated_time"), "");
    mode(dedicated, "rw-r--r--");
    try {
      String said = site.launcher("policy load default " + folder, "--zone UTC --follow").must();
      assertTrue(said.contains("changes of the files of " + folder + " are loaded"), said);
      String empty = shown(site, "sched_config");
      Files.writeString(dedicated, theDayThatHasBegun());
      Site.await(PATIENCE, "it is loaded", () -> !shown(site, "sched_config").equals(empty));
      String job = site.run(user, user.home(), "qsub -l ncpus=1 -- /bin/true").must().strip();
      String comment = "Not Running: Dedicated time conflict";
      Site.await(PATIENCE, "it waits", () -> site.told("qstat -f " + job).contains(comment));
      Files.writeString(dedicated, "30/02/2026 x\n");
      String problem = "policy_problem = dedicated_time:1: ";
      Site.await(PATIENCE, "it is told", () -> shown(site, "policy_problem").contains(problem));
      assertTrue(
          site.launcher("status", "").out().contains("scheduler default goes by old files: "));
      assertEquals("Q", site.state(job), "the times before still count");
      Files.writeString(dedicated, "");
      site.awaitState(job, "F");
      assertFalse(shown(site, "policy_problem").contains("policy_problem"));
    } finally {
      site.run("qmgr -c 'unset sched default policy,sched_config'").must();
    }
    assertFalse(shown(site, "policy_folder").contains("policy_folder"), "it is followed no more");
  }

  /** A dedicated time of a day that has begun an hour ago, as PBS writes it. */
  private static String theDayThatHasBegun() {
    DateTimeFormatter form =
        DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm").withZone(ZoneOffset.UTC);
    Instant now = Instant.now();
    return "# the machine room is cleaned\n"
        + form.format(now.minus(Duration.ofHours(1)))
        + " "
        + form.format(now.plus(Duration.ofDays(1)))
        + "\n";
  }

  private static String shown(Site site, String attribute) throws Exception {
    return site.told("qmgr -c 'list sched default " + attribute + "'");
  }

  private static void mode(Path path, String mode) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  private record Scenario(Site site, Account user, Path amount, Path program) {

    void run() throws Exception {
      Path work = site.folderOf(user, "work-inputs");
      String big = submit(work, 3);
      String small = submit(work, 1);
      site.awaitState(small, "F");
      assertEquals("Q", site.state(big));
      String why = site.run("why " + big).must();
      assertTrue(why.contains("what " + program + " says (server_dyn_res): 1, since "), why);
      mode(program, "rwxrwxrwx");
      Files.writeString(amount, "3\n");
      String told = "seats=1 (could not be read: " + program + " may be written by others)";
      Site.await(PATIENCE, "status", () -> says("./millrace status", told));
      assertEquals("Q", site.state(big), "it keeps what it said last");
      String logs = "cat " + site.home().root() + "/sched_logs/*";
      Site.await(PATIENCE, "the log", () -> says(logs, "seats = 1 is kept: "));
      mode(program, "rwxr-xr-x");
      site.awaitState(big, "F");
      String shown = site.run("qmgr -c 'list sched default policy_inputs'").must();
      assertTrue(shown.contains("policy_inputs = seats=3\n"), shown);
    }

    private boolean says(String line, String text) {
      try {
        boolean status = line.endsWith("status");
        return (status ? site.launcher("status", "") : site.run(line)).out().contains(text);
      } catch (IOException e) {
        throw new AssertionError(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError(e);
      }
    }

    private String submit(Path work, int seats) throws IOException, InterruptedException {
      return site.run(user, work, "qsub -l ncpus=1,seats=" + seats + " -- /bin/true")
          .must()
          .strip();
    }
  }
}
