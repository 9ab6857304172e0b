package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import org.junit.jupiter.api.Test;

/** PluS's commands from the shell. The default partition has one host. */
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

  private static boolean isPast(Site site, String name) {
    try {
      return site.run("plus_status -ne 5 -r " + name).out().contains(" DELETED ");
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
