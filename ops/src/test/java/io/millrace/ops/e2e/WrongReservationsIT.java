package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * What cannot be reserved, from the shell: one clear line, an exit status that says so, and nothing
 * is held; afterwards nodes are reserved as before.
 */
@Order(2)
@Shared(user = "mrwrong", site = "second")
class WrongReservationsIT {

  private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss");
  private static final String RULE = "PBS_TZID=Europe/Berlin pbs_rsub -R 203001011200 -D ";
  private static final int MEGABYTES = 10;

  /** A line, the exit status, and the line that is said. */
  private record Wrong(String line, int status, String said) {}

  private static final List<Wrong> OF_PBS =
      List.of(
          new Wrong("pbs_rsub -R 202001010000 -D 60", 238, "Bad time specification(s)"),
          new Wrong("pbs_rsub -R 203001020000 -E 203001010000", 238, "Bad time specification(s)"),
          new Wrong("pbs_rsub -R 203001010000 -D 0", 238, "Bad time specification(s)"),
          new Wrong("pbs_rsub -R 9999 -D 60", 2, "illegal -R time value"),
          new Wrong("pbs_rsub -R 01320000 -D 60", 2, "illegal -R time value"),
          new Wrong(RULE + "60 -r 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=2'", 238, "Bad time"),
          new Wrong(RULE + "60 -r 'FREQ=DAILY;COUNT=100000'", 238, "Bad time specification(s): at"),
          new Wrong(RULE + "8784:0:0 -r 'FREQ=YEARLY;COUNT=2'", 22, "YEARLY recurrence duration"),
          new Wrong(RULE + "745:0:0 -r 'FREQ=MONTHLY;COUNT=2'", 23, "MONTHLY recurrence duration"),
          new Wrong(RULE + "25:0:0 -r 'FREQ=WEEKLY;BYDAY=MO,TU;COUNT=4'", 238, "Bad time specif"),
          new Wrong(RULE + "366:0:0 -r 'FREQ=WEEKLY;COUNT=2'", 24, "WEEKLY recurrence duration"),
          new Wrong(RULE + "25:0:0 -r 'FREQ=DAILY;COUNT=2'", 25, "DAILY recurrence duration"),
          new Wrong(RULE + "3601 -r 'FREQ=HOURLY;COUNT=2'", 26, "HOURLY recurrence duration"),
          new Wrong(RULE + "61 -r 'FREQ=MINUTELY;COUNT=2'", 27, "MINUTELY recurrence duration"),
          new Wrong(RULE + "2 -r 'FREQ=SECONDLY;COUNT=2'", 28, "SECONDLY recurrence duration"),
          new Wrong(RULE + "60 -r 'FREQ=BOGUS'", 29, "Undefined iCalendar syntax"),
          new Wrong(RULE + "60 -r FREQ=DAILY", 30, "Undefined iCalendar syntax. A valid COUNT"),
          new Wrong("pbs_rsub -R 203001010000 -D 60 -p nosuch", 2, "unknown partition: nosuch"),
          new Wrong("pbs_rsub -R 203001010000 -D 60 -l nosuch=1", 187, "Unknown resource Resource"),
          new Wrong("pbs_rsub -R 203001010000 -D 60 -N " + "n".repeat(231), 2, "Reservation name"),
          new Wrong("pbs_rsub --job 99999999", 153, "Unknown Job Id"),
          new Wrong("pbs_ralter -D 60 R99999999", 236, "Unknown Reservation Id"),
          new Wrong("pbs_rdel R99999999", 236, "Unknown Reservation Id"),
          new Wrong("pbs_rstat R99999999", 0, "Unknown Reservation Id"));

