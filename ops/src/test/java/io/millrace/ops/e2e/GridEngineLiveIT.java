package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Grid Engine's users and administrators at a partition of a running Millrace. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GridEngineLiveIT {

  private static final List<String> CASES =
      List.of(
          "01-spec-three-jobs",
          "05-backfill-short-job",
          "15-pe-range-list-nowait",
          "17-array-reservation");

  private Site site;
  private Account user;
  private Path work;

  @BeforeAll
  void up() throws Exception {
    site = Site.prepare("gridengine");
    site.up("--executors 1 --resources ncpus=8,mem=2gb").must();
    String host = site.run("pbsnodes -a | awk '/Mom/ {print $3; exit}'").must().strip();
    qmgr("create sched ge");
    qmgr("set sched ge partition = GE");
    qmgr("create queue ge queue_type=execution,enabled=True,started=True,partition=GE");
    for (int i = 1; i <= 4; i++) {
      qmgr("create node node0" + i + " Mom=" + host + ",partition=GE");
      qmgr("set node node0" + i + " resources_available.ncpus = 2");
    }
    user = Account.ordinary("mrge", site.folder());
    work = site.folderOf(user, "work");
    // -p above 0 is for operators, as in the recorded sessions.
    qmgr("set server operators += " + user.name() + "@*");
  }

  @AfterAll
  void down() throws Exception {
    if (site != null) {
      site.close();
      user.remove(Path.of("/tmp"));
    }
  }

  private void qmgr(String directive) throws IOException, InterruptedException {
    site.run("qmgr -c '" + directive + "'").must();
  }

  private Shell.Answer sge(String line) throws IOException, InterruptedException {
    return site.run(user, work, "PATH=" + site.home().bin() + "/sge:$PATH; " + line);
  }

  @Test
  void recordedSessionsAgainWithJobsThatSleep() throws Exception {
    Path recordings = site.checkout().resolve("../shared/goldens/gridengine").normalize();
    if (!Files.isDirectory(recordings)) {
      System.out.println("gridengine: SKIPPED live sessions: no recordings at " + recordings);
      return;
    }
    for (String name : CASES) {
      List<String> lines = new LiveCase(site, user, recordings.resolve(name)).play();
      lines.forEach(line -> System.out.println("gridengine: " + line));
    }
  }

  private void load(String sched) throws Exception {
    Path config = Files.createTempDirectory(site.folder(), "config");
    Files.writeString(
        config.resolve("complex"),
        "slots s INT <= YES YES 1 1000\nlicense lic INT <= YES YES 0 10\n"
            + "h_rt h_rt TIME <= YES NO 0:0:0 0\ns_rt s_rt TIME <= YES NO 0:0:0 0\n");
    Files.writeString(config.resolve("sched"), sched);
    Files.writeString(
        config.resolve("queue.all.q"),
        "qname all.q\nhostlist @allhosts\nslots 2\npe_list mpi\nshell /bin/sh\n");
    Files.writeString(
        config.resolve("hgrp"), "group_name @allhosts\nhostlist node01 node02 node03 node04\n");
    Files.writeString(
        config.resolve("pe.mpi"), "pe_name mpi\nslots 99\nallocation_rule $fill_up\n");
    Files.writeString(config.resolve("host.global"), "hostname global\ncomplex_values license=5\n");
    site.launcher("policy load ge " + config, "").must();
    qmgr("set sched ge scheduling = True");
  }

  @Test
  void whatAJobSeesAndWhereItsOutputGoes() throws Exception {
    load("schedule_interval 0:0:1\n");
    Files.writeString(
        work.resolve("see.sh"),
        """
        #!/bin/sh
        #$ -N seen
        #$ -pe mpi 3
        #$ -cwd -j y
        echo "$JOB_ID $JOB_NAME $SGE_TASK_ID $NSLOTS $NHOSTS $PE $QUEUE $1"
        cut -d' ' -f1-3 "$PE_HOSTFILE"
        pwd
        """);
    user.own(site.folder(), work);
    String said = sge("qsub -sync y see.sh 'two words'").must();
    String number = said.replaceAll("(?s)Your job (\\d+) \\(\"seen\"\\) has been.*", "$1");
    assertEquals(
        "Your job %s (\"seen\") has been submitted\nJob %s exited with exit code 0.\n"
            .formatted(number, number),
        said);
    List<String> lines = Files.readAllLines(work.resolve("seen.o" + number));
    assertEquals(number + " seen undefined 3 2 mpi all.q two words", lines.get(0));
    assertEquals(List.of("node01 2 all.q@node01", "node02 1 all.q@node02"), lines.subList(1, 3));
    assertEquals(work.toString(), lines.get(3));
    String array =
        sge("qsub -terse -t 3-7:2 -N many -b y -cwd 'echo $SGE_TASK_ID of $SGE_TASK_LAST'").must();
    String first = array.replaceFirst("\\..*", "").strip();
    assertEquals(first + ".3-7:2\n", array);
    Site.await(
        Duration.ofSeconds(30),
        "three files",
        () -> Files.exists(work.resolve("many.o" + first + ".7")));
    assertEquals("7 of 7\n", Files.readString(work.resolve("many.o" + first + ".7")));
    Shell.Answer failed = sge("qsub -sync y -N bad -b y 'exit 3'");
    assertEquals(3, failed.status());
    assertTrue(failed.err().endsWith("exited with exit code 3.\n"), failed.err());
  }

  @Test
  void jobsAreShownHeldChangedExplainedAndDeleted() throws Exception {
    load("schedule_interval 0:0:1\n");
    String six = sge("qsub -terse -N lic6 -l license=6 -b y sleep 5").must().strip();
    String held = sge("qsub -terse -N held -h -b y sleep 5").must().strip();
    String after = sge("qsub -terse -N after -hold_jid held -b y sleep 5").must().strip();
    Site.await(
        Duration.ofSeconds(20),
        "a reason for " + six,
        () -> text("qstat -j lic6").contains("-l l"));
    String detail = sge("qstat -j lic6").must();
    assertTrue(
        detail.endsWith(
            "scheduling info:            (-l license=6) cannot run globally because it offers only"
                + " gc:license=5.000000\n"),
        detail);
    assertTrue(detail.contains("hard resource_list:         license=6\n"), detail);
    Site.await(
        Duration.ofSeconds(20),
        "a reason for " + after,
        () -> text("qstat -j after").contains("job dropped because of job dependencies"));
    assertTrue(text("qstat -j").contains("Jobs dropped because of hold state\n\t" + held));
    assertTrue(site.run("why " + six).must().contains("SGE_CANNOT_RUN_GLOBALLY"));
    String list = sge("qstat").must();
    assertTrue(list.startsWith("job-ID  prior   name       user         state submit/start at"));
    assertTrue(list.matches("(?s).*" + six + " 0\\.\\d{5} lic6 .* qw .*"), list);
    assertTrue(list.matches("(?s).*" + held + " 0\\.00000 held .* hqw .*"), list);
    assertTrue(list.matches("(?s).*" + after + " 0\\.00000 after .* hqw .*"), list);
    assertEquals("modified hold of job " + held + "\n", sge("qrls " + held).must());
    assertEquals("modified hold of job " + held + "\n", sge("qhold " + held).must());
    assertEquals(
        "modified hard resource list of job " + six + "\nmodified job name of job " + six + "\n",
        sge("qalter -l license=2 -N lic2 " + six).must());
    Site.await(Duration.ofSeconds(20), "it runs", () -> text("qstat -s r").contains(" lic2 "));
    assertTrue(text("qstat -f").contains("all.q@node01                   BIP   0/1/2 "));
    assertTrue(text("qstat -xml").contains("<JB_name>lic2</JB_name>"));
    assertEquals(
        user.name() + " has registered the job " + six + " for deletion\n",
        sge("qdel " + six).must());
    assertEquals(user.name() + " has deleted job " + held + "\n", sge("qdel held").must());
    Site.await(
        Duration.ofSeconds(30), "the one behind it runs", () -> text("qstat").contains(" after "));
    sge("qdel -u " + user.name());
    assertEquals("denied: job \"999999\" does not exist\n", sge("qdel 999999").out());
  }

  /** What Grid Engine's qsub said, word by word but for the numbers of jobs. */
  @Test
  void textsOfARecordedQsub() throws Exception {
    Path recording =
        site.checkout().resolve("../shared/transcripts/gridengine/02-qsub.txt").normalize();
    if (!Files.exists(recording)) {
      System.out.println("gridengine: SKIPPED texts of qsub: there is no " + recording);
      return;
    }
    load("schedule_interval 0:0:1\n");
    qmgr("set sched ge scheduling = False");
    qmgr("set server operators -= " + user.name() + "@*");
    try {
      SubmitTexts texts = SubmitTexts.read(recording);
      System.out.println("gridengine: " + texts.play(this::answer));
      assertEquals("", String.join("\n", texts.different()));
    } finally {
      qmgr("set server operators += " + user.name() + "@*");
      sge("qdel -u " + user.name());
    }
  }

  private Shell.Answer answer(String line) {
    try {
      return sge(line);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private String text(String line) {
    return answer(line).out();
  }

  @Test
  void aWrongConfigurationChangesNothing() throws Exception {
    load("schedule_interval 0:0:1\n");
    Path config = Files.createTempDirectory(site.folder(), "wrong");
    Files.writeString(config.resolve("complex"), "slots s INT <= YES YES 1 1000\n");
    Files.writeString(config.resolve("sched"), "schedule_intervall 0:0:1\n");
    Shell.Answer refused = site.launcher("policy load ge " + config, "");
    assertEquals(1, refused.status());
    assertTrue(
        refused.err().contains("sched:1: 'schedule_intervall' is no option"), refused.toString());
    assertEquals(
        "", sge("qstat -j").must().lines().filter(l -> l.contains("sched:")).findAny().orElse(""));
  }
}
