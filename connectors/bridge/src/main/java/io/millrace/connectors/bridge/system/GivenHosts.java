package io.millrace.connectors.bridge.system;

/**
 * The part of a wrapper that says which hosts its job was given, which only the job itself is told
 * where the outside system has chosen them. It looks before any variable of the user is there.
 */
final class GivenHosts {

  private GivenHosts() {}

  /**
   * A function that prints a line for each host: its name and, where that is told, how many of what
   * the job has there, {@code tasks} of Slurm or {@code slots}. It starts no program but Slurm's,
   * for a list of names that is not of the usual form.
   */
  static final String TEXT =
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
}
