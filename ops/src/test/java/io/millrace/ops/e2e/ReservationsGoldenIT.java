package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Recorded sessions of a real OpenPBS about reservations, typed into a running Millrace: as in
 * {@link GoldenIT}, on the same nodes.
 */
@Order(1)
@Beside
class ReservationsGoldenIT {

  /** Least fraction of lines that must equal the recording, of those that apply. */
  private static final double SHARE_MIN = 0.85;

  /** Longer ids would be cut in the short list. */
  private static final int SERVER_CHARS_MAX = 6;

  private Site site;

  @BeforeEach
  void up() throws Exception {
    site = Site.prepare("reserved");
    site.up("--shards 4 --resources ncpus=8,mem=2gb").must();
    String host = site.run("qstat -B | awk 'END {print $1}'").must().strip();
    String none = "resources_available.ncpus=0,resources_available.mem=0";
    site.qmgr("set node " + host + " " + none);
    for (int vnode = 0; vnode < 8; vnode++) {
      String some = "resources_available.ncpus=8,resources_available.mem=2gb";
      site.qmgr("create node vm[" + vnode + "] Mom=" + host + "," + some);
    }
    for (String line :
        List.of(
            "create sched multi_sched_1",
            "set sched multi_sched_1 partition = P1, scheduling = True",
            "set node vm[0],vm[1],vm[2] partition = P1",
            "set node vm[3],vm[4],vm[5] partition = P2",
            "create queue wq1 queue_type=execution,enabled=True,started=True,partition=P1",
            "create queue wq2 queue_type=execution,enabled=True,started=True,partition=P2",
            "set server max_unheard = 300")) {
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
    Path recordings = site.checkout().resolve("../shared/transcripts/openpbs").normalize();
    String server = site.run("qstat -B | awk 'END {print $1}'").must().strip();
    if (!Account.superuser() || !Files.isDirectory(recordings)) {
      System.out.println("golden: SKIPPED: no recordings at " + recordings + ", or not root");
      return;
    }
    if (server.length() > SERVER_CHARS_MAX) {
      System.out.println("golden: the server's name is long, the short list is cut: " + server);
    }
    Map<String, Account> users = new LinkedHashMap<>();
    users.put("pbsu1", site.user("mrrsv1"));
    users.put("pbsu2", site.user("mrrsv2"));
    Path work = users.get("pbsu1").home();
    ReservationReplay replay = new ReservationReplay(site, users, work, server);
    LocalDateTime ten = LocalDateTime.parse("2026-11-20T15:40:52");
    replay.play(
        Recording.read(recordings.resolve("10_reservations.txt")), true, line -> ten, line -> {});
    replay.play(
        Recording.read(recordings.resolve("11_reservations_running_maintenance.txt")),
        false,
        line ->
            LocalDateTime.parse(
                line.contains("1542.59") ? "2026-11-20T15:42:53" : "2026-11-20T15:43:31"),
        line -> {});
    System.out.println(replay.summary());
    replay.listed().forEach(line -> System.out.println("golden: listed: " + line));
    assertEquals("", String.join("\n", replay.unlisted()));
    assertTrue(replay.share() >= SHARE_MIN, replay.summary());
    assertEquals("", String.join("\n", replay.unused()), "reasons that explain nothing");
  }
}
