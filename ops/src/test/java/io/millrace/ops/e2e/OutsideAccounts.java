package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.faults.evidence.OutsideAccount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The accounting of outside systems, as their own programs and databases tell it. */
final class OutsideAccounts {

  /** Fields of a line of OAR's database: name, number, state, status of its wait, end. */
  private static final int NAME = 0;

  private static final int NUMBER = 1;
  private static final int STATE = 2;
  private static final int WAITED = 3;
  private static final int END = 4;
  private static final int FIELDS = 5;

  private OutsideAccounts() {}

  /** Of Grid Engine's qacct -j, which has a block for each job. */
  static List<OutsideAccount> ofQacct(String printed) {
    List<OutsideAccount> accounts = new ArrayList<>();
    for (String block : printed.split("={20,}\\s*\n")) {
      Map<String, String> fields = new HashMap<>();
      for (String line : block.split("\n")) {
        String[] words = line.strip().split("\\s+", 2);
        fields.put(words[0], words.length > 1 ? words[1].strip() : "");
      }
      if (fields.containsKey("jobnumber")) {
        accounts.add(
            new OutsideAccount(
                fields.get("account"),
                Long.parseLong(fields.get("jobnumber")),
                fields.get("failed").equals("0"),
                false,
                Integer.parseInt(fields.get("exit_status").split("\\s")[0]),
                0));
      }
    }
    return accounts;
  }

  /** Of lines of OAR's database. */
  static List<OutsideAccount> ofOar(String printed) {
    List<OutsideAccount> accounts = new ArrayList<>();
    for (String line : printed.lines().toList()) {
      String[] words = line.split(" ");
      assertEquals(FIELDS, words.length, line);
      int waited = Integer.parseInt(words[WAITED]);
      boolean exited = words[STATE].matches("Terminated|Error") && waited >= 0 && waited % 256 == 0;
      accounts.add(
          new OutsideAccount(
              words[NAME],
              Long.parseLong(words[NUMBER]),
              exited,
              false,
              waited / 256,
              Long.parseLong(words[END]) * 1000));
    }
    return accounts;
  }

  /** The number of the job here for which one there was submitted. */
  static String jobOf(OutsideAccount account) {
    return account.tag().split("\\.")[2];
  }

  /** Campaign, task and attempt that one there carries; empty when it carries none. */
  static String attemptOf(OutsideAccount account) {
    String[] words = OutsideAccount.ofHome(account.tag()).split("\\.", 5);
    return words.length == 5 ? words[4] : "";
  }

  /**
   * Each attempt that began on a cluster is a job there, and those that did what they were to do
   * are those whose tasks say so, once each.
   *
   * @param begun by the number of the job here the attempt that began first in it there
   * @param done those in which tasks were done
   * @param ofTasks all that were made for tasks, there and elsewhere
   * @param statuses of jobs there in which a task was done, as an expression
   */
  static void agree(
      List<OutsideAccount> accounts,
      Map<String, String> begun,
      Set<String> done,
      Set<String> ofTasks,
      String statuses) {
    Set<String> known = new TreeSet<>();
    Set<String> well = new TreeSet<>();
    for (OutsideAccount account : accounts) {
      String job = jobOf(account);
      known.add(job);
      if (begun.containsKey(job)) {
        assertEquals(begun.get(job), attemptOf(account), account::toString);
      }
      if (ofTasks.contains(job)
          && account.exited()
          && Integer.toString(account.status()).matches(statuses)) {
        assertTrue(well.add(job), "two jobs there for one: " + account);
      }
    }
    Set<String> all = begun.keySet();
    assertTrue(known.containsAll(all), () -> without(all, known) + " have no job there");
    assertEquals(done, well, "jobs there that did what they were to do");
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    Set<String> left = new TreeSet<>(all);
    left.removeAll(some);
    return left;
  }
}
