package io.millrace.ops.faults.evidence;

/**
 * The line that a task's script appends to the common file as its first act: which attempt at which
 * task it is, and as which run of which job.
 */
public record TaskLine(String jobId, int run, int task, int attempt) {

  private static final String FORM = "\\S+( [0-9]{1,9}){3}";

  /** Parses a line. A line of another form is kept as the job, so that the verdict shows it. */
  public static TaskLine parse(String line) {
    if (!line.matches(FORM)) {
      return new TaskLine(line, 0, -1, 0);
    }
    String[] words = line.split(" ");
    return new TaskLine(
        words[0],
        Integer.parseInt(words[1]),
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]));
  }

  /**
   * The same as the line of a job.
   *
   * @param campaign number of the campaign, which is in the job's name
   */
  JobLine ofJob(long campaign) {
    return new JobLine(jobId, run, "cigri-" + campaign + "-" + task);
  }
}
