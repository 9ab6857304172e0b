package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Grid Engine's users and administrators on partitions of a running Millrace. Each test has a cell
 * of its own, so that all can run in parallel.
 */
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GridEngineLiveIT {

  private static final Duration SOON = Duration.ofSeconds(180);
  private static final Duration SYNC = Duration.ofSeconds(180);

  /** Seconds until a reserved window begins, and how long it is. */
  private static final int RESERVED_IN_S = 20;

  private static final int RESERVED_FOR_S = 15;

  private static final List<String> TRANSCRIPTS =
      Site.NIGHT
          ? List.of("02-qsub", "03-qstat", "04-qstat-xml", "05-qstat-j", "07-control")
          : List.of("02-qsub", "03-qstat");

  /** Jobs that must be running before a line is typed. */
  private static final Map<String, String> STARTED_BEFORE =
      Map.of("qhold 39", "c2", "qdel 40 -t 2", "c3", "qdel -f 43", "ff");

  private Site site;
  private Account user;
  private Path work;

  @BeforeAll
  void up() throws Exception {
    site = Site.prepare("gridengine");
    site.up("--shards 2 --executors 1 --resources ncpus=8,mem=2gb").must();
    user = site.user("mrge");
    work = site.folderOf(user, "work");
    // -p above 0 is for operators, as in the recorded sessions.
    qmgr("set server operators += " + user.name() + "@*");
  }

  @AfterAll
  void down() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  private void qmgr(String directive) throws IOException, InterruptedException {
    site.run("qmgr -c '" + directive + "'").must();
  }

  /** A cell of four hosts of two slots with an environment and five licenses. */
  private LiveCell cell(String name) throws Exception {
    LiveCell cell = LiveCell.ofFour(site, name);
    Path config = Files.createTempDirectory(site.folder(), "config");
    LiveCell.write(
        config,
        "complex",
        "slots s INT <= YES YES 1 1000\nlicense lic INT <= YES YES 0 10\n"
            + "h_rt h_rt TIME <= YES NO 0:0:0 0\ns_rt s_rt TIME <= YES NO 0:0:0 0\n");
    // Not sorted by load: all hosts are this machine and report its load at different times.
    LiveCell.write(config, "sched", "schedule_interval 0:0:1\nqueue_sort_method seqno\n");
    String order =
        IntStream.range(0, cell.hosts().size())
            .mapToObj(i -> ",[" + cell.hosts().get(i) + "=" + i + "]")
            .collect(Collectors.joining());
    LiveCell.write(
        config,
        "queue.all.q",
        "qname all.q\nhostlist @allhosts\nslots 2\npe_list mpi\nshell /bin/sh\nseq_no 0"
            + order
            + "\n");
    String hosts = String.join(" ", cell.hosts());
    LiveCell.write(config, "hgrp", "group_name @allhosts\nhostlist " + hosts + "\n");
    LiveCell.write(config, "pe.mpi", "pe_name mpi\nslots 99\nallocation_rule $fill_up\n");
    LiveCell.write(config, "host.global", "hostname global\ncomplex_values license=5\n");
    LiveCell.write(config, "acl.arusers", "name arusers\ntype ACL\nentries " + user.name() + "\n");
    cell.policy(config).must();
    cell.scheduling(true);
    return cell;
  }

  @Test
  void whatAJobSeesAndWhereItsOutputGoes() throws Exception {
    LiveCell cell = cell("see");
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
    String said = synced(cell, "qsub -sync y see.sh 'two words'").must();
    String number = said.replaceAll("(?s)Your job (\\d+) \\(\"seen\"\\) has been.*", "$1");
    assertEquals(
        "Your job %s (\"seen\") has been submitted\nJob %s exited with exit code 0.\n"
            .formatted(number, number),
        said);
    List<String> lines = Files.readAllLines(work.resolve("seen.o" + number));
    assertEquals(number + " seen undefined 3 2 mpi all.q two words", lines.get(0));
    assertEquals(List.of("see01 2 all.q@see01", "see02 1 all.q@see02"), lines.subList(1, 3));
    assertEquals(work.toString(), lines.get(3));
    String array =
        sge(cell, "qsub -terse -t 3-7:2 -N many -b y -cwd 'echo $SGE_TASK_ID of $SGE_TASK_LAST'")
            .must();
    String first = array.replaceFirst("\\..*", "").strip();
    assertEquals(first + ".3-7:2\n", array);
    for (String task : List.of("3", "5", "7")) {
      Path file = work.resolve("many.o" + first + "." + task);
      Site.await(SOON, "the output of task " + task, () -> written(file).equals(task + " of 7\n"));
    }
    Shell.Answer failed = synced(cell, "qsub -sync y -N bad -b y 'exit 3'");
    assertEquals(3, failed.status());
    assertTrue(failed.err().endsWith("exited with exit code 3.\n"), failed.err());
    Shell.Answer never = synced(cell, "qsub -now y -N never -l license=9 -b y true");
    assertEquals(1, never.status());
    assertTrue(never.err().contains("Your qsub request could not be scheduled"), never.err());
    assertFalse(text(cell, "qstat").contains(" never "), "the server let it go");
  }

  @Test
  void aQueueEndsWhatRunsTooLong() throws Exception {
    LiveCell cell = cell("limit");
    Path config = Files.createTempDirectory(site.folder(), "limit");
    LiveCell.write(
        config, "complex", "slots s INT <= YES YES 1 1000\ns_rt s_rt TIME <= YES NO 0:0:0 0\n");
    LiveCell.write(config, "sched", "schedule_interval 0:0:1\n");
    LiveCell.write(
        config,
        "queue.all.q",
        "qname all.q\nhostlist " + cell.hosts().get(0) + "\nslots 2\nh_rt 0:0:4\n");
    cell.policy(config).must();
    Shell.Answer warned = synced(cell, "qsub -sync y -N warned -b y -cwd -l s_rt=1 sleep 300");
    assertTrue(warned.err().contains("exited because of signal SIGUSR1"), warned.toString());
    Shell.Answer killed = synced(cell, "qsub -sync y -N long -b y -cwd sleep 300");
    assertTrue(killed.err().contains("exited because of signal SIGKILL"), killed.toString());
    Shell.Answer ended = synced(cell, "qsub -sync y -N short -b y -cwd true");
    assertEquals(0, ended.status(), ended.toString());
  }

  @Test
  void aJobThatCannotStartWaitsToBeMended() throws Exception {
    LiveCell cell = cell("error");
    Path gone = work.resolve("gone");
    String job = sge(cell, "qsub -terse -N lost -b y -wd " + gone + " 'pwd; sleep 600'").must();
    job = job.strip();
    Site.await(SOON, "it is in the error state", () -> text(cell, "qstat").contains(" Eqw "));
    String detail = sge(cell, "qstat -j " + job).must();
    assertTrue(
        detail.matches(
            "(?s).*\nerror reason          1:      \\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d"
                + " \\[\\d+:\\d+\\]: error: can't chdir to "
                + gone
                + ": No such file or directory\n"
                + "scheduling info:            Job is in error state\n"),
        detail);
    String nowhere = sge(cell, "qsub -terse -N nowhere -b y -o " + gone + "/x true").must().strip();
    String shell = sge(cell, "qsub -terse -N shell -b y -S " + gone + "/sh true").must().strip();
    Site.await(SOON, "they are, too", () -> text(cell, "qstat").split(" Eqw ", -1).length == 4);
    assertTrue(
        text(cell, "qstat -j " + nowhere)
            .contains("error: can't open output file \"" + gone + "/x\": No such file or dir"));
    assertTrue(
        text(cell, "qstat -j " + shell).contains("unable to find shell \"" + gone + "/sh\""));
    sge(cell, "qdel nowhere shell").must();
    assertTrue(text(cell, "qstat -j").contains("Jobs dropped because of error state\n\t" + job));
    assertTrue(site.run("why " + job).must().contains("can't chdir to " + gone));
    assertEquals("modified hold of job " + job + "\n", sge(cell, "qhold " + job).must());
    assertTrue(text(cell, "qstat").contains(" Ehqw "));
    assertEquals("modified hold of job " + job + "\n", sge(cell, "qrls " + job).must());
    assertEquals(
        "modified working directory of job " + job + "\nmodified shell list of job " + job + "\n",
        sge(cell, "qalter -wd " + work + " -S /bin/sh " + job).must());
    String cleared = sge(cell, "qmod -cj " + job).must();
    assertTrue(
        cleared.matches(user.name() + "@\\S+ cleared error state of job " + job + "\n"), cleared);
    Shell.Answer again = sge(cell, "qmod -cj " + job + " 999999");
    assertEquals(
        "Job " + job + " is not in error state\ninvalid queue or job \"999999\"\n", again.out());
    assertEquals(1, again.status());
    Site.await(SOON, "it runs", () -> text(cell, "qstat -s r").contains(" lost "));
    String said = user.name() + " - ";
    assertEquals(said + "suspended job " + job + "\n", sge(cell, "qmod -sj " + job).must());
    assertTrue(text(cell, "qstat -s s").contains(" lost "));
    assertEquals(
        said + "job " + job + " is already suspended\n", sge(cell, "qmod -sj lost").must());
    assertEquals(said + "unsuspended job " + job + "\n", sge(cell, "qmod -usj " + job).must());
    Site.await(SOON, "it goes on", () -> !text(cell, "qstat -s s").contains(" lost "));
    assertTrue(
        sge(cell, "qmod -rj " + job)
            .must()
            .startsWith("Pushed rescheduling of job " + job + " on host error"));
    Shell.Answer queue = sge(cell, "qmod -d all.q");
    assertTrue(queue.err().contains("option -d is not supported"), queue.toString());
    assertEquals(1, queue.status());
    sge(cell, "qdel " + job).must();
  }

  @Test
  void jobsAreShownHeldChangedExplainedAndDeleted() throws Exception {
    LiveCell cell = cell("show");
    Path options = work.resolve("options");
    user.own(site.folder(), Files.writeString(options, "# of two lines\n-N lic6\n-l license=6\n"));
    String six = sge(cell, "qsub -terse -@ options -b y sleep 600").must().strip();
    // This job must not start either once it is released.
    String held = sge(cell, "qsub -terse -N held -h -l license=6 -b y sleep 600").must().strip();
    String after = sge(cell, "qsub -terse -N after -hold_jid held -b y sleep 600").must().strip();
    Site.await(SOON, "a reason for " + six, () -> text(cell, "qstat -j lic6").contains("-l l"));
    String detail = sge(cell, "qstat -j lic6").must();
    assertTrue(
        detail.endsWith(
            "scheduling info:            (-l license=6) cannot run globally because it offers only"
                + " gc:license=5.000000\n"),
        detail);
    assertTrue(detail.contains("hard resource_list:         license=6\n"), detail);
    Site.await(
        SOON,
        "a reason for " + after,
        () -> text(cell, "qstat -j after").contains("job dropped because of job dependencies"));
    assertTrue(text(cell, "qstat -j").contains("Jobs dropped because of hold state\n\t" + held));
    assertTrue(site.run("why " + six).must().contains("SGE_CANNOT_RUN_GLOBALLY"));
    String list = sge(cell, "qstat").must();
    assertTrue(list.startsWith("job-ID  prior   name       user         state submit/start at"));
    // The others are not looked at, so that there is no job with a lower urgency.
    assertTrue(list.matches("(?s).*" + six + " 0\\.55500 lic6 .* qw .*"), list);
    assertTrue(list.matches("(?s).*" + held + " 0\\.00000 held .* hqw .*"), list);
    assertTrue(list.matches("(?s).*" + after + " 0\\.00000 after .* hqw .*"), list);
    assertEquals("modified hold of job " + held + "\n", sge(cell, "qrls " + held).must());
    assertEquals("modified hold of job " + held + "\n", sge(cell, "qhold " + held).must());
    assertEquals(
        "modified hard resource list of job " + six + "\nmodified job name of job " + six + "\n",
        sge(cell, "qalter -l license=2 -N lic2 " + six).must());
    Site.await(SOON, "it runs", () -> text(cell, "qstat -s r").contains(" lic2 "));
    String full = text(cell, "qstat -f");
    assertTrue(full.contains("all.q@show01                   BIP   0/1/2 "), full);
    if (Account.superuser()) {
      othersCountAndAreNotShown(cell, six);
    }
    assertTrue(text(cell, "qstat -xml").contains("<JB_name>lic2</JB_name>"));
    assertEquals(
        "denied: can't change consumable resource request \"license\" of running job\n",
        sge(cell, "qalter -l license=1 " + six).out());
    assertEquals(
        user.name() + " has registered the job " + six + " for deletion\n",
        sge(cell, "qdel " + six).must());
    assertEquals(user.name() + " has deleted job " + held + "\n", sge(cell, "qdel held").must());
    Site.await(SOON, "the one behind it runs", () -> text(cell, "qstat -s r").contains(" after "));
    sge(cell, "qdel -u " + user.name());
    assertEquals("denied: job \"999999\" does not exist\n", sge(cell, "qdel 999999").out());
    aRunKeepsItsSlots(cell);
    waitingParallelJobsAreShownOfEachHost(cell);
  }

  private void aRunKeepsItsSlots(LiveCell cell) throws Exception {
    String two = sge(cell, "qsub -terse -pe mpi 2 -N two -b y sleep 600").must().strip();
    Site.await(SOON, "two slots are free", () -> text(cell, "qstat -s r").contains(" two "));
    assertEquals(
        "denied: can't lower the least number of slots of running job\n",
        sge(cell, "qalter -pe mpi 1-2 " + two).out());
    assertEquals(
        "modified parallel environment of job "
            + two
            + "\nmodified slot range of job "
            + two
            + "\n",
        sge(cell, "qalter -pe mpi 2-4 " + two).must());
    sge(cell, "qdel " + two).must();
  }

  /** Four slots, of which a host has two: a part of the job may come to each host. */
  private void waitingParallelJobsAreShownOfEachHost(LiveCell cell) throws Exception {
    sge(cell, "qsub -h -pe mpi 4 -N wide -b y sleep 600").must();
    sge(cell, "qsub -h -pe mpi 4 -q '*@show01,*@show02' -N left -b y sleep 600").must();
    Site.await(SOON, "both wait", () -> text(cell, "qstat -s p").contains(" left "));
    String first = text(cell, "qstat -q all.q@show01");
    assertTrue(first.contains(" wide ") && first.contains(" left "), first);
    String last = text(cell, "qstat -q all.q@show04");
    assertTrue(last.contains(" wide ") && !last.contains(" left "), last);
    sge(cell, "qdel wide left").must();
  }

  /** A reservation of three of the eight slots: what is in it, what is beside it, its end. */
  @Test
  @Tag("night")
  void slotsAreReservedForATimeToCome() throws Exception {
    LiveCell cell = cell("ar");
    long startS = System.currentTimeMillis() / 1000 + RESERVED_IN_S;
    String window = "-a $(date -d @" + startS + " +%Y%m%d%H%M.%S) -d " + RESERVED_FOR_S;
    String granted = sge(cell, "qrsub " + window + " -pe mpi 3 -N win").must();
    String number =
        granted.replaceAll("(?s)Your advance reservation (\\d+) has been granted\n", "$1");
    assertTrue(number.matches("\\d+"), granted);
    sge(cell, "qsub -ar " + number + " -pe mpi 3 -N inside -cwd -b y 'date +%s; sleep 600'").must();
    sge(cell, "qsub -pe mpi 6 -N beside -l h_rt=600 -b y sleep 600").must();
    Shell.Answer large = sge(cell, "qrsub " + window + " -pe mpi 6");
    assertEquals("advance_reservation: no suitable queues\n", large.out());
    assertEquals(1, large.status());
    assertEquals(
        "verification: found suitable queue(s)\n", sge(cell, "qrsub -w v -d 60 -pe mpi 5").out());
    Shell.Answer licence = sge(cell, "qrsub -d 60 -l license=1");
    assertTrue(licence.out().contains("\"license\" is consumable"), licence.toString());
    assertTrue(text(cell, "qrstat").contains(" win        " + user.name()), text(cell, "qrstat"));
    String detail = sge(cell, "qrstat -ar " + number).must();
    assertTrue(
        detail.contains("granted_slots_list             all.q@ar01=2,all.q@ar02=1\n"), detail);
    assertTrue(text(cell, "qrstat -xml").contains("<id>" + number + "</id>"));

    assertEquals(
        "Unable to run job: the advance reservation id 99999999 is invalid\nExiting.\n",
        sge(cell, "qsub -ar 99999999 -b y true").err());
    assertEquals(
        "Unable to run job: error: no suitable queues\nExiting.\n",
        sge(cell, "qsub -ar " + number + " -pe mpi 4 -b y true").err());
    cell.awaitRun("inside");
    String full = text(cell, "qstat -f");
    assertTrue(full.contains("all.q@ar01                     BIP   2/2/2 "), full);
    assertTrue(full.matches("(?s).*PENDING.* beside .*"), full);
    assertTrue(text(cell, "qstat -j inside").contains("ar_id:                      " + number));

    // The end deletes what runs inside; what waited for its slots has them then.
    cell.awaitRun("beside");
    assertFalse(text(cell, "qstat").contains(" inside "));
    long endS = System.currentTimeMillis() / 1000;
    assertTrue(endS >= startS + RESERVED_FOR_S - 1, "not before the end");
    assertEquals(1, sge(cell, "qrstat -ar " + number).status());
    sge(cell, "qdel beside").must();
    Path out = newest("inside.o");
    assertTrue(Long.parseLong(written(out).strip()) >= startS - 1, written(out));

    String mailed = "qrsub -d 600 -N later -m be -M root@nowhere";
    String later = sge(cell, mailed).must().replaceAll("\\D", "");
    assertTrue(site.run("pbs_rstat -f R" + later).must().contains("\nMail_Points = be\n"));
    assertEquals(1, sge(cell, "qalter -ar " + later + " beside").status());
    assertEquals(
        user.name() + " has deleted advance_reservation " + later + "\n",
        sge(cell, "qrdel -f " + later).must());
    assertEquals(
        "denied: advance_reservation \"99999999\" does not exist\n",
        sge(cell, "qrdel 99999999").out());
  }

  /** A file that a job has written. */
  private Path newest(String prefix) throws IOException {
    try (var files = Files.list(work)) {
      return files
          .filter(it -> it.getFileName().toString().startsWith(prefix))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Resources count as taken also when jobs take them that the user may not see. */
  private void othersCountAndAreNotShown(LiveCell cell, String runs) throws Exception {
    site.qmgr("set server query_other_jobs = False");
    String nobody = "export SGE_CELL=" + cell.name() + "; setpriv --reuid=65534 --regid=65534";
    String sge = nobody + " --clear-groups " + site.home().bin() + "/sge/";
    String full = site.run(sge + "qstat -f -u '*'").must();
    assertTrue(full.contains("all.q@show01                   BIP   0/1/2 "), full);
    assertFalse(full.contains(" lic2 ") || full.contains("PENDING"), full);
    assertEquals("", site.run(sge + "qstat -u '*'").must());
    Shell.Answer detail = site.run(sge + "qstat -j " + runs);
    assertEquals("Following jobs do not exist: \n" + runs + "\n", detail.err());
    site.qmgr("unset server query_other_jobs");
  }

  /** Sessions of a real Grid Engine, line by line, under its configuration. */
  @Test
  void linesOfRecordedSessions() throws Exception {
    Path recordings = site.checkout().resolve("../shared/transcripts/gridengine").normalize();
    if (!Files.isDirectory(recordings) || !Account.superuser()) {
      Assumptions.abort("recorded lines: they need root and recordings at " + recordings);
    }
    LiveCell cell = RecordedCell.make(site, "recorded");
    RecordedCell recorded =
        new RecordedCell(cell, Transcript.read(recordings.resolve("01-qconf-show.txt")));
    qmgr("set server acl_roots += root");
    // A Grid Engine shows all of a job to everybody.
    qmgr("set server query_other_jobs_in_full = True");
    Map<String, Account> users = new LinkedHashMap<>();
    // As long as the recorded user names, so that columns can be compared.
    users.put("sgeadmin", site.user("mrgeadmi"));
    users.put("alice", site.user("mrgea"));
    users.put("bob", site.user("mrb"));
    try {
      TranscriptReplay replay = new TranscriptReplay(cell, users, "gridengine");
      Map<String, String> startedBefore = new HashMap<>(STARTED_BEFORE);
      for (String name : TRANSCRIPTS) {
        replay.play(
            Transcript.read(recordings.resolve(name + ".txt")),
            line -> {
              recorded.looks(line);
              if (startedBefore.containsKey(line)) {
                cell.awaitRun(startedBefore.remove(line));
              } else if (line.equals("qdel -f 43")) {
                cell.awaitEnd("ff"); // the second time, when it was gone
              }
            });
      }
      System.out.println(replay.summary());
      replay.listed().forEach(line -> System.out.println("gridengine: listed: " + line));
      assertEquals("", replay.firstUnlisted(), replay::unlistedLines);
      if (Site.NIGHT) {
        String unused = String.join("\n", replay.different().unused());
        assertEquals("", unused, "reasons without a line");
      }
    } finally {
      qmgr("unset server query_other_jobs_in_full");
      cell.type("qdel -u '*'");
    }
  }

  /** Types a command that returns when its job has ended (-sync y). */
  private Shell.Answer synced(LiveCell cell, String line) throws Exception {
    return site.run(user, work, SYNC, cell.commands() + line);
  }

  private Shell.Answer sge(LiveCell cell, String line) {
    try {
      return cell.type(user, work, line);
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Content of a file; empty while it does not exist. */
  private static String written(Path file) {
    try {
      return Files.exists(file) ? Files.readString(file) : "";
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private String text(LiveCell cell, String line) {
    return sge(cell, line).out();
  }

  @Test
  void aWrongConfigurationChangesNothing() throws Exception {
    LiveCell cell = cell("wrong");
    Path config = Files.createTempDirectory(site.folder(), "wrong");
    Files.writeString(config.resolve("complex"), "slots s INT <= YES YES 1 1000\n");
    Files.writeString(config.resolve("sched"), "schedule_intervall 0:0:1\n");
    Shell.Answer refused = cell.policy(config);
    assertEquals(1, refused.status());
    assertTrue(
        refused.err().contains("sched:1: 'schedule_intervall' is no option"), refused.toString());
    assertEquals(
        "",
        sge(cell, "qstat -j")
            .must()
            .lines()
            .filter(l -> l.contains("sched:"))
            .findAny()
            .orElse(""));
  }
}
