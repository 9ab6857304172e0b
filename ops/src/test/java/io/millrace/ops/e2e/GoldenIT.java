package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Recorded sessions of a real OpenPBS, typed into a running Millrace. What the gateway decides
 * alone is compared elsewhere without a running system; here it is what depends on jobs, states and
 * rights. At night also exit codes, reservations, and on a second installation qmgr's objects.
 */
@Order(1)
@Beside
class GoldenIT {

  /**
   * Least fraction of lines that must equal the recording; the differing ones have known reasons.
   */
  private static final double SHARE_MIN = 0.85;

  /** The same of each recording about schedulers and partitions, and about reservations. */
  private static final Map<String, Double> OF_RECORDINGS_MIN =
      Map.of(
          "03_qmgr_sched_objects", 0.93,
          "05_queues_nodes_partitions", 0.96,
          "06_sched_daemons", 0.88,
          "10_reservations", 0.88,
          "11_reservations_running_maintenance", 0.76);

  /** Those about reservations, of which together so much is as recorded as of all. */
  private static final List<String> OF_RESERVATIONS =
      List.of("10_reservations", "11_reservations_running_maintenance");

  /** With longer server names job ids would be cut in tables of seventeen columns. */
  private static final int SERVER_CHARS_MAX = 12;

  /** The recordings contain no node that is down, as a silent one on a busy machine would be. */
  private static final String UNHEARD = "set server max_unheard = 300";

  /** As in PBS, where each user sees the variables and arguments of all jobs. */
  private static final String IN_FULL = "query_other_jobs_in_full";

  /** A user looks at another one's job here; the sessions before show the server's attributes. */
  private static final String SHOWN_IN_FULL = "09_job_operations";

  /** Number of the query of job 30 before which its scheduler was switched off. */
  private static final int LOOK_WHEN_OFF = 5;

  private static final Duration SOON = Duration.ofSeconds(180);

  private static final LocalDateTime RESERVATIONS_BEGAN = LocalDateTime.of(2026, 11, 20, 15, 40);
  private static final LocalDateTime RUNNING_BEGAN = LocalDateTime.of(2026, 11, 20, 15, 42);

  /** A first window begins in the 59th second of a minute: what comes before takes so many. */
  private static final int BEFORE_S = 10;

  private Site site;
  private int looks;
  private final Map<String, Account> users = new LinkedHashMap<>();

  @BeforeEach
  void up() throws Exception {
    site = Site.prepare("golden");
    partitions(site, 2);
  }

  /** Nodes, partitions and queues as the recorded server had them. */
  private static void partitions(Site site, int shards) throws IOException, InterruptedException {
    site.up("--shards " + shards + " --resources ncpus=8,mem=2gb").must();
    vnodes(site);
    for (String line :
        List.of(
            "create sched multi_sched_1",
            "set sched multi_sched_1 partition = P1, scheduling = True",
            "set node vm[0],vm[1],vm[2] partition = P1",
            "set node vm[3],vm[4],vm[5] partition = P2",
            "create queue wq1 queue_type=execution,enabled=True,started=True,partition=P1",
            "create queue wq2 queue_type=execution,enabled=True,started=True,partition=P2",
            "set server job_history_enable = True",
            UNHEARD)) {
      site.run("qmgr -c '" + line + "'").must();
    }
  }

