package io.millrace.connectors.bridge.system;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The script that is submitted in place of a user's. It takes the run's claim by making the run's
 * folder, which one process in the world can do, and only then runs the user's script; what it says
 * about the end it writes into that folder. A second copy ends at once.
 *
 * <p>The script stands in it as base64. All words of the user stand in quotes, each sign but
 * letters, digits and two others as its number, and become arguments of {@code exec}: no shell
 * takes one of them apart.
 *
 * <p>All of it is one compound command: of a script that was cut off on its way, because who wrote
 * it died, bash begins nothing and takes no claim.
 */
public final class RunWrapper {

  /** Exit status of a wrapper that found no place for its folder or for what it needs in it. */
  public static final int NO_FOLDER = 73;

  /** Exit status of a wrapper that was cut off on its way, as bash gives it. */
  public static final int CUT_OFF = 2;

  /** Exit status of a wrapper of which nothing but comments has come, or nothing at all. */
  public static final int EMPTY = 0;

  /** Exit status of a wrapper that found the claim taken; it has run nothing. */
  public static final int SECOND_COPY = 74;

  /** Paths that need no quotes anywhere. */
  public static final Pattern PLAIN_PATH = Pattern.compile("(/[A-Za-z0-9._-]+)+");

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /**
   * Variables that bash makes itself, does not let be set or obeys at once: these go as arguments
   * of {@code env}. No program reads a secret from one of them.
   */
  private static final Set<String> OF_BASH =
      Set.of(
          ("BASH BASHOPTS BASHPID BASH_ALIASES BASH_ARGC BASH_ARGV BASH_ARGV0 BASH_CMDS"
                  + " BASH_COMMAND BASH_COMPAT BASH_EXECUTION_STRING BASH_LINENO"
                  + " BASH_LOADABLES_PATH BASH_MONOSECONDS BASH_REMATCH BASH_SOURCE BASH_SUBSHELL"
                  + " BASH_TRAPSIG BASH_VERSINFO BASH_VERSION BASH_XTRACEFD COMP_CWORD COMP_KEY"
                  + " COMP_LINE COMP_POINT COMP_TYPE COMP_WORDBREAKS COMP_WORDS COMPREPLY COPROC"
                  + " DIRSTACK EPOCHREALTIME EPOCHSECONDS EUID FUNCNAME FUNCNEST GROUPS HISTCMD"
                  + " LINENO MAPFILE OPTARG OPTERR OPTIND PIPESTATUS POSIXLY_CORRECT PPID RANDOM"
                  + " READLINE_LINE READLINE_MARK READLINE_POINT REPLY SECONDS SHELLOPTS SHLVL"
                  + " SRANDOM UID _")
              .split(" "));

  /** About so long is a line of a quoted word. */
  private static final int LINE = 1000;

  private static final Base64.Encoder BASE64 = Base64.getMimeEncoder(76, new byte[] {'\n'});

  /** What stands for each byte in a quoted word. */
  private static final List<String> SIGNS =
      IntStream.range(0, 256)
          .mapToObj(
              it -> isPlain(it) ? Character.toString(it) : String.format(Locale.ROOT, "\\%03o", it))
          .toList();

  private RunWrapper() {}

  /** Folder of a run, whose making is its claim. */
  public static String folder(String spool, String account, OutsideTag tag) {
    return spool + "/" + account + "/" + tag;
  }

  /**
   * The script for a run.
   *
   * @throws IllegalArgumentException when a variable has no name that a program could read, or a
   *     word has a NUL in it
   */
  public static byte[] of(String spool, OutsideSubmission submission) {
    return script(body(spool, submission));
  }

  /** The script for an array, whose tasks are the runs in their order. */
  public static byte[] ofArray(String spool, List<OutsideSubmission> runs) {
    StringBuilder text = new StringBuilder("{\ncase ${SLURM_ARRAY_TASK_ID:-${SGE_TASK_ID:-}} in\n");
    for (int i = 0; i < runs.size(); i++) {
      text.append(i + 1).append(")\n").append(body(spool, runs.get(i))).append(";;\n");
    }
    return script(text + "*) exit 73 ;;\nesac\n}\n");
  }

