package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.e2e.Recording.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Accounting lines with other numbers, names and times are equal; all else of them counts. */
class RecordedAccountsTest {

  private static final String QUEUED =
      "11/20/2026 15:38:42;Q;%s;user=%s group=%s queue=workq ctime=%d qtime=%d etime=%s"
          + " depend=afterok:%s@%s Resource_List.walltime=%s \n";
  private static final String DELETED = "11/20/2026 15:38:46;D;%s;requestor=%s@%s\n";
  private static final String USER = "mrgold1";

  @TempDir Path folder;

  private static String recorded() {
    return QUEUED.formatted("2.vm", "pbsu1", "pbsu1", 10, 11, "0", "1.vm", "vm", "00:00:30")
        + DELETED.formatted("2.vm", "pbsu1", "vm");
  }

  private static String here(String etime, String walltime) {
    return QUEUED.formatted("7.h1", USER, USER, 20, 22, etime, "6.h1", "h1", walltime);
  }

  private RecordedAccounts accounts(String... lines) throws IOException {
    Files.writeString(folder.resolve("20261123"), String.join("", lines));
    String shows = "cat /var/spool/pbs/server_priv/accounting/20261120";
    Recording recording = new Recording("09", List.of(new Entry("root", shows, recorded(), "", 0)));
    LongerJobs longer = new LongerJobs();
    longer.submitted("2", "qsub -l walltime=30 -- /bin/sleep 30");
    Map<String, Account> users = Map.of("pbsu1", new Account(USER, Path.of("/home"), true));
    Map<String, String> numbers = Map.of("1", "6", "2", "7");
    return new RecordedAccounts(recording, numbers, longer, users, "h1");
  }

  private List<String> differences(String... lines) throws IOException {
    return accounts(lines).differences(folder);
  }

  @Test
  void whatNoTwoSessionsHaveInCommonIsLeftOut() throws Exception {
    String deleted = DELETED.formatted("7.h1", USER, "h1");
    assertEquals(List.of(), differences(here("0", "00:05:00"), deleted));
    assertTrue(accounts(here("0", "00:05:00"), deleted).complete(folder));
  }

  @Test
  void allElseCounts() throws Exception {
    String deleted = DELETED.formatted("7.h1", USER, "h1");
    assertEquals(1, differences(here("33", "00:05:00"), deleted).size(), "it was not eligible");
    assertEquals(1, differences(here("0", "00:00:30"), deleted).size(), "it has other limits");
    assertEquals(1, differences(deleted, here("0", "00:05:00")).size(), "the order");
    assertEquals(1, differences(here("0", "00:05:00")).size(), "the deletion is missing");
    assertFalse(accounts(here("0", "00:05:00")).complete(folder));
    String other = DELETED.formatted("8.h1", USER, "h1");
    assertEquals(1, differences(here("0", "00:05:00"), deleted, other).size(), "another job");
  }

  @Test
  void aRowThatNoJobNeedsIsTold() throws Exception {
    RecordedAccounts accounts =
        accounts(here("0", "00:05:00"), DELETED.formatted("7.h1", USER, "h1"));
    accounts.differences(folder);
    assertTrue(accounts.unused().stream().anyMatch(row -> row.contains("61")));
  }
}