  @AfterEach
  void down() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  @Test
  void sessionsOfAnOpenPbs() throws Exception {
    if (!Account.superuser()) {
      Assumptions.abort("the sessions are of root and two ordinary users");
    }
    users.put("pbsu1", site.user("mrgo1"));
    users.put("pbsu2", site.user("mrgo2"));
    Path work = users.get("pbsu1").home();
    String server = site.run("qstat -B | awk 'END {print $1}'").must().strip();
    if (server.length() > SERVER_CHARS_MAX) {
      // Tables would cut ids that the recording, whose server is "vm", shows whole.
      Assumptions.abort("the server's name is too long: " + server);
    }
    Replay replay = new Replay(site, users, work, server);
    Path recordings = site.checkout().resolve("../shared/transcripts/openpbs").normalize();
    Path excerpt = Path.of(getClass().getResource("/golden/excerpt.txt").toURI());
    boolean all = Files.isDirectory(recordings);
    String accounts = "";
    if (all) {
      List<String> exits = Site.NIGHT ? List.of("07_usage_exit_codes") : List.of();
      List<String> jobs = List.of("08_jobs_submit_query", SHOWN_IN_FULL);
      for (String name : Stream.of(exits, jobs).flatMap(List::stream).toList()) {
        boolean inFull = name.equals(SHOWN_IN_FULL);
        site.qmgr(inFull ? "set server " + IN_FULL + " = True" : "unset server " + IN_FULL);
        replay.play(
            Recording.read(recordings.resolve(name + ".txt")), line -> settles(replay, line));
        site.qmgr("set server scheduling = True");
        site.qmgr("set sched multi_sched_1 scheduling = True");
      }
      site.qmgr("unset server " + IN_FULL);
      accounts = accounts(replay, recordings.resolve("09_job_operations.txt"), server);
      if (Site.NIGHT) {
        accounts += reservations(replay, recordings, server);
        replay.play(Recording.read(excerpt));
        objects(replay, recordings);
        new RecordedDaemons(replay, recordings.resolve("06_sched_daemons.txt")).play();
      }
    } else {
      replay.play(Recording.read(excerpt));
      System.out.println("golden: no recordings at " + recordings + ": the excerpt only");
    }
    System.out.println(replay.summary());
    System.out.println(replay.shares());
    replay.listed().forEach(line -> System.out.println("golden: listed: " + line));
    assertEquals("", String.join("\n", replay.unlisted()) + accounts);
    if (all) {
      assertTrue(replay.share() >= SHARE_MIN, replay.summary());
    }
    if (all && Site.NIGHT) {
      for (Map.Entry<String, Double> its : OF_RECORDINGS_MIN.entrySet()) {
        assertTrue(
            replay.shares().of(List.of(its.getKey())) >= its.getValue(),
            its + "\n" + replay.shares());
      }
      assertTrue(
          replay.shares().of(OF_RESERVATIONS) >= SHARE_MIN, () -> replay.shares().toString());
      assertEquals("", String.join("\n", replay.unused()), "reasons that explain nothing");
    }
  }

  /**
   * Sessions about reservations, whose times lie as far ahead as the recorded ones did, on an
   * installation of one shard: the recorded server is one, too, and made one reservation of hosts
   * with nodes in several partitions.
   */
  private String reservations(Replay replay, Path recordings, String server) throws Exception {
    try (Site one = Site.prepare("reserving")) {
      partitions(one, 1);
      replay.moveTo(one);
      // A time that the recorded server took for one of the next day is in the past here.
      LocalDateTime begin = LocalDateTime.now().truncatedTo(ChronoUnit.MINUTES).minusMinutes(2);
      RecordedReservations planned = new RecordedReservations(RESERVATIONS_BEGAN, begin);
      Recording first = Recording.read(recordings.resolve("10_reservations.txt"));
      replay.with(planned);
      replay.play(first);
      LocalDateTime soon =
          LocalDateTime.now().plusSeconds(BEFORE_S).truncatedTo(ChronoUnit.MINUTES);
      RecordedReservations running = new RecordedReservations(RUNNING_BEGAN, soon);
      Recording second =
          Recording.read(recordings.resolve("11_reservations_running_maintenance.txt"));
      replay.with(running);
      replay.play(second, line -> reservationsAre(one, line));
      replay.with(null);
      replay.moveTo(site);
      RecordedReservationAccounts accounts = new RecordedReservationAccounts(users, server);
      accounts.add(first, planned);
      accounts.add(second, running);
      Path folder = one.home().accounting();
      Polling.within(SOON, () -> accounts.differences(folder).isEmpty());
      List<String> differences = new ArrayList<>(accounts.differences(folder));
      System.out.println(accounts.summary());
      differences.addAll(accounts.unused());
      return String.join("\n", differences);
    }
  }

  private static void reservationsAre(Site one, String line)
      throws IOException, InterruptedException {
    if (line.startsWith("qsub -N tomove ")) {
      Site.await(SOON, "the window is over", () -> one.told("pbs_rstat").isEmpty());
    } else if (line.startsWith("qsub -q wq1 -N crfj ")) {
      // The recorded scheduler of that partition started none of the jobs that follow.
      one.qmgr("set sched multi_sched_1 scheduling = False");
    } else if (line.equals("qmgr -c 's n vm[6] state=offline'")) {
      // The recorded scheduler looked for no other node in the seconds that follow.
      one.qmgr("set server scheduling = False");
    } else if (line.startsWith("qmgr -c 's n vm[6] state=free'")) {
      one.qmgr("set server scheduling = True");
    }
  }

