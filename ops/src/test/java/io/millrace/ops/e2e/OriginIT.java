package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.installation.Installation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** An Origin2000 policy at work: three hosts, real scripts, and times that are shortened. */
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Shared(user = "mrorigin", site = SharedSite.OTHER_HOSTS)
class OriginIT {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final List<DayOfWeek> WEEKEND = List.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY);
  private static final List<String> HOSTS = List.of("orh1", "orh2", "orh3");

  private Site site;
  private Account user;
  private Path work;
  private Path folder;

  @BeforeAll
  void begin(Site shared, Account its) throws Exception {
    site = shared;
    user = its;
    work = site.folderOf(user, "work");
    folder = Files.createDirectory(site.folder().resolve("origin"));
    site.qmgr("create sched origin partition = PORIGIN");
    String kind = " queue_type=execution,enabled=True,started=True,partition=PORIGIN";
    site.qmgr("create queue orsubmit" + kind);
    site.qmgr("create queue ordedic" + kind);
    for (String host : HOSTS) {
      site.qmgr("create node " + host + " Mom=" + Installation.host(1));
      site.qmgr("set node " + host + " resources_available.ncpus=4");
      site.qmgr("set node " + host + " resources_available.mem=1gb");
      site.qmgr("set node " + host + " partition=PORIGIN");
      site.qmgr("create queue b" + host + kind + ",from_route_only=True");
      site.qmgr("set queue b" + host + " resources_max.ncpus=4");
      site.qmgr("set queue b" + host + " resources_max.mem=1gb");
      site.qmgr("set queue b" + host + " resources_max.walltime=1:00:00");
    }
  }

  @AfterAll
  void undo() throws Exception {
    site.run("qdel -W force $(qselect -u mrorigin)");
    Site.await(SOON, "no job is left", () -> site.told("qselect -q orsubmit").isEmpty());
    for (String host : HOSTS) {
      Site.await(SOON, "no run is left", () -> site.told("qselect -q b" + host).isEmpty());
      site.qmgr("delete queue b" + host);
      site.qmgr("delete node " + host);
    }
    site.qmgr("delete queue orsubmit");
    site.qmgr("delete queue ordedic");
    site.qmgr("delete sched origin");
  }

  private Shell.Answer load(String zone, String... options) throws Exception {
    return loadWith("borh1@orh1,borh2@orh2,borh3@orh3", zone, options);
  }

  private Shell.Answer loadWith(String queues, String zone, String... options) throws Exception {
    Files.writeString(
        folder.resolve("config"),
        "SUBMIT_QUEUE orsubmit\nBATCH_QUEUES "
            + queues
            + "\nSORT_BY_PAST_USAGE False\nTARGET_LOAD_PCT 100000\n"
            + String.join("\n", options)
            + "\n");
    return site.launcher("policy load origin " + folder + " --zone " + zone, "");
  }

  private String submit(String options, String command) throws Exception {
    String line = "echo '" + command + "' | qsub -q orsubmit -l " + options;
    return site.run(user, work, line).must().strip();
  }

  private String queue(String job) throws Exception {
    return site.job(job).path("queue").asText();
  }

  /**
   * The zone, a whole number of hours off, in which it is nearest to noon of a working day: prime
   * time is on working days only. Where it is one nowhere, in which it is about noon.
   */
  private static ZoneOffset noon() {
    Instant now = Instant.now();
    int hour = now.atZone(ZoneOffset.UTC).getHour();
    return IntStream.rangeClosed(-12, 14)
        .mapToObj(ZoneOffset::ofHours)
        .filter(zone -> works(now.atZone(zone)))
        .min(Comparator.comparingInt(zone -> Math.abs(now.atZone(zone).getHour() - 12)))
        .orElse(ZoneOffset.ofHours(12 - hour));
  }

  /** On a working day, some hours from midnight. */
  private static boolean works(ZonedDateTime time) {
    return !WEEKEND.contains(time.getDayOfWeek()) && time.getHour() >= 3 && time.getHour() <= 20;
  }

  @Test
  @Tag("night")
  void jobsGoToTheirQueuesAndTheLongWaitForTheEndOfPrimeTimeOrUntilTheyAreOutstanding()
      throws Exception {
    Shell.Answer loaded = load("UTC");
    assertTrue(loaded.must().contains("scheduler origin decides by config"), loaded.toString());
    String write = "echo $PBS_QUEUE > $PBS_O_WORKDIR/";
    String first = submit("ncpus=4,walltime=40", write + "first; sleep 2");
    String second = submit("ncpus=4,walltime=50", "sleep 2");
    String third = submit("ncpus=4,walltime=10:00", "sleep 600");
    String never = submit("ncpus=4,walltime=2:00:00", "sleep 1");
    String fourth = submit("ncpus=4,walltime=15:00", write + "fourth; sleep 1");
    site.qmgr("set sched origin scheduling=True");
    site.awaitState(first, "F");
    site.awaitState(second, "F");
    assertTrue(Files.readString(work.resolve("first")).startsWith("borh"), "where it ran");
    assertEquals("R", site.state(third));
    assertTrue(queue(third).startsWith("borh"), "moved and started at once");
    site.awaitState(never, "F");
    assertTrue(site.told("tracejob " + never).contains("Job will not fit on any execution queue"));
    site.awaitState(fourth, "F");
    assertTrue(Files.readString(work.resolve("fourth")).startsWith("borh"));
    site.run("qdel -W force " + third).must();

    ZoneOffset zone = noon();
    ZonedDateTime now = Instant.now().atZone(zone);
    String primeFrom = String.format("%tT", now.plusSeconds(6));
    String primeTo = String.format("%tT", now.plusHours(1));
    load(
            zone.getId(),
            "ENFORCE_PRIME_TIME True",
            "PRIME_TIME_START " + primeFrom,
            "PRIME_TIME_END " + primeTo,
            "PRIME_TIME_WALLT_LIMIT 0:00:05",
            "MAX_QUEUED_TIME 0:00:25")
        .must();
    String inPrime = submit("ncpus=2,walltime=60", "sleep 1");
    if (!WEEKEND.contains(now.getDayOfWeek())) {
      String comment = "Exceeds primetime walltime limit (00:00:05)";
      Site.await(SOON, comment, () -> site.told("qstat -f -F json " + inPrime).contains(comment));
    }
    String brief = submit("ncpus=2,walltime=5", "sleep 1");
    site.awaitState(brief, "F");
    site.awaitState(inPrime, "F"); // in prime time all the same: it is outstanding
  }

  /** A line of the program that tells dedicated times. */
  private static String dedicated(ZonedDateTime begin) {
    ZonedDateTime end = begin.plusHours(2);
    return String.format("orh1 %1$tm/%1$td/%1$tY %1$tR-%2$tR %2$tm/%2$td/%2$tY%n", begin, end);
  }

  @Test
  void aHostIsEmptyInItsDedicatedTimeButForItsDedicatedQueue() throws Exception {
    ZoneOffset zone = noon();
    ZonedDateTime now = Instant.now().atZone(zone);
    Path outside = Files.createDirectory(site.folder().resolve("origin-times"));
    Path times = Files.writeString(outside.resolve("times"), dedicated(now.minusMinutes(1)));
    Path program = outside.resolve("program");
    Files.writeString(program, "#!/bin/sh\n[ \"$1\" = orh1 ] && cat " + times + "\n");
    Set<PosixFilePermission> all = PosixFilePermissions.fromString("rwxr-xr-x");
    Files.setPosixFilePermissions(outside, all);
    Files.setPosixFilePermissions(program, all);
    loadWith(
            "borh1@orh1",
            zone.getId(),
            "DEDICATED_QUEUES ordedic@orh1",
            "ENFORCE_DEDICATED_TIME True",
            "DEDICATED_TIME_COMMAND " + program)
        .must();
    site.qmgr("set sched origin scheduling=True");
    String other = submit("ncpus=4,walltime=60", "sleep 1");
    String within =
        site.run(user, work, "echo 'sleep 1' | qsub -q ordedic -l ncpus=4,walltime=60")
            .must()
            .strip();
    site.awaitState(within, "F");
    assertEquals("Q", site.state(other), "the host is not for others");
    Files.writeString(times, dedicated(now.plusMinutes(50)));
    site.awaitState(other, "F");
    String crosses = submit("ncpus=4,walltime=1:00:00", "sleep 1");
    String comment = "Can't complete before next dedicated time (orh1";
    Site.await(SOON, comment, () -> site.told("qstat -f -F json " + crosses).contains(comment));
    String shown = site.qmgr("list sched origin policy_inputs");
    assertTrue(shown.contains("dedicated_time:orh1=orh1 "), shown);
    site.run("qdel " + crosses).must();
  }

  @Test
  void whatALiveSchedulerCannotDoIsRefused() throws Exception {
    Shell.Answer refused = load("UTC", "FAKE_MACHINE_MULT 2");
    assertEquals(1, refused.status());
    assertTrue(refused.err().contains("FAKE_MACHINE_MULT: a live host"), refused.toString());
    load("UTC").must();
    assertTrue(site.launcher("policy show origin", "").must().contains("=== config\n"));
    assertTrue(site.qmgr("list sched origin policy").contains("policy = origin2000"));
  }
}
