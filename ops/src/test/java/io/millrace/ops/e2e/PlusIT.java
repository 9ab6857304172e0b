package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** PluS's commands from the shell. The default partition has one host. */
@Order(2)
@Shared(user = "mrplus", site = "second")
class PlusIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss");

  private final String start = LocalDateTime.now().plusHours(2).format(FORM);

  @Test
  void nodesAreReserved(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "work");
    String reserve = "plus_reserve -s " + start + " -D 600 -n 1";
    String name = site.run(user, work, reserve + " -ncpu 2 -sgeq workq").must().strip();
    assertTrue(name.matches("R\\d+"), name);
    Shell.Answer full = site.run(user, work, reserve);
    assertEquals(1, full.status());
    assertTrue(full.err().startsWith("plus_reserve: denied: too little is free"), full::err);
    assertEquals(2, site.run(user, work, reserve + " -p").status());
    site.run(user, work, "plus_modify -r " + name + " -D 1200").must();
    String shown = site.run(user, work, "plus_status -x -r " + name).must();
    assertTrue(shown.contains(" state=\"CONFIRMED\""), shown);
    assertTrue(shown.contains("<node name="), shown);
    assertTrue(site.run(user, work, "plus_status -o mrplus").must().contains("\n" + name + " "));

    assertEquals(1, site.run(user, work, "plus_schedkill").status());
    site.run("plus_schedkill").must();
    assertTrue(site.qmgr("list sched default scheduling").contains("scheduling = False"));
    assertTrue(site.run("plus_scheduler").must().startsWith("scheduler default decides"));

    transactions(site, user, work, name);

    String job = site.run(user, work, "qsub -q " + name + " -- /bin/true").must().strip();
    assertEquals("Q", site.state(job));
    site.run(user, work, "plus_cancel -r " + name).must();
    site.awaitState(job, "F");
    Site.await(PATIENCE, "it is among the past", () -> isPast(site, name));
    site.run(user, work, "plus_destroy -r " + name).must();
    assertEquals(1, site.run(user, work, "plus_status -ne 5 -r " + name).status());
    Shell.Answer again = site.run(user, work, "plus_cancel -r " + name);
    assertEquals("plus_cancel: Unknown Reservation Id " + name + "\n", again.err());
    assertEquals(1, again.status());
  }

  @Test
  void anAdministratorsTextSaysWhoMayReserve(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "work-text");
    String later = LocalDateTime.now().plusHours(20).format(FORM);
    String end = LocalDateTime.now().plusHours(21).format(FORM);
    String reserve = "plus_reserve -s " + later + " -e " + end + " -n 1";
    String free = "plus_availnodes -s " + later + " -e " + end;
    Path file = site.home().root().resolve("server_priv/reservable.ad");
    Files.createDirectories(file.getParent());
    Files.writeString(file, "PLUS_NODE_RESERVABLE = PLUS_RSV_OWNER != \"mrplus\"\n");
    Site.await(PATIENCE, "the file counts", () -> shown(site).contains("reservable_ad"));
    Shell.Answer denied = site.run(user, work, reserve);
    assertEquals(1, denied.status());
    assertTrue(denied.err().contains("PLUS_NODE_RESERVABLE is false for "), denied::err);
    assertTrue(site.run(user, work, free).must().contains("pbs-default 0\n"));
    Files.writeString(file, "PLUS_NODE_RESERVABLE = \n");

    Path own =
        Files.writeString(site.home().root().resolve("own.ad"), "PLUS_NODE_RESERVABLE = true\n");
    site.launcher("policy", "load default " + own).must();
    assertTrue(site.run(user, work, free).must().contains("pbs-default 1\n"));
    String name = site.run(user, work, reserve).must().strip();
    site.run(user, work, "plus_destroy -r " + name).must();
    site.qmgr("unset sched default reservable_ad");
    assertEquals(1, site.run(user, work, reserve).status(), "the text before stays");
    Files.delete(file);
    Site.await(PATIENCE, "it counts no more", () -> !shown(site).contains("reservable_ad"));
    name = site.run(user, work, reserve).must().strip();
    site.run(user, work, "plus_destroy -r " + name).must();
  }

  /** The partitions p1 and p2 are in other shards than the default one. */
  @Test
  void allPartsOrNone(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "work-parts");
    String window = " -D 600 -s " + LocalDateTime.now().plusHours(40).format(FORM);
    String both = "plus_reserve --at p1=1,p2=1" + window;
    String name = site.run(user, work, both).must().strip();
    assertTrue(name.matches("W\\d+"), name);
    List<String> rows =
        site.run(user, work, "plus_status -r " + name).must().lines().skip(1).toList();
    assertEquals(3, rows.size(), rows::toString);
    assertTrue(rows.stream().allMatch(it -> it.contains(" CONFIRMED ")), rows::toString);

    Shell.Answer half = site.run(user, work, "plus_reserve --at pbs-default=1,p2=1" + window);
    assertEquals(1, half.status());
    assertTrue(half.err().startsWith("plus_reserve: denied: p2: too little is free"), half::err);
    String alone = site.run(user, work, "plus_reserve -n 1" + window).must().strip();
    site.run(user, work, "plus_destroy -r " + alone).must();

    if (Site.NIGHT) {
      Site.kill(List.of(site.processes().get("server")));
      site.up("").must();
    }
    String part = rows.get(1).split(" ")[0];
    Shell.Answer refused = site.run(user, work, "pbs_rdel " + part);
    assertTrue(refused.err().contains("it is a part of " + name), refused::err);
    String why = site.run(user, work, "why " + name).must();
    assertTrue(why.contains("all 2 parts are there"), why);
    site.run("pbs_rdel " + part).must();
    why = site.run(user, work, "why " + name).must();
    assertTrue(why.contains("1 of 2 parts are missing. p1: " + part + " deleted by"), why);
    site.run(user, work, "plus_cancel -r " + name).must();
    assertEquals(1, site.run(user, work, "plus_status -r " + name).status());
    String again = site.run(user, work, both).must().strip();
    site.run(user, work, "plus_destroy -r " + again).must();
  }

  private static String shown(Site site) throws IOException, InterruptedException {
    return site.qmgr("list server");
  }

  /** At night the server is killed while they are open. */
  private void transactions(Site site, Account user, Path work, String name) throws Exception {
    String later = LocalDateTime.now().plusHours(5).format(FORM);
    String made =
        site.run(user, work, "plus_reserve -T -s " + later + " -D 600 -n 1").must().strip();
    site.run(user, work, "plus_modify -T -r " + name + " -D 3000").must();
    if (Site.NIGHT) {
      Site.kill(List.of(site.processes().get("server")));
      site.up("").must();
    }
    String shown = site.run(user, work, "plus_status").must();
    assertTrue(shown.contains(" CONFIRMED+modify "), shown);
    assertTrue(shown.contains(" CONFIRMED+reserve "), shown);
    // The end of what is to be is held already.
    String beside =
        "plus_reserve -n 1 -D 60 -s "
            + LocalDateTime.parse(start, FORM).plusSeconds(2900).format(FORM);
    assertEquals(1, site.run(user, work, beside).status());
    site.run(user, work, "plus_abort -r " + name).must();
    String free = site.run(user, work, beside).must().strip();
    site.run(user, work, "plus_cancel -r " + free).must();
    site.run(user, work, "plus_commit -r " + made).must();
    assertEquals(1, site.run(user, work, "plus_commit -r " + made).status());
    site.run(user, work, "plus_destroy -r " + made).must();
  }

  private static boolean isPast(Site site, String name) throws IOException, InterruptedException {
    return site.run("plus_status -ne 5 -r " + name).out().contains(" DELETED ");
  }
}
