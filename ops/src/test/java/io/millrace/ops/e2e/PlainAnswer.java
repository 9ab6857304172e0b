package io.millrace.ops.e2e;

import java.util.Collection;

/**
 * Output of a command without what differs between any two sessions: dates, durations, measured
 * values, folders, column widths.
 */
final class PlainAnswer {

  /** A row of the alternate table up to the session id, which appears once a job has begun. */
  private static final String SESSION = "(?m)^(\\S+ \\S+ \\S+ \\S+) (?:\\d+|--) ";

  private final Collection<Account> users;
  private final OneSidedAttributes oneSided;

  PlainAnswer(Collection<Account> users, OneSidedAttributes oneSided) {
    this.users = users;
    this.oneSided = oneSided;
  }

  String of(String text) {
    String homes = text.replace("\n\t", "");
    for (Account user : users) {
      homes = homes.replace(user.home().toString(), "/home/" + user.name());
    }
    return measured(oneSided.without(homes))
        .replaceAll("(?m)^pbs_version = \\S+$", "pbs_version = VERSION")
        .replaceAll("(?m)^default prefix path = \\S+$", "default prefix path = HOME")
        .replaceAll("[A-Z][a-z]{2} [A-Z][a-z]{2} +\\d+ at \\d\\d:\\d\\d", "DATE")
        .replaceAll("[A-Z][a-z]{2} [A-Z][a-z]{2} +\\d+ \\d\\d:\\d\\d:\\d\\d \\d{4}", "DATE")
        .replaceAll("last_state_change_time = (DATE|<various>)", "last_state_change_time")
        .replaceAll("exec_host = .*", "exec_host")
        .replaceAll("substate = 41", "substate = 42")
        .replaceAll("-{4,}", "--")
        .replaceAll("[ \\t]+", " ")
        .replaceAll(" (\\d\\d:\\d\\d:\\d\\d|\\d{1,3}) (?=[A-Z] )", " TIME ")
        .replaceAll(SESSION + "(?=\\d+ \\d+ \\S+ \\S+ [RE] )", "$1 SESSION ")
        .replaceAll("(?<= [RE]) (\\d\\d:\\d\\d|--)(?= |\n)", " ELAPSED")
        .replaceAll("(?m) $", "");
  }

  /**
   * Removes measured values, and the shell's variables, which the gateway's tests compare instead.
   */
  private static String measured(String text) {
    return text.replaceAll("(resources_used\\.(?:mem|vmem|cput|walltime|cpupercent)) = \\S+", "$1")
        .replaceAll("(resources_used\\.(?:mem|vmem|cput|walltime|cpupercent))=[^|]+", "$1")
        .replaceAll("(\\|session_id)=\\d+", "$1")
        .replaceAll("\\|Variable_List=[^|]*", "")
        .replaceAll("(?s)(?<=\"resources_used\":\\s{0,9})\\{[^}]*\\}", "{}")
        .replaceAll("(session_id|history_timestamp|last_state_change_time) = \\d+", "$1")
        .replaceAll("\"(session_id|timestamp|pbs_version)\":\\s*\"?[\\w.-]+\"?", "$1")
        .replaceAll("(?m)^ +Variable_List = .*\n", "")
        .replaceAll("\"Variable_List\":\\s*\\{[^}]*\\},", "");
  }
}