  private static byte[] script(String body) {
    return ("#!/bin/bash\n" + body).getBytes(StandardCharsets.US_ASCII);
  }

  private static String body(String spool, OutsideSubmission submission) {
    String folder = folder(spool, submission.account(), submission.tag());
    if (!PLAIN_PATH.matcher(folder).matches()) {
      throw new IllegalArgumentException(folder + ": no plain path");
    }
    StringBuilder text = new StringBuilder(BEGIN.replace("@FOLDER@", folder));
    // Where a server of files is full some tell so only when a file is closed, which bash ignores.
    text.append("umask 077\n/usr/bin/base64 -d > \"$folder/script\" <<'END' || leave script\n");
    text.append(BASE64.encodeToString(submission.work().script()));
    text.append("\nEND\n/bin/chmod 700 \"$folder/script\" || leave script\n");
    text.append("words=(\n");
    words(folder, submission.work()).forEach(it -> text.append(quoted(it)).append('\n'));
    text.append(")\n");
    return text.append(END).toString();
  }

  private static List<String> words(String folder, OutsideSubmission.SubmittedScript work) {
    List<String> words = new ArrayList<>(List.of(work.folder()));
    List<String> ofBash = new ArrayList<>();
    for (Map.Entry<String, String> variable : work.environment().entrySet()) {
      if (!VARIABLE.matcher(variable.getKey()).matches()) {
        throw new IllegalArgumentException(variable.getKey() + ": no name of a variable");
      }
      String word = variable.getKey() + "=" + variable.getValue();
      if (OF_BASH.contains(variable.getKey())) {
        ofBash.add(word);
      } else {
        words.add(word);
      }
    }
    words.add("--");
    words.addAll(ofBash);
    words.add(folder + "/script");
    words.addAll(work.arguments());
    return words;
  }

  private static boolean isPlain(int sign) {
    return sign < 0x80 && Character.isLetterOrDigit(sign) || "_/".indexOf(sign) >= 0;
  }

