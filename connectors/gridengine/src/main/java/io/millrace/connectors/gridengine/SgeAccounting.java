package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideNumber;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.OutsideUsage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A line of Grid Engine's accounting file. */
final class SgeAccounting {

  /** The fields of version 8.1.9 in their order. */
  static final List<String> FIELDS =
      List.of(
          "qname",
          "hostname",
          "group",
          "owner",
          "job_name",
          "job_number",
          "account",
          "priority",
          "submission_time",
          "start_time",
          "end_time",
          "failed",
          "exit_status",
          "ru_wallclock",
          "ru_utime",
          "ru_stime",
          "ru_maxrss",
          "ru_ixrss",
          "ru_ismrss",
          "ru_idrss",
          "ru_isrss",
          "ru_minflt",
          "ru_majflt",
          "ru_nswap",
          "ru_inblock",
          "ru_oublock",
          "ru_msgsnd",
          "ru_msgrcv",
          "ru_nsignals",
          "ru_nvcsw",
          "ru_nivcsw",
          "project",
          "department",
          "granted_pe",
          "slots",
          "task_number",
          "cpu",
          "mem",
          "io",
          "category",
          "iow",
          "pe_taskid",
          "maxvmem",
          "arid",
          "ar_submission_time");

  private static final int CATEGORY = FIELDS.indexOf("category");
  private static final int FIELDS_MOST = 200;

  /** The job's program has ended, or a limit has ended it; all else may run the job again. */
  private static final Set<String> OVER = Set.of("0", "37", "100");

  /** The job goes back to the queue. */
  private static final Set<String> AGAIN = Set.of("24", "25");

  private static final Pattern H_RT = Pattern.compile("\\bh_rt=([0-9]{1,12})\\b");

  private static final Pattern AMOUNT = Pattern.compile("([0-9]{1,15})(?:\\.([0-9]+))?");

  private SgeAccounting() {}

  /**
   * Takes a line apart; empty when it is none. What a job has asked for, its category, is the one
   * field that may have colons of its own; what a later version adds at the end is kept by number.
   */
  static Optional<Map<String, String>> fields(String line) {
    String[] words = line.split(":", FIELDS_MOST);
    if (line.startsWith("#") || words.length < FIELDS.size()) {
      return Optional.empty();
    }
    int behind = CATEGORY + 1;
    while (!isIow(words, behind)) {
      behind++;
      if (behind + FIELDS.size() - CATEGORY - 1 > words.length) {
        return Optional.empty();
      }
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (int i = 0; i < CATEGORY; i++) {
      fields.put(FIELDS.get(i), words[i]);
    }
    fields.put("category", String.join(":", List.of(words).subList(CATEGORY, behind)));
    for (int i = behind; i < words.length; i++) {
      int field = CATEGORY + 1 + i - behind;
      fields.put(field < FIELDS.size() ? FIELDS.get(field) : "field" + (field + 1), words[i]);
    }
    return Optional.of(fields);
  }

  /** Whether the fields behind the category can begin here. */
  private static boolean isIow(String[] words, int at) {
    return at + 4 < words.length
        && words[at].matches("[0-9]+\\.[0-9]+")
        && words[at + 2].matches("[0-9]+\\.[0-9]+")
        && words[at + 3].matches("[0-9]+")
        && words[at + 4].matches("[0-9]+");
  }

  /** The record of a line; empty when the line is none, or says that the job runs again. */
  static Optional<OutsideRecord> record(String line) {
    return fields(line).flatMap(SgeAccounting::record);
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
