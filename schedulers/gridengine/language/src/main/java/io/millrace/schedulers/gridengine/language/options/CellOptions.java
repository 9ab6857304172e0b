package io.millrace.schedulers.gridengine.language.options;

import io.millrace.schedulers.gridengine.language.options.Option.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** sge_conf: what {@code qconf -sconf} prints. */
public final class CellOptions {

  private static final String ELSEWHERE =
      "Nothing about who starts where: it is a matter of hosts, accounting or submission.";

  private static final String LISTS = "queues and hosts have such lists, the cell has none.";

  /** Options for which only the usual value is accepted, with their meaning and the reason. */
  private static final Map<String, List<String>> FIXED =
      Map.of(
          "user_lists", List.of("Access lists of which a user must be in one.", LISTS),
          "xuser_lists", List.of("Access lists of which a user must be in none.", LISTS),
          "projects", List.of("Projects of which a job must be in one.", LISTS),
          "xprojects", List.of("Projects of which a job must be in none.", LISTS),
          "enforce_project", List.of("Whether a job must have a project.", "none has to."),
          "finished_jobs", List.of("How many ended jobs qstat -s z shows.", "it shows so many."));

  /** Options that do not affect scheduling, with their usual values. */
  private static final String[][] USUAL = {
    {"execd_spool_dir", "/var/spool/gridengine/execd"},
    {"mailer", "/bin/true"},
    {"xterm", "/bin/true"},
    {"load_sensor", "none"},
    {"prolog", "none"},
    {"epilog", "none"},
    {"shell_start_mode", "posix_compliant"},
    {"login_shells", "bash,sh,ksh,csh,tcsh"},
    {"min_uid", "0"},
    {"min_gid", "0"},
    {"user_lists", "none"},
    {"xuser_lists", "none"},
    {"projects", "none"},
    {"xprojects", "none"},
    {"enforce_project", "false"},
    {"enforce_user", "auto"},
    {"load_report_time", "00:00:10"},
    {"max_unheard", "00:05:00"},
    {"reschedule_unknown", "00:00:00"},
    {"loglevel", "log_warning"},
    {"administrator_mail", "root"},
    {"set_token_cmd", "none"},
    {"pag_cmd", "none"},
    {"token_extend_time", "none"},
    {"shepherd_cmd", "none"},
    {"qmaster_params", "none"},
    {"execd_params", "none"},
    {
      "reporting_params",
      "accounting=true reporting=true flush_time=00:00:01 joblog=true sharelog=00:00:00"
    },
    {"finished_jobs", "100"},
    {"gid_range", "65400-65500"},
    {"qlogin_command", "builtin"},
    {"qlogin_daemon", "builtin"},
    {"rlogin_command", "builtin"},
    {"rlogin_daemon", "builtin"},
    {"rsh_command", "builtin"},
    {"rsh_daemon", "builtin"},
    {"auto_user_oticket", "0"},
    {"auto_user_fshare", "0"},
    {"auto_user_default_project", "none"},
    {"auto_user_delete_time", "86400"},
    {"delegated_file_staging", "false"},
    {"reprioritize", "0"},
    {"jsv_url", "none"},
    {"jsv_allowed_mod", "ac,h,i,e,o,j,M,N,p,w"},
  };

  public static final OptionTable TABLE = new OptionTable("the cell", rows(), Set.of());

  private CellOptions() {}

  private static List<Option> rows() {
    List<Option> rows = new ArrayList<>();
    for (String[] each : USUAL) {
      rows.add(FIXED.containsKey(each[0]) ? fixed(each[0], each[1]) : kept(each[0], each[1]));
    }
    rows.add(
        limit(
            "max_aj_instances",
            "2000",
            "How many tasks of one array may run at once; 0 for any number.",
            "When the further tasks of an array wait for the others."));
    rows.add(
        limit(
            "max_aj_tasks",
            "75000",
            "How many tasks an array may have; 0 for any number.",
            "Which arrays are refused when they are submitted."));
    rows.add(
        limit(
            "max_u_jobs",
            "0",
            "How many jobs a user may have in the cell; 0 for any number.",
            "Which submissions of a user with many jobs are refused."));
    rows.add(
        limit(
            "max_jobs",
            "0",
            "How many jobs the cell may have; 0 for any number.",
            "Which submissions to a full cell are refused."));
    return rows;
  }

  private static Option kept(String name, String usual) {
    return new Option(name, Form.TEXT, usual, Effect.KEPT, "A value of the cell.", ELSEWHERE);
  }

  private static Option fixed(String name, String usual) {
    List<String> about = FIXED.get(name);
    String only = "Only " + usual + " is accepted: " + about.get(1);
    return new Option(name, Form.oneOf(usual), usual, Effect.FIXED, about.get(0), only);
  }

  private static Option limit(String name, String usual, String meaning, String changes) {
    return new Option(name, Form.COUNT, usual, Effect.DECIDES, meaning, changes);
  }
}
