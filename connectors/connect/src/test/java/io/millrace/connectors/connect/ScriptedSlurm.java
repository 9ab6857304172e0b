package io.millrace.connectors.connect;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Commands of a Slurm in a folder, as scripts: what a worker starts there answers as we want. */
final class ScriptedSlurm {

  private static final String LINE =
      "JobId=$1 UserId=nobody(65534) GroupId=x(1) Name=x JobState=$2 Partition=batch TimeLimit=5"
          + " StartTime=2026-11-20T10:00:00 EndTime=2026-11-20T10:00:09 NodeList=n1 NodeCnt=1"
          + " ProcCnt=1 WorkDir=/ ReservationName= Tres=cpu=1 Account= QOS= WcKey=$3"
          + " Cluster=unknown SubmitTime=$5 EligibleTime=$5"
          + " DerivedExitCode=0:0 ExitCode=$4:0 ";

  /** Each third answer to a submission is lost after it was carried out. */
  private static final String SBATCH =
      """
      for word in "$@"; do
        case $word in --comment=*) tag=${word#--comment=} ;; esac
      done
      exec 9>"$state/lock"
      flock 9
      number=$(($(wc -l < "$state/submitted") + 1))
      echo "$tag" >> "$state/submitted"
      echo "$tag" > "$state/$number.tag"
      cat > "$state/$number.script"
      SLURM_JOB_ID=$number setsid "$state/runner" "$number" > /dev/null 2>&1 < /dev/null 9>&- &
      if [ $((number % 3)) = 0 ]; then
        echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv' >&2
        exit 1
      fi
      echo "$number"
      """;

  private static final String RUNNER =
      """
      bash "$state/$1.script"
      status=$?
      word=COMPLETED; [ $status = 0 ] || word=FAILED
      submitted=$(date -d "@$(stat -c %Y "$state/$1.tag")" +%Y-%m-%dT%H:%M:%S)
      set -- "$1" "$word" "$(cat "$state/$1.tag")" "$status" "$submitted"
      echo "@LINE@" >> "$state/jobcomp"
      mv "$state/$1.tag" "$state/$1.over"
      """;

  private static final String SQUEUE =
      """
      list=
      for file in "$state"/*.tag; do
        [ -e "$file" ] || continue
        tag=$(cat "$file") || continue
        number=${file##*/}
        list="$list${list:+,}{\\"job_id\\":${number%.tag},\\"array_job_id\\":0,\\"name\\":\\"x\\"
      ,\\"user_name\\":\\"nobody\\",\\"comment\\":\\"$tag\\",\\"job_state\\":\\"RUNNING\\",\\"cpus\\":1
      ,\\"nodes\\":\\"n1\\",\\"submit_time\\":$(stat -c %Y "$file")}"
      done
      echo "{\\"errors\\":[],\\"jobs\\":[$list]}"
      """;

  private final Path folder;

  ScriptedSlurm(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
    Files.writeString(submitted(), "");
    Files.writeString(folder.resolve("sinfo.json"), PlayedSlurm.sinfo());
    script("sinfo", "exec cat \"$state/sinfo.json\"\n");
    script("scontrol", "printf '%s' '" + PlayedSlurm.CONFIG + "'\n");
    for (String other : List.of("scancel", "sdiag")) {
      script(other, "exit 1\n");
    }
  }

  private void script(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, "#!/bin/bash\nstate=" + folder + "\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  Path folder() {
    return folder;
  }

  Path completions() {
    return folder.resolve("jobcomp");
  }

  /** A line for each submission: its tag. */
  Path submitted() {
    return folder.resolve("submitted");
  }

  /** It runs what is submitted. */
  void runs() throws IOException {
    script("sbatch", SBATCH);
    script("squeue", SQUEUE);
    script("runner", RUNNER.replace("@LINE@", LINE));
  }

  /** It says what another one says. */
  void says(PlayedSlurm played) throws IOException {
    Path fresh = folder.resolve("squeue.new");
    Files.writeString(fresh, played.squeue());
    Files.move(fresh, folder.resolve("squeue.json"), StandardCopyOption.ATOMIC_MOVE);
    script("squeue", "exec cat \"$state/squeue.json\"\n");
  }
}
