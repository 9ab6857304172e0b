package io.millrace.server.campaigns.core.group;

import io.millrace.schemas.campaign.CampaignCluster;
import java.util.ArrayList;
import java.util.List;

/**
 * The command of a job of several tasks: a shell that runs one after another, and writes down how
 * each ended where its executor asks for that. It ends with 0 when all were run and each ended so,
 * with 1 when all were run, with 75 when it left some for another job, and with 74 when it could
 * not write down how the last one ended.
 */
public final class GroupCommand {

  private static final int SOME_FAILED = 1;
  private static final int SOME_LEFT = 75;
  private static final long MS_PER_CS = 10;

  /**
   * Its words: the folder, for how long it goes on in hundredths of a second, the program, then of
   * each task its number, its attempt, how many words it has, and these. No shell reads a word of a
   * user: what is evaluated has the places of words only.
   */
  private static final String TEXT =
      """
      mkdir -p "$0" && cd "$0" || exit
      mr_clock() { read -r mr_now mr_rest </proc/uptime; mr_now=${mr_now%.*}${mr_now#*.}; }
      mr_most=$1 mr_program=$2 mr_failed=0 mr_some=
      shift 2
      mr_clock
      mr_begun=$mr_now
      while [ $# -gt 0 ]; do
        mr_clock
        [ -z "$mr_some" ] || [ $((mr_now - mr_begun)) -lt "$mr_most" ] || exit 75
        mr_some=1 mr_from=$mr_now mr_task=$1 mr_attempt=$2 mr_words=$3 mr_line= mr_at=1
        shift 3
        while [ $mr_at -le "$mr_words" ]; do
          mr_line="$mr_line \\"\\${$mr_at}\\"" mr_at=$((mr_at + 1))
        done
        eval "(
          export CIGRI_JOB_ID=$mr_task CIGRI_JOBID=$mr_task MILLRACE_ATTEMPT=$mr_attempt
          export CIGRI_JOB_NAME=\\"\\$1\\" CIGRI_JOBNAME=\\"\\$1\\"
          unset MILLRACE_STEPS
          exec \\"\\$mr_program\\" $mr_line
        )"
        mr_status=$?
        mr_clock
        if [ -n "$MILLRACE_STEPS" ]; then
          echo "$mr_task $mr_status $((mr_now - mr_from))0" >>"$MILLRACE_STEPS" || exit 74
        fi
        [ $mr_status = 0 ] || mr_failed=1
        shift "$mr_words"
      done
      exit $mr_failed
      """;

  private GroupCommand() {}

  /**
   * A task of it.
   *
   * @param words of its line
   */
  public record GroupedTask(int task, int attempt, List<String> words) {}

  /** The words of the command. */
  public static List<String> of(
      CampaignCluster cluster, String directory, String program, List<GroupedTask> tasks) {
    List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", TEXT, directory));
    argv.add(Long.toString(GroupSize.budgetMs(cluster) / MS_PER_CS));
    argv.add(program);
    for (GroupedTask task : tasks) {
      argv.add(Integer.toString(task.task()));
      argv.add(Integer.toString(task.attempt()));
      argv.add(Integer.toString(task.words().size()));
      argv.addAll(task.words());
    }
    return argv;
  }

  /** Whether it ended by itself, when none of its tasks was running. */
  static boolean byItself(int exitStatus) {
    return exitStatus == 0 || exitStatus == SOME_FAILED || exitStatus == SOME_LEFT;
  }
}