  /** Waits for what the recorded user had waited for before he typed this line. */
  private void settles(Replay replay, String line) throws IOException, InterruptedException {
    if (line.startsWith("qstat -f 30 ") && ++looks == LOOK_WHEN_OFF) {
      // The job's reported reason is withdrawn when the scheduler learns that it is switched off.
      String look = "qstat -f " + replay.id("30");
      Site.await(SOON, "nothing is told of job 30", () -> isSilent(site.told(look)));
    } else if (line.matches("qmgr -c \"u [sq] .*; qmgr -c \"s s scheduling=true\"")) {
      // Here a job would start as soon as one limit is removed, before the next one is set.
      site.qmgr("set server scheduling = False");
    } else if (line.equals("qmgr -c \"u q wq1 partition\"")) {
      // The recorded scheduler of the queue's next partition had not been told of its jobs.
      site.qmgr("set server scheduling = False");
    } else if (line.equals("qdel  28 29 30")) {
      // Here the third job would start before it is deleted.
      site.qmgr("set server scheduling = False");
    } else if (line.equals("qdel 41 42 43 44")) {
      site.qmgr("set sched multi_sched_1 scheduling = False");
    } else if (line.equals("qalter -N x 45")) {
      // The recorded host had reported that the run had begun.
      String look = "qstat -f " + replay.id("45");
      Site.await(SOON, "it has begun", () -> site.told(look).contains("substate = 42\n"));
    } else if (line.equals("qmove wq1 46")) {
      // No scheduler of that partition ran during the recording.
      site.qmgr("set sched multi_sched_1 scheduling = False");
    } else if (line.equals("qdel 62 63")) {
      site.awaitState(replay.id("63"), "F");
    }
  }

  /**
   * Compares accounting records, with the known differences for jobs of two recordings that the
   * second one shows.
   */
  private String accounts(Replay replay, Path recording, String server) throws Exception {
    RecordedAccounts accounts =
        new RecordedAccounts(
            Recording.read(recording), replay.numbers(), replay.longer(), users, server);
    Path folder = site.home().accounting();
    Site.await(SOON, "the last line is accounted", () -> accounts.complete(folder));
    List<String> differences = new ArrayList<>(accounts.differences(folder));
    System.out.println(accounts.summary());
    differences.addAll(accounts.unused());
    return String.join("\n", differences);
  }

  private static boolean isSilent(String job) {
    return job.contains("job_state = Q") && !job.contains("comment = ");
  }

  /**
   * Sessions about the server, schedulers, nodes and queues, started on a fresh installation in
   * which no scheduler but the first has an engine, as none other ever ran in the recordings.
   */
  private void objects(Replay replay, Path recordings) throws Exception {
    try (Site fresh = Site.prepare("objects")) {
      String engines = " --apart-engine default,multi_sched_1,sc2";
      fresh.up("--no-keeper --shards 4 --resources ncpus=2,mem=24684084kb" + engines).must();
      Map<String, ProcessHandle> parts = fresh.processes();
      Site.kill(List.of(parts.get("engine-multi_sched_1"), parts.get("engine-sc2")));
      fresh.run("qmgr -c '" + UNHEARD + "'").must();
      replay.moveTo(fresh);
      for (String name :
          List.of(
              "02_fresh_defaults",
              "03_qmgr_sched_objects",
              "04_nodes_vnodes",
              "05_queues_nodes_partitions")) {
        Replay.Before before = line -> objectsAre(fresh, line);
        replay.play(Recording.read(recordings.resolve(name + ".txt")), before);
      }
    }
  }

  /** Brings the installation into the state that the recorded one had when this line was typed. */
  private static void objectsAre(Site fresh, String line) throws IOException, InterruptedException {
    if (line.startsWith("kill -HUP")) {
      vnodes(fresh);
    } else if (line.equals("qmgr -c \"d sched\"")) {
      // The next lines show what is left after it; here the deletion needs an explicit command.
      fresh.qmgr("delete sched @default");
    } else if (line.equals("qmgr -c \"s sched multi_sched_1 nosuchattr=5\"")) {
      // The recorded scheduler had no depth of its own.
      fresh.qmgr("unset sched multi_sched_1 backfill_depth");
    } else if (line.startsWith("qmgr -c \"s sched multi_sched_1 job_sort_formula=\\\"2")) {
      // The recorded server had refused the formula, because it had no directory of its scheduler.
      fresh.qmgr("unset server job_sort_formula");
    }
  }

  /** The recorded host is told of its vnodes by a file, when its daemon reads it anew. */
  private static void vnodes(Site site) throws IOException, InterruptedException {
    String host = site.run("qstat -B | awk 'END {print $1}'").must().strip();
    String none = "resources_available.ncpus=0,resources_available.mem=0";
    String some = "resources_available.ncpus=8,resources_available.mem=2gb";
    site.qmgr("set node " + host + " " + none);
    for (int vnode = 0; vnode < 8; vnode++) {
      site.qmgr("create node vm[" + vnode + "] Mom=" + host + "," + some);
    }
  }
}