  private static final List<Wrong> OF_PLUS =
      List.of(
          new Wrong("plus_reserve -s 202001010000 -D 60 -n 1", 1, "Bad time specification(s)"),
          new Wrong("plus_reserve -s 01320000 -D 60 -n 1", 2, "option -s: no time: 01320000"),
          new Wrong(
              "plus_reserve -s 203001020000 -e 203001010000 -n 1", 1, "Bad time specification(s)"),
          new Wrong("plus_reserve -s 203001010000 -D 0 -n 1", 1, "Bad time specification(s)"),
          new Wrong("plus_reserve -s 203001010000 -D 60 -n 1 -sgeq nosuch", 1, "unknown queue: no"),
          new Wrong("plus_reserve -s 203001010000 -D 60 -n 1 -l nosuch=1", 1, "Unknown resource"),
          new Wrong("plus_reserve -s 203001010000 -D 60 -n 1 -U nosuch", 1, "option -U: unknown u"),
          new Wrong("plus_reserve -s 203001010000 -D 60 --at p1=1,p1=1", 2, "option --at: p1 is"),
          new Wrong("plus_reserve -s 203001010000 -D 60 --at nosuch=1", 1, "unknown partition"),
          new Wrong(
              "plus_reserve -s 203001010000 -D 60 --at nosuch:p1=1", 1, "no other installations"),
          new Wrong("plus_reserve -s 203001010000 -D 60 -n 4000", 1, "denied: the nodes of"),
          new Wrong("plus_commit -r R99999999", 1, "Unknown Reservation Id R99999999"),
          new Wrong("plus_abort -r R99999999", 1, "Unknown Reservation Id R99999999"),
          new Wrong("plus_cancel -T -o mrwrong", 2, "options -o and -T exclude each other"));

