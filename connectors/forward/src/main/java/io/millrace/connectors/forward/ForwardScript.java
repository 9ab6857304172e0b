package io.millrace.connectors.forward;

import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.local.run.OutputDestination;
import io.millrace.connectors.local.run.RunFiles;
import io.millrace.connectors.local.run.RunNodes;
import io.millrace.connectors.local.run.RunProgram;
import io.millrace.connectors.local.run.RunRequest;
import io.millrace.connectors.local.run.Staging;
import io.millrace.connectors.local.spool.StageScript;
import io.millrace.schemas.pbs.jobs.WrittenSteps;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a run does on its host: the job's environment and files as an executor there would have
 * them. The job's own words are arguments and variables, and its script stands there as base64.
 */
final class ForwardScript {

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final int LINE = 76;

  private ForwardScript() {}

  /**
   * The script.
   *
   * @param firm whether the cluster is asked for the very hosts of the run
   */
  static byte[] text(RunRequest request, boolean firm) {
    byte[] job =
        request.program() instanceof RunProgram.Script script ? script.text() : new byte[0];
    Staging staging = request.files().staging();
    String stage = staging.none() ? "" : StageScript.of(staging);
    return TEXT.replace("@STEPS@", WrittenSteps.VARIABLE)
        .replace("@FILE@", ForwardOutcome.STEPS)
        .replace("@FIRM@", firm ? "1" : "0")
        .replace("@JOB@", base64(job))
        .replace("@STAGE@", RunWrapper.quoted(stage))
        .replace("@NODES@", RunWrapper.quoted(nodes(request).stripTrailing()))
        .getBytes(StandardCharsets.US_ASCII);
  }

