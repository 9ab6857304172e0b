package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideNumber;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import io.millrace.schedulers.gridengine.language.account.AccountingFields;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A line of Grid Engine's accounting file. */
final class SgeAccounting {

  /** The job's program has ended, or a limit has ended it; all else may run the job again. */
  private static final Set<String> OVER = Set.of("0", "37", "100");

  /** The job goes back to the queue. */
  private static final Set<String> AGAIN = Set.of("24", "25");

  private static final Pattern H_RT = Pattern.compile("\\bh_rt=([0-9]{1,12})\\b");

  private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,15})(?:\\.([0-9]+))?");

  private SgeAccounting() {}

  /** The record of a line; empty when the line is none, or says that the job runs again. */
  static Optional<OutsideRecord> record(String line) {
    return AccountingFields.of(line).flatMap(SgeAccounting::record);
  }

  private static Optional<OutsideRecord> record(Map<String, String> fields) {
    Optional<Long> number = number(fields, "job_number");
    Optional<Long> status = number(fields, "exit_status");
    boolean part = !fields.get("pe_taskid").equals("NONE");
    if (number.isEmpty() || status.isEmpty() || part || AGAIN.contains(fields.get("failed"))) {
      return Optional.empty();
    }
    return Optional.of(
        new OutsideRecord(
            new OutsideId(number.get(), number(fields, "task_number").orElse(0L)),
            fields.get("owner"),
            OutsideTag.read(fields.get("account")),
            OutsideNumber.time(fields.getOrDefault("submission_time", "")),
            end(fields, status.get().intValue()).withUsage(usage(fields)),
            OVER.contains(fields.get("failed")),
            fields));
  }

  private static OutsideEnd end(Map<String, String> fields, int status) {
    String failed = fields.get("failed");
    String words = "Grid Engine: failed " + failed + ", exit_status " + fields.get("exit_status");
    if (failed.equals("0")) {
      return new OutsideEnd(status, 0, OutsideCause.EXITED, words);
    }
    if (!OVER.contains(failed)) {
      return OutsideEnd.of(OutsideCause.NOT_BEGUN, words);
    }
    Matcher limit = H_RT.matcher(fields.get("category"));
    long wallMs = thousands(fields, "ru_wallclock");
    boolean late = limit.find() && wallMs >= Long.parseLong(limit.group(1)) * 1000;
    return new OutsideEnd(
        -1,
        status > 128 ? status - 128 : 0,
        late || failed.equals("37") ? OutsideCause.TIME_LIMIT : OutsideCause.SIGNALLED,
        words);
  }

  /** Of a parallel job these are the sums and peaks of all its parts. */
  private static OutsideUsage usage(Map<String, String> fields) {
    return new OutsideUsage(
        thousands(fields, "cpu"),
        thousands(fields, "ru_wallclock"),
        thousands(fields, "ru_maxrss") / 1000,
        thousands(fields, "maxvmem") / 1000 >> 10);
  }

  /** A thousand times an amount that may have a fraction; 0 when there is none. */
  private static long thousands(Map<String, String> fields, String name) {
    Matcher amount = AMOUNT.matcher(fields.getOrDefault(name, ""));
    if (!amount.matches()) {
      return 0;
    }
    String fraction = amount.group(2) == null ? "" : amount.group(2);
    return Long.parseLong(amount.group(1)) * 1000
        + Long.parseLong((fraction + "000").substring(0, 3));
  }

  private static Optional<Long> number(Map<String, String> fields, String name) {
    return OutsideNumber.of(fields.getOrDefault(name, ""));
  }
}
