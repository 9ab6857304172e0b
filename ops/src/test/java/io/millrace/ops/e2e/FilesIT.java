package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Files, mail and day logs of a job of an ordinary user: each exactly once, although the process
 * that writes mail and logs is killed meanwhile.
 */
@Order(2)
@Shared(user = "mrfiles", site = SharedSite.OTHER_HOSTS)
class FilesIT {

  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final String SCRIPT =
      """
      #PBS -N staged -m abe -W umask=022
      pwd; cat in.txt; echo result >r1; mkdir r2; echo deep >r2/x; exit 5
      """;
  private static final String MAILER = "#!/bin/sh\n{ echo \"== $*\"; cat; } >>%s\n";

  @Test
  void filesMailAndLogsOfAJob(Site site, Account user) throws Exception {
    new Scenario(site, user).run();
  }

  private static final class Scenario {
    private final Site site;
    private final Account user;
    private final Path work;
    private final Path mails;

    Scenario(Site site, Account user) throws IOException, InterruptedException {
      this.site = site;
      this.user = user;
      this.work = site.folderOf(user, "work");
      this.mails = site.folder().resolve("mails");
    }

    void run() throws Exception {
      Path mailer = site.folder().resolve("mailer");
      Files.writeString(mailer, MAILER.formatted(mails));
      Files.setPosixFilePermissions(mailer, PosixFilePermissions.fromString("rwxr-xr-x"));
      // Root's programs of attributes run as nobody.
      Files.createFile(mails);
      Files.setPosixFilePermissions(mails, PosixFilePermissions.fromString("rw-rw-rw-"));
      site.qmgr("set server mailer = " + mailer);
      Files.writeString(work.resolve("script.sh"), SCRIPT);
      Files.writeString(work.resolve("data"), "brought\n");
      user.own(site.folder(), work);
      String job = staged();
      mail(job);
      putOff();
      printsTooMuch();
      logs(job);
      site.qmgr("unset server mailer");
    }

    /** A job in a private directory with staged files, whose qsub waits for it. */
    private String staged() throws Exception {
      String options =
          "-W block=true -W sandbox=private -W stagein=in.txt@localhost:"
              + work
              + "/data,stageout=r*@localhost:"
              + work;
      Shell.Answer answer = site.run(user, work, "qsub " + options + " script.sh");
      assertEquals(5, answer.status(), answer.toString());
      String job = answer.out().strip();
      String number = job.substring(0, job.indexOf('.'));
      List<String> said = Files.readAllLines(work.resolve("staged.o" + number));
      assertTrue(said.get(0).endsWith("/pbs." + job + ".x8z"), said.toString());
      assertEquals("brought", said.get(1));
      assertFalse(Files.exists(Path.of(said.get(0))), "its directory goes with it");
      assertEquals("result\n", Files.readString(work.resolve("r1")));
      assertEquals("deep\n", Files.readString(work.resolve("r2/x")));
      assertEquals(user.name(), Files.getOwner(work.resolve("r1")).getName());
      assertEquals(
          "rw-r--r--",
          PosixFilePermissions.toString(
              Files.getPosixFilePermissions(work.resolve("staged.o" + number))));
      return job;
    }

    private void mail(String job) throws Exception {
      letter("the end is written about", "Exit_status=5");
      // One mail after another: once the next one has arrived, the earlier one is recorded as sent.
      // A mail that was sent but not recorded may be repeated after a kill.
      site.run(user, work, "qsub -m e -N between -- /bin/true").must();
      letter("the next letter", "Job Name:   between");
      Site.kill(List.of(site.processes().get("accounting")));
      site.run(user, work, "qsub -m e -M ann,bob@there -N later -- /bin/true").must();
      site.up("").must();
      letter("mail after a kill", "Job Name:   later");
      String text = text();
      assertEquals(2, text.split("Subject: PBS JOB " + job, -1).length - 1, text);
      assertTrue(text.contains("-f adm ann bob@there\nTo: ann, bob@there\n"), text);
      assertEquals(1, text.split("Job Name:   later", -1).length - 1, text);
    }

    /** Letters of other tests may have waited for a mailer: while they come, it is waited for. */
    private void letter(String what, String words) throws Exception {
      while (!text().contains(words)) {
        int known = text().length();
        Site.await(PATIENCE, what, () -> text().contains(words) || text().length() > known);
      }
    }

    private void putOff() throws Exception {
      String options = "-N off -W stagein=x@localhost:" + work + "/no";
      String job = site.run(user, work, "qsub " + options + " -- /bin/true").must().strip();
      site.awaitState(job, "W");
      Site.await(PATIENCE, "it is written about", () -> text().contains("File stage in failed"));
      site.run(user, work, "qdel " + job).must();
    }

    private void printsTooMuch() throws Exception {
      site.qmgr("set queue workq max_output = 1mb");
      String job = site.run(user, work, "qsub -N loud -- /usr/bin/yes").must().strip();
      site.awaitState(job, "F");
      site.qmgr("unset queue workq max_output");
      assertEquals(-32, site.job(job).path("Exit_status").asInt());
      String number = job.substring(0, job.indexOf('.'));
      assertEquals(1 << 20, Files.size(work.resolve("loud.o" + number)));
      String words = Files.readString(work.resolve("loud.e" + number));
      assertTrue(words.contains("=>> PBS: job killed: output "), words);
      assertTrue(site.run("tracejob " + job).must().contains("kb exceeded limit 1024kb"));
      Site.await(PATIENCE, "it is written about", () -> text().contains("Job printed too much"));
    }

    private void logs(String job) throws Exception {
      String told = site.run("tracejob " + job).must();
      for (String line :
          List.of(
              "  S    enqueuing into workq, state Q hop 1\n",
              " L    Job run\n",
              "  S    Exit_status=5 resources_used.cpupercent=",
              "  A    user=" + user.name() + " ")) {
        assertTrue(told.contains(line), line + told);
      }
      String log = site.run("cat " + site.home().root() + "/server_logs/*").must();
      assertEquals(1, log.split(job + ";Exit_status=5 ", -1).length - 1, log);
      assertTrue(log.contains(";Svr;Server@"), log);
    }

    private String text() throws IOException {
      return Files.readString(mails);
    }
  }
}
