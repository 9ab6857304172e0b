package io.millrace.schedulers.gridengine.language.account;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Fields of a line of Grid Engine's accounting file. */
public final class AccountingFields {

  /** The fields of version 8.1.9 in their order. */
  public static final List<String> NAMES =
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

  private static final int CATEGORY = NAMES.indexOf("category");
  private static final int MOST = 200;

  private AccountingFields() {}

  /**
   * Takes a line apart; empty when it is none. What a job has asked for, its category, is the one
   * field that may have colons of its own; what a later version adds at the end is kept by number.
   */
  public static Optional<Map<String, String>> of(String line) {
    String[] words = line.split(":", MOST);
    if (line.startsWith("#") || words.length < NAMES.size()) {
      return Optional.empty();
    }
    int behind = CATEGORY + 1;
    while (!isIow(words, behind)) {
      behind++;
      if (behind + NAMES.size() - CATEGORY - 1 > words.length) {
        return Optional.empty();
      }
    }
    Map<String, String> fields = new LinkedHashMap<>();
    for (int i = 0; i < CATEGORY; i++) {
      fields.put(NAMES.get(i), words[i]);
    }
    fields.put("category", String.join(":", List.of(words).subList(CATEGORY, behind)));
    for (int i = behind; i < words.length; i++) {
      int field = CATEGORY + 1 + i - behind;
      fields.put(field < NAMES.size() ? NAMES.get(field) : "field" + (field + 1), words[i]);
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
}
