package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.evidence.OutsideAccount;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What outside systems print of their accounting is read, and where it says otherwise is seen. */
class OutsideAccountsTest {

  private static final String QACCT =
      """
      ==============================================================
      qname        all.q
      jobnumber    7
      account      mr.c2.12.1.3.12.1
      failed       0
      exit_status  3
      ==============================================================
      jobnumber    8
      account      mr.c2.13.1.3.13.1
      failed       100 : assumedly after job
      exit_status  137                  (Killed)
      Total System Usage
      """;

  private static OutsideAccount account(int job, long number, boolean exited, int status) {
    String tag = "mr.c2." + job + ".1.3." + job + ".1";
    return new OutsideAccount(tag, number, exited, false, status, 0);
  }

  @Test
  void blocksOfQacct() {
    assertEquals(
        List.of(account(12, 7, true, 3), account(13, 8, false, 137)),
        OutsideAccounts.ofQacct(QACCT));
    assertEquals(List.of(), OutsideAccounts.ofQacct("error: job of owner mr not found\n"));
  }

  @Test
  void linesOfOarsDatabase() {
    List<OutsideAccount> read =
        OutsideAccounts.ofOar("mr.c3.5.1 9 Terminated 768 60\nmr.c3.6.1 10 Running -1 0\n");
    assertEquals(new OutsideAccount("mr.c3.5.1", 9, true, false, 3, 60_000), read.get(0));
    assertEquals("6", OutsideAccounts.jobOf(read.get(1)));
    assertEquals("", OutsideAccounts.attemptOf(read.get(1)));
    assertTrue(read.stream().skip(1).noneMatch(OutsideAccount::exited));
  }

  @Test
  void attemptsAreTheJobsThere() {
    List<OutsideAccount> accounts =
        List.of(account(1, 7, true, 0), account(2, 8, true, 3), account(9, 9, true, 0));
    // The ninth is a prologue's.
    Map<String, String> two = Map.of("1", "3.1.1", "2", "3.2.1");
    OutsideAccounts.agree(accounts, two, Set.of("1"), Set.of("1", "2", "3"), "0");
    Map<String, String> three = Map.of("1", "3.1.1", "2", "3.2.1", "3", "3.3.1");
    refused(accounts, three, Set.of("1"), "[3] have no job there");
    Map<String, String> one = Map.of("1", "3.1.1");
    refused(accounts, one, Set.of(), "did what they were to do");
    refused(accounts, one, Set.of("1", "2"), "did what they were to do");
    refused(accounts, Map.of("1", "3.1.2"), Set.of("1"), "expected: <3.1.2> but was: <3.1.1>");
    List<OutsideAccount> twice = List.of(account(1, 7, true, 0), account(1, 8, true, 0));
    refused(twice, one, Set.of("1"), "two jobs there for one");
  }

  private static void refused(
      List<OutsideAccount> accounts, Map<String, String> begun, Set<String> done, String words) {
    Set<String> tasks = Set.of("1", "2", "3");
    AssertionError error =
        assertThrows(
            AssertionError.class, () -> OutsideAccounts.agree(accounts, begun, done, tasks, "0"));
    assertTrue(error.getMessage().contains(words), error.getMessage());
  }

  @Test
  void theAttemptStandsBeforeTheHome() {
    for (String home : List.of("", ".x7k2p9")) {
      OutsideAccount told = new OutsideAccount("mr.c2.12.1.3.17.2" + home, 7, true, false, 0, 0);
      assertEquals("3.17.2", OutsideAccounts.attemptOf(told));
      OutsideAccount ordinary = new OutsideAccount("mr.c2.12.1" + home, 7, true, false, 0, 0);
      assertEquals("", OutsideAccounts.attemptOf(ordinary));
    }
  }
}
