package io.millrace.server.gateway.request;

import io.millrace.schemas.pbs.attributes.AttributeType;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Attributes of jobs that -W names in full, as qstat -f shows them: those that have a letter of
 * their own, and those that the server alone sets.
 */
final class NamesInFull {

  private static final String RERUNNABLE = "Rerunable";

  private static final Map<String, Character> LETTERS =
      Map.ofEntries(
          Map.entry("Account_Name", 'A'),
          Map.entry("Checkpoint", 'c'),
          Map.entry("Error_Path", 'e'),
          Map.entry("Hold_Types", 'h'),
          Map.entry("Job_Name", 'N'),
          Map.entry("Join_Path", 'j'),
          Map.entry("Keep_Files", 'k'),
          Map.entry("Mail_Points", 'm'),
          Map.entry("Mail_Users", 'M'),
          Map.entry("Output_Path", 'o'),
          Map.entry("Priority", 'p'),
          Map.entry("project", 'P'),
          Map.entry("Remove_Files", 'R'),
          Map.entry(RERUNNABLE, 'r'),
          Map.entry("Shell_Path_List", 'S'),
          Map.entry("User_List", 'u'));

  private static final Set<String> OF_SERVER =
      Set.of(
          "accounting_id",
          "alt_id",
          "array_id",
          "array_index",
          "array_indices_remaining",
          "array_state_count",
          "ctime",
          "egroup",
          "estimated",
          "etime",
          "euser",
          "exec_host",
          "exec_vnode",
          "Exit_status",
          "hashname",
          "history_timestamp",
          "Job_Owner",
          "job_state",
          "jobdir",
          "mtime",
          "obittime",
          "qtime",
          "queue",
          "queue_rank",
          "queue_type",
          "resources_used",
          "run_version",
          "server",
          "session_id",
          "Stageout_status",
          "stime",
          "substate");

  private NamesInFull() {}

  /** The letter whose option says the same; empty for none. */
  static Optional<Character> letter(String name) {
    return Optional.ofNullable(LETTERS.get(name));
  }

  /** The value as that option takes it. */
  static String value(String name, String given) {
    return name.equals(RERUNNABLE)
        ? AttributeType.BOOLEAN.normalise(given).map(it -> it.equals("True") ? "y" : "n").orElse("")
        : given;
  }

  /** Whether no user can set it, at submission or later. */
  static boolean isServers(String name) {
    return OF_SERVER.contains(name);
  }
}
