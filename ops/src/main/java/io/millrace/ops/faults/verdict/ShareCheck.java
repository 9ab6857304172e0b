package io.millrace.ops.faults.verdict;

import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.RunCharge;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunRequeued;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.avro.specific.SpecificRecord;

/**
 * Checks what accounts were charged for: each run once, for the time that it ran. By run the facts
 * of the ledger are held against its end there, and by account what the server says in the end
 * against the accounting files, to the second.
 */
public final class ShareCheck {

  private static final long MILLI = 1000;
  private static final Pattern ACCOUNT = Pattern.compile(" account=\"([^\"]*)\"");
  private static final Pattern TIME =
      Pattern.compile(" resources_used.walltime=(\\d+):(\\d\\d):(\\d\\d)");

  private final Map<String, Long> charged;
  private final Defects defects = new Defects();

  /** What runs were charged for so far, thousandths of seconds, by job and run. */
  private final Map<String, Long> byRun = new TreeMap<>();

  private final Map<Long, String> accountOf = new HashMap<>();

  /** Seconds that accounts should have been charged for. */
  private final Map<String, Long> due = new TreeMap<>();

  private ShareCheck(Map<String, Long> charged) {
    this.charged = charged;
  }

  /**
   * What is wrong.
   *
   * @param lines of the accounting files
   * @param charged seconds, by account
   */
  public static List<Defect> of(
      List<LedgerEntry> ledger, List<String> lines, Map<String, Long> charged) {
    ShareCheck check = new ShareCheck(charged);
    ledger.forEach(entry -> check.charges(entry.fact()));
    ledger.forEach(entry -> check.end(entry.fact()));
    check.byRun.forEach(
        (run, milli) ->
            check.differs(run.split(" ")[0], "run " + run + " without an end", 0, milli));
    lines.forEach(check::line);
    check.accounts();
    return check.defects.all();
  }

  private void charges(SpecificRecord fact) {
    if (fact instanceof UsageCharged usage) {
      for (RunCharge charge : usage.getCharges()) {
        byRun.merge(key(charge.getJob(), charge.getRun()), charge.getMilli(), Long::sum);
      }
    } else if (fact instanceof JobQueued queued) {
      accountOf.put(queued.getJob().getNumber(), queued.getJob().getSpec().getAccount());
    }
  }

  private static String key(long job, int run) {
    return job + " " + run;
  }

  private void end(SpecificRecord fact) {
    if (fact instanceof RunFinished finished) {
      end(finished.getJobId(), finished.getRun(), finished.getUsed());
    } else if (fact instanceof RunRequeued requeued) {
      end(requeued.getJobId(), requeued.getRun(), requeued.getUsed());
    }
  }

  /** Of a run whose usage nobody knows what was charged before is all. */
  private void end(String id, int run, Usage used) {
    long number = JobNumbers.of(id);
    Long milli = byRun.remove(key(number, run));
    long was = milli == null ? 0 : milli;
    if (used == null) {
      due.merge(accountOf.getOrDefault(number, ""), was / MILLI, Long::sum);
    } else {
      differs(id, "run " + run, used.getWalltimeS() * MILLI, was);
    }
  }

  private void differs(String job, String what, long should, long is) {
    String said = what + " was charged for " + is + " ms where it used " + should;
    if (is > should) {
      defects.twice(job, said);
    } else if (is < should) {
      defects.lost(job, said);
    }
  }

  private void line(String line) {
    String[] parts = line.split(";", 4);
    boolean end = parts.length == 4 && (parts[1].equals("E") || parts[1].equals("R"));
    Matcher account = end ? ACCOUNT.matcher(" " + parts[3]) : null;
    Matcher time = end ? TIME.matcher(parts[3]) : null;
    if (end && account.find() && time.find()) {
      long minutes = Long.parseLong(time.group(1)) * 60 + Long.parseLong(time.group(2));
      due.merge(account.group(1), minutes * 60 + Long.parseLong(time.group(3)), Long::sum);
    }
  }

  private void accounts() {
    if (due.values().stream().mapToLong(Long::longValue).sum() == 0) {
      defects.unexplained("the accounts", "no run has used anything by the accounting files");
    }
    TreeSet<String> all = new TreeSet<>(due.keySet());
    all.addAll(charged.keySet());
    for (String account : all) {
      long should = due.getOrDefault(account, 0L);
      long is = charged.getOrDefault(account, 0L);
      String what = "was charged for " + is + " s where the accounting files have " + should;
      if (is > should) {
        defects.twice("account " + account, what);
      } else if (is < should) {
        defects.lost("account " + account, what);
      }
    }
  }
}