  /**
   * A text as one word of bash, for which it starts no program to decode it. Only letters, digits
   * and few other signs stand there as they are: nothing in it ends the quotes, is a line of its
   * own, or reads as an order to the outside system.
   *
   * @throws IllegalArgumentException when it has a NUL in it
   */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() * 2).append("$'");
    int begin = 0;
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      if (each == 0) {
        throw new IllegalArgumentException("a word with a NUL in it");
      }
      if (quoted.length() - begin > LINE) {
        begin = quoted.append("'\\\n").length();
        quoted.append("$'");
      }
      quoted.append(SIGNS.get(each & 0xff));
    }
    return quoted.append('\'').toString();
  }

  /**
   * A function that prints a line for each host that the job was given, which only the job itself
   * is told where the outside system has chosen them: its name and, where that is told, how many of
   * what the job has there, {@code tasks} of Slurm or {@code slots}. No variable of the user is
   * there yet, and no program is started but Slurm's, for a list of names of an unusual form.
   */
  private static final String GIVEN =
      """
      # spread LIST: n[1-3,07],m as a name in each line.
      spread() {
        local rest=$1 form='^([^][,]+)(\\[([0-9,-]+)\\])?([^][,]*)(,(.+))?$' all= begin end each i first last
        while [ -n "$rest" ]; do
          [[ $rest =~ $form ]] || return 1
          begin=${BASH_REMATCH[1]} end=${BASH_REMATCH[4]} rest=${BASH_REMATCH[6]}
          if [ -z "${BASH_REMATCH[3]}" ]; then
            all+=$begin$end$'\\n'
            continue
          fi
          for each in ${BASH_REMATCH[3]//,/ }; do
            first=${each%-*} last=${each#*-}
            for ((i = 10#$first; i <= 10#$last; i++)); do
              printf -v each '%0*d' "${#first}" "$i"
              all+=$begin$each$end$'\\n'
            done
          done
        done
        printf %s "$all"
      }
      given() {
        local names counts=() each times file=${OAR_NODEFILE:-${PBS_NODEFILE:-}} i
        local -A count=()
        if [ -n "${SLURM_JOB_NODELIST:-}" ]; then
          mapfile -t names < <(spread "$SLURM_JOB_NODELIST" || scontrol show hostnames "$SLURM_JOB_NODELIST")
          for each in ${SLURM_TASKS_PER_NODE//,/ }; do
            times=1
            [[ $each != *x* ]] || { times=${each##*x}; times=${times%)}; }
            for ((i = 0; i < times; i++)); do counts+=("${each%%(*} tasks"); done
          done
          for i in "${!names[@]}"; do echo "${names[i]} ${counts[i]:-}"; done
        elif [ -r "${PE_HOSTFILE:-}" ]; then
          while read -r each i times; do echo "$each $i slots"; done < "$PE_HOSTFILE"
        elif [ -r "$file" ]; then
          names=()
          while read -r each; do
            [ -n "${count[$each]:-}" ] || names+=("$each")
            count[$each]=$((${count[$each]:-0} + 1))
          done < "$file"
          # Of the others a line is no processor.
          for each in "${names[@]}"; do echo "$each ${PBS_NP:+${count[$each]} slots}"; done
        else
          echo "$HOSTNAME"
        fi
      }
      """;

  private static final String BEGIN =
      """
      # A run of Millrace. The folder is its claim: whoever makes it runs the script, once.
      # Signals are for the script, which gets them too; this shell stays to say how it ended.
      {
      trap : TERM INT HUP USR1 USR2 XCPU XFSZ
      # The job's mark: a job that the script submits with all its variables is not this one.
      # No program below is to be given the words as a variable.
      unset MILLRACE words
      folder=@FOLDER@
      die() { echo "millrace: $1" >&2; exit 73; }
      # Nothing has begun: without the folder that can be told, and another copy may begin.
      leave() { /bin/rm -rf -- "$folder"; die "cannot write $folder/$1"; }
      claim() { printf 'id=%s\\nhost=%s\\nbegan=%s\\n' "$id" "$HOSTNAME" "$began" > "$folder/claim"; }
      id=${SLURM_JOB_ID:-${OAR_JOB_ID:-${JOB_ID:-${PBS_JOBID%%[!0-9]*}}}}
      [ -z "${SLURM_ARRAY_TASK_ID:-}" ] || id=$SLURM_ARRAY_JOB_ID.$SLURM_ARRAY_TASK_ID
      case ${SGE_TASK_ID:-} in [0-9]*) id=$id.$SGE_TASK_ID ;; esac
      printf -v began '%(%s)T' -1
      usual=$(umask)
      umask 022
      if ! /bin/mkdir "$folder" 2>/dev/null; then
        [ -d "$folder" ] || die "cannot make $folder"
        echo "millrace: this run has begun elsewhere, or was given up" >&2
        exit 74
      fi
      claim || leave claim
      """
          + GIVEN
          + """
      given > "$folder/hosts" || leave hosts
      """;

  private static final String END =
      """
      umask "$usual"
      if cd -- "${words[0]}"; then
        # Not in the background: a signal that breaks off bash's wait can lose the status.
        # Values of variables are no arguments, which everybody on the host can read; as a word
        # in quotes bash takes none of them apart.
        (
          set -- "${words[@]:1}"
          unset words
          while [ "$1" != -- ]; do
            export -- "$1" 2> /dev/null
            shift
          done
          shift
          exec /usr/bin/env "SHLVL=$SHLVL" "$@"
        ) > "$folder/stdout" 2> "$folder/stderr" < /dev/null
        status=$?
      else
        status=1
      fi
      umask 022
      # A script can remove its folder; that it has begun must be known even so.
      [ -d "$folder" ] || { /bin/mkdir "$folder" && claim; }
      printf 'status=%s\\nended=%(%s)T\\n' "$status" -1 > "$folder/exit.new" &&
        /bin/mv "$folder/exit.new" "$folder/exit"
      # These would look like those of a wrapper that has begun nothing.
      [ -d "$folder" ] || case $status in 0 | 2 | 73 | 74) status=1 ;; esac
      # A Grid Engine takes 99 as a wish to run again, and 100 as one to stay in the queue.
      [ -z "${SGE_TASK_ID:-}" ] || case $status in 99 | 100) status=1 ;; esac
      exit "$status"
      }
      """;
}