  @Test
  void whatCannotBeReservedIsRefusedInOneLine(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "work");
    List<String> different = new ArrayList<>();
    for (List<Wrong> lines : List.of(OF_PBS, OF_PLUS)) {
      for (Wrong wrong : lines) {
        Shell.Answer answer = site.run(user, work, wrong.line());
        String command = wrong.line().replaceFirst("^PBS_TZID=\\S+ ", "").split(" ")[0];
        boolean told = answer.err().startsWith(command + ": " + wrong.said());
        // The usage stands behind the line of one that cannot be read.
        boolean usage = answer.err().lines().skip(1).findFirst().orElse("").startsWith("usage: ");
        boolean oneLine = usage || answer.err().lines().count() == 1;
        oneLine &= answer.out().isEmpty();
        if (answer.status() != wrong.status() || !told || !oneLine) {
          different.add(wrong.line() + ": " + answer);
        }
      }
    }
    assertEquals("", String.join("\n", different));
    assertEquals("", site.run(user, work, "pbs_rstat").must(), "nothing is held");
    assertReserved(site, user, work);
  }

  /** The longest that there is, and one that never fits. */
  @Test
  void theGreatest(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "work-great");
    String years = "pbs_rsub -I 10 -p p1 -R 203001010000 -D 4291833600";
    String[] made = site.run(user, work, years).must().strip().split(" ");
    assertEquals("CONFIRMED", made[1], "136 years");
    site.run(user, work, "pbs_rdel " + made[0]).must();
    String large = "pbs_rsub -I 10 -R 203001010000 -D 60 -l select=1:ncpus=5000";
    String[] never = site.run(user, work, large).must().strip().split(" ");
    assertEquals("DENIED", never[1]);
    String why = site.run(user, work, "why " + never[0]).must();
    assertTrue(why.contains("ncpus"), why);
    site.qmgr("set server managers += " + user.name() + "@*");
    try {
      String host = Installation.host(2);
      String twice = "pbs_rsub -R 203001010000 -D 60 --hosts " + host + " " + host;
      Shell.Answer refused = site.run(user, work, twice);
      assertTrue(refused.err().startsWith("pbs_rsub: Duplicate host: " + host + "\n"));
      assertEquals(2, refused.status());
      String unknown = "pbs_rsub -R 203001010000 -D 60 --hosts nosuch";
      refused = site.run(user, work, unknown);
      assertEquals("pbs_rsub: Host with resources not found: nosuch\n", refused.err());
      assertEquals(2, refused.status());
    } finally {
      site.run("qmgr -c 'set server managers -= " + user.name() + "@*'");
    }
    assertReserved(site, user, work);
  }

  @Test
  void whatIsNotOpenOrAnothersIsNotSettled(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "work-settle");
    Account other = Account.ordinary("mrwrong2", site.folder());
    try {
      Path elsewhere = site.folderOf(other, "elsewhere");
      String start = LocalDateTime.now().plusHours(60).format(FORM);
      String reserve = "plus_reserve -T -s " + start + " -D 60 -n 1";
      String name = site.run(user, work, reserve).must().strip();
      String settle = " -r " + name;
      for (String word : List.of("plus_commit", "plus_abort")) {
        assertRefused(site.run(other, elsewhere, word + settle), word, "Unauthorized Request");
      }
      site.run(user, work, "plus_commit" + settle).must();
      for (String word : List.of("plus_commit", "plus_abort")) {
        assertRefused(
            site.run(user, work, word + settle), word, "Request invalid for state of job: no tr");
      }
      site.run(user, work, "plus_destroy" + settle).must();
      assertRefused(
          site.run(user, work, "plus_commit" + settle), "plus_commit", "Unknown Reservation Id");
    } finally {
      other.remove(Path.of("/tmp"));
    }
    assertReserved(site, user, work);
  }

  /** The text before stays in force, whatever is wrong with the new one. */
  @Test
  void aTextThatCannotBeUsedChangesNothing(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "work-text");
    Path file = site.home().root().resolve("wrong.ad");
    String good = "PLUS_NODE_RESERVABLE = PLUS_RSV_OWNER == \"mrwrong\"\n";
    load(site, file, good).must();
    try {
      assertReserved(site, user, work);
      Shell.Answer cut = load(site, file, "A = 1\nPLUS_NODE_RESERVABLE = (1 +\n");
      assertEquals(1, cut.status());
      assertTrue(cut.err().matches("(?s).*wrong\\.ad:\\d+: column \\d+: .*"), cut::err);
      Shell.Answer large = load(site, file, good + "# " + "x".repeat(MEGABYTES << 20) + "\n");
      assertEquals(1, large.status());
      assertEquals(1, large.err().lines().count(), "one line");
      assertReserved(site, user, work);
      for (String never :
          List.of(
              "PLUS_NODE_RESERVABLE = PLUS_NODE_RESERVABLE\n",
              "F = G\nG = F\nPLUS_NODE_RESERVABLE = F\n",
              "PLUS_NODE_RESERVABLE = 1 / 0 == PLUS_CANDIDATE_NODE.ncpus\n")) {
        load(site, file, never).must();
        Shell.Answer denied = site.run(user, work, reserve());
        assertEquals(1, denied.status());
        assertTrue(denied.err().contains("PLUS_NODE_RESERVABLE is "), denied::err);
        assertEquals(1, denied.err().lines().count(), denied::err);
      }
    } finally {
      site.qmgr("unset sched default reservable_ad");
    }
    assertReserved(site, user, work);
  }

  private static Shell.Answer load(Site site, Path file, String text)
      throws IOException, InterruptedException {
    Files.writeString(file, text);
    return site.launcher("policy", "load default " + file);
  }

  private static void assertRefused(Shell.Answer answer, String word, String said) {
    assertEquals(1, answer.status(), answer::toString);
    assertTrue(answer.err().startsWith(word + ": " + said), answer::err);
    assertEquals(1, answer.err().lines().count(), answer::err);
  }

  private static String reserve() {
    return "plus_reserve -n 1 -D 60 -s " + LocalDateTime.now().plusHours(70).format(FORM);
  }

  /** What was refused has stopped nobody. */
  private static void assertReserved(Site site, Account user, Path work) throws Exception {
    String name = site.run(user, work, reserve()).must().strip();
    assertTrue(name.matches("R\\d+"), name);
    site.run(user, work, "plus_destroy -r " + name).must();
  }
}