  private static String base64(byte[] bytes) {
    return Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes);
  }

  /**
   * A line for each host: its name as it is called there, and how many lines of the node file,
   * processors and chunks it is to have.
   */
  private static String nodes(RunRequest request) {
    StringBuilder text = new StringBuilder();
    for (RunNodes.NodeHost host : request.context().nodes().hosts()) {
      text.append(host.name().replaceFirst("@.*", "")).append(' ').append(host.lines());
      text.append(' ').append(host.ncpus()).append(' ').append(host.chunks()).append('\n');
    }
    return text.toString();
  }

  /**
   * The arguments of the script.
   *
   * @throws IllegalArgumentException when there is something that is not passed on
   */
  static List<String> arguments(RunRequest request) {
    RunFiles files = request.files();
    List<String> words = new ArrayList<>();
    words.add(request.id().jobId());
    words.add(OutputDestination.of(files.output()).path());
    words.add(OutputDestination.of(files.error()).path());
    words.add(files.join());
    words.add(String.format("%03o", files.umask()));
    words.add(request.context().start().directory());
    words.add(files.staging().node().replaceFirst("@.*", ""));
    words.add(files.staging().ownDirectory() ? "1" : "0");
    if (request.program() instanceof RunProgram.Script script) {
      words.add("script");
      words.add(script.shell());
      words.addAll(script.arguments());
    } else if (request.program() instanceof RunProgram.CommandProgram command) {
      words.add("command");
      words.add("");
      words.addAll(command.words());
    } else {
      throw new IllegalArgumentException("interactive jobs and tasks are not passed on");
    }
    return words;
  }

  /** The variables of the job; those that have no name of a variable are left out. */
  static Map<String, String> environment(RunRequest request) {
    Map<String, String> all = new TreeMap<>(request.context().variables());
    all.keySet().removeIf(it -> !VARIABLE.matcher(it).matches());
    all.keySet().removeAll(List.of("UID", "EUID")); // bash would take them for its own
    String ncpus = Integer.toString(request.context().ncpus());
    all.putIfAbsent("OMP_NUM_THREADS", ncpus);
    all.put("NCPUS", ncpus);
    all.put("PBS_JOBID", request.id().jobId());
    all.put("PBS_JOBNAME", request.context().jobName());
    all.put("PBS_QUEUE", request.context().queue());
    all.put("PBS_ENVIRONMENT", "PBS_BATCH");
    all.put("ENVIRONMENT", "BATCH");
    all.put("PBS_NODENUM", "0");
    all.put("PBS_TASKNUM", "1");
    all.put("MILLRACE_RUN", Integer.toString(request.id().run()));
    if (!request.terms().account().isEmpty()) {
      all.put("PBS_ACCOUNT", request.terms().account());
    }
    return all;
  }

  /**
   * The node file names the hosts that the job really has, as the wrapper has found them. They have
   * their own lines where the very hosts were asked for, or where all of them have as many
   * processors; else each has the lines of one of the hosts asked for that has as much, and those
   * that are left are shared by what is there. Where nobody has said that, they are in the order in
   * which they were asked for.
   */
  private static final String FOUND_NODES =
      """
      nodes() {
        local name lines slots chunks given what i j n have same=1 even=1 all=0 left=0 sum=0 done=0
        local names=() line=() slot=() chunk=() hosts=() has=() of=() got=()
        while read -r name lines slots chunks; do
          names+=("$name") line+=("$lines") slot+=("$slots") chunk+=("$chunks") all=$((all + lines))
          [ "$lines" = "${line[0]}" ] || same=0
          [ "$slots" = "${slot[0]}" ] || even=0
        done <<< "$mr_parts"
        while read -r name given what; do
          hosts+=("$name") has+=("${given:-0}") of+=("$what")
        done 2> /dev/null < "$mr_folder/hosts"
        if [ "${#hosts[@]}" = 0 ]; then
          hosts=("${names[@]}")
          [ "${#names[@]}" = 1 ] || echo "node file has hosts as chosen, not as given" >> "$mr_folder/told"
        fi
        if [ "${#hosts[@]}" != "${#names[@]}" ]; then
          [ "${#hosts[@]}" != 1 ] || got=("$all")
        elif [ "$same" = 1 ]; then
          got=("${line[@]}")
        elif [ @FIRM@ = 1 ] || [ "$even" = 1 ]; then
          for i in "${!hosts[@]}"; do
            for j in "${!names[@]}"; do
              [ "${hosts[i]%%.*}" != "${names[j]%%.*}" ] || got[i]=${line[j]}
            done
          done
          # Of other hosts than were chosen any is as good as any other.
          [ "${#got[@]}" = "${#hosts[@]}" ] || got=()
          [ "${#got[@]}" != 0 ] || [ "$even" = 0 ] || got=("${line[@]}")
        fi
        if [ "${#got[@]}" = 0 ]; then
          for i in "${!hosts[@]}"; do
            for j in "${!line[@]}"; do
              have=${slot[j]}
              [ "${of[i]}" != tasks ] || have=${chunk[j]}
              [ "$have" = "${has[i]:-0}" ] && got[i]=${line[j]} && unset "line[$j]" && break
            done
            [ -n "${got[i]:-}" ] || sum=$((sum + ${has[i]:-0}))
          done
          for n in "${line[@]}"; do left=$((left + n)); done
          have=0
          for i in "${!hosts[@]}"; do
            [ -z "${got[i]:-}" ] && [ "${has[i]:-0}" -gt 0 ] || continue
            have=$((have + has[i]))
            n=$((have * left / sum - done))
            [ "$n" -gt 0 ] || n=1
            got[i]=$n done=$((done + n))
          done
        fi
        for i in "${!hosts[@]}"; do
          n=${got[i]:-${line[i]:-1}}
          for ((j = 0; j < n; j++)); do echo "${hosts[i]}"; done
        done
      }
      """;

  private static final String TEXT =
      """
      #!/bin/bash
      # Gives a job its files and its environment, and says what it has used.
      mr_suffix=OU
      trap : TERM INT HUP USR1 USR2 XCPU XFSZ
      mr_folder=${0%/*}
      mr_job=$1 mr_output=$2 mr_error=$3 mr_join=$4 mr_mask=$5 mr_start=$6 mr_node=$7 mr_own=$8
      shift 8
      mr_kind=$1 mr_shell=$2
      shift 2
      mr_entry=$(/usr/bin/getent passwd "$EUID")
      export HOME USER SHELL LOGNAME
      IFS=: read -r USER mr_n mr_n mr_n mr_n HOME SHELL <<< "$mr_entry"
      [ -n "$USER" ] || USER=$(/usr/bin/id -un)
      LOGNAME=$USER
      mr_shell=${mr_shell:-$SHELL}
      umask 077
      /usr/bin/base64 -d > "$mr_folder/job" <<'END'
      @JOB@
      END
      mr_parts=@NODES@
      mr_stage=@STAGE@
      [ -z "$mr_stage" ] || printf %s "$mr_stage" > "$mr_folder/stage"
      """
          + FOUND_NODES
          + """
      umask 022
      : > "$mr_folder/told"
      umask 077
      nodes > "$mr_folder/nodes"
      export PBS_NODEFILE=$mr_folder/nodes PBS_JOBDIR=$HOME
      mr_sandbox=
      [ "$mr_own" = 0 ] || PBS_JOBDIR=$HOME/pbs.$mr_job.x8z mr_sandbox=$HOME/pbs.$mr_job.x8z
      # stage in|out: as an executor there would do it.
      stage() {
        [ -s "$mr_folder/stage" ] || return 0
        (cd "$HOME" && umask "$mr_mask" && exec /usr/bin/env -i "PATH=/usr/bin:/bin" LC_ALL=C "HOME=$HOME" "USER=$USER" \\
          "NODE=$mr_node" "JOB_DIRECTORY=$mr_sandbox" COPY= "STAGED=$mr_folder/staged" BURIED= "PBS_JOBID=$mr_job" \\
          /bin/sh -s "$1") < "$mr_folder/stage" >> "$mr_folder/staged" 2> "$mr_folder/said"
      }
      mr_tmp=$(/bin/mktemp -d /tmp/pbs.XXXXXXXXXX) && export TMPDIR=$mr_tmp
      # place PATH SUFFIX OTHERWISE: where a file of output is written.
      place() {
        mr_p=$1
        [ "${mr_p:0:1}" = / ] || mr_p=$HOME/$mr_p
        [ ! -d "$mr_p" ] || mr_p=${mr_p%/}/$mr_job.$2
        : 2>/dev/null > "$mr_p" || { mr_p=$3; echo "output kept in $3" >> "$mr_folder/told"; }
      }
      umask 022
      if [ -n "${@STEPS@+set}" ] && : > "$mr_folder/@FILE@"; then
        export @STEPS@=$mr_folder/@FILE@ # the job writes down there how its steps end
      fi
      umask "$mr_mask"
      [ "$mr_join" = eo ] && { mr_output=$mr_error; mr_suffix=ER; }
      place "$mr_output" "$mr_suffix" "$mr_folder/output"
      exec 3>"$mr_p"
      if [ "$mr_join" = n ]; then
        place "$mr_error" ER "$mr_folder/error"
        exec 4>"$mr_p"
      else
        exec 4>&3
      fi
      if ! stage in; then
        umask 022
        echo "cannot stage files in: $(head -c 300 "$mr_folder/said")" > "$mr_folder/unstaged"
        [ -z "$mr_tmp" ] || /bin/rm -rf -- "$mr_tmp"
        exit 1
      fi
      cd -- "${mr_start:-$PBS_JOBDIR}" || cd /
      # Not in the background: a signal that breaks off bash's wait can lose the status.
      if [ "$mr_kind" = script ]; then
        "$mr_shell" "$mr_folder/job" "$@" < /dev/null >&3 2>&4 3>&- 4>&-
      else
        "$@" < /dev/null >&3 2>&4 3>&- 4>&-
      fi
      mr_status=$?
      exec 3>&- 4>&-
      umask 022
      times > "$mr_folder/times"
      # What Slurm's own group of the job held at most, as the kernel counts it; of no other group.
      mr_part=/job_${SLURM_JOB_ID:-}/
      while IFS=: read -r mr_n mr_kind mr_group; do
        mr_top=${mr_group%%"$mr_part"*}
        case $mr_kind:$mr_group/ in
        :*"$mr_part"*) mr_most=/sys/fs/cgroup$mr_top${mr_part}memory.peak ;;
        *memory*:*"$mr_part"*) mr_most=/sys/fs/cgroup/memory$mr_top${mr_part}memory.max_usage_in_bytes ;;
        *) continue ;;
        esac
        read -r mr_n < "$mr_most" && echo "$mr_n" > "$mr_folder/peak"
      done 2>/dev/null < /proc/self/cgroup
      cd /
      if ! stage out; then
        echo "cannot stage files out: $(head -c 200 "$mr_folder/said")" >> "$mr_folder/told"
      fi
      [ -z "$mr_tmp" ] || /bin/rm -rf -- "$mr_tmp"
      exit "$mr_status"
      """;
}
