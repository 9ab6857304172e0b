package io.millrace.server.campaigns.core.group;

import io.millrace.schemas.campaign.CampaignCluster;
import java.nio.charset.StandardCharsets;
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

  /** Most bytes of words that are handed over as one; the kernel takes 128 KiB. */
  private static final int PIECE_BYTES = 32 << 10;

  /** The file of nodes under CiGri's names, where there is one. */
  public static final String NODES =
      "export CIGRI_NODE_FILE=\"$PBS_NODEFILE\" CIGRI_NODEFILE=\"$PBS_NODEFILE\"; ";

  /**
   * Its words: the folder, for how long it goes on in hundredths of a second, the program, then of
   * each task its number, its attempt, in how many pieces its further words are, the first word,
   * and these pieces. No shell reads a word of a user: what is evaluated has the places of pieces
   * only, and a piece falls into words at its spaces. One by one thousands of words took seconds: a
   * shell looks for each among all, and copies those before it.
   */
  private static final String TEXT =
      NODES
          + """
          mkdir -p "$0" && cd "$0" || exit
          mr_clock() { read -r mr_now mr_rest </proc/uptime; mr_now=${mr_now%.*}${mr_now#*.}; }
          mr_most=$1 mr_program=$2 mr_failed=0 mr_some=
          shift 2
          mr_clock
          mr_begun=$mr_now
          while [ $# -gt 0 ]; do
            mr_clock
            [ -z "$mr_some" ] || [ $((mr_now - mr_begun)) -lt "$mr_most" ] || exit 75
            mr_some=1 mr_from=$mr_now mr_task=$1 mr_attempt=$2 mr_words=$(($3 + 1)) mr_line= mr_at=2
            shift 3
            while [ $mr_at -le $mr_words ]; do
              mr_line="$mr_line \\${$mr_at}" mr_at=$((mr_at + 1))
            done
            eval "(
              export CIGRI_JOB_ID=$mr_task CIGRI_JOBID=$mr_task MILLRACE_ATTEMPT=$mr_attempt
              export CIGRI_JOB_NAME=\\"\\$1\\" CIGRI_JOBNAME=\\"\\$1\\"
              unset MILLRACE_STEPS
              set -f
              IFS=' '
              exec \\"\\$mr_program\\" \\"\\$1\\" $mr_line
            )"
            mr_status=$?
            mr_clock
            if [ -n "$MILLRACE_STEPS" ]; then
              echo "$mr_task $mr_status $((mr_now - mr_from))0" >>"$MILLRACE_STEPS" || exit 74
            fi
            [ $mr_status = 0 ] || mr_failed=1
            shift $mr_words
          done
          exit $mr_failed
          """;

  private GroupCommand() {}

  /**
   * A task of it.
   *
   * @param words of its line, at least one, which may be empty; none has a space
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
      List<String> pieces = pieces(task.words().subList(1, task.words().size()));
      argv.add(Integer.toString(pieces.size()));
      argv.add(task.words().get(0));
      argv.addAll(pieces);
    }
    return argv;
  }

  /** No word has a space. */
  private static List<String> pieces(List<String> words) {
    List<String> pieces = new ArrayList<>();
    StringBuilder piece = new StringBuilder();
    int bytes = 0;
    for (String word : words) {
      int more = word.getBytes(StandardCharsets.UTF_8).length + 1;
      if (bytes > 0 && bytes + more > PIECE_BYTES) {
        pieces.add(piece.toString());
        piece.setLength(0);
        bytes = 0;
      }
      piece.append(bytes == 0 ? "" : " ").append(word);
      bytes += more;
    }
    if (bytes > 0) {
      pieces.add(piece.toString());
    }
    return pieces;
  }

  /** Whether it ended by itself, when none of its tasks was running. */
  static boolean byItself(int exitStatus) {
    return exitStatus == 0 || exitStatus == SOME_FAILED || exitStatus == SOME_LEFT;
  }
}
