package io.millrace.server.gridengine.submit;

import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What a command line of qalter asks for.
 *
 * @param jobs that are to be changed, as they were written
 * @param change options that replace those of the jobs
 * @param holds letters of -h; empty without it
 */
public record Alteration(List<String> jobs, Submission change, String holds) {

  private static final String HOLDS = "-h";

  /**
   * Options that an existing job can take, beside the lists of -l and -q. The others of qsub have
   * been made use of when the job was built (-v, -b), or no command of a shard carries them.
   */
  private static final Set<String> ALTERABLE =
      Set.of(
          "-a",
          "-cwd",
          "-e",
          "-hard",
          "-hold_jid",
          "-j",
          "-N",
          "-o",
          "-p",
          "-pe",
          "-R",
          "-S",
          "-soft",
          "-w",
          "-wd");

  /**
   * Reads the words after qalter; the jobs may stand before the options, behind them or both.
   *
   * @throws RequestRefused when they are wrong, or ask for what qalter cannot change
   */
  public static Alteration of(List<String> words) {
    int first = leadingJobs(words);
    List<String> jobs = new ArrayList<>(words.subList(0, first));
    List<String> options = new ArrayList<>(words.subList(first, words.size()));
    String holds = takeHolds(options);
    Submission change = Submission.of(options);
    change
        .otherThan(ALTERABLE)
        .ifPresent(
            option -> {
              throw new RequestRefused("qalter: option " + option + " is not supported");
            });
    jobs.addAll(change.command());
    return new Alteration(List.copyOf(jobs), change, holds);
  }

  /** Whether it asks for what tasks of an array have in common. */
  public boolean changesMoreThanHolds() {
    return change.otherThan(Set.of()).isPresent()
        || Stream.of("-l", "-soft -l", "-q", "-soft -q").anyMatch(change::has);
  }

  /**
   * Jobs that -hold_jid names by their numbers and that came no earlier than this one. Nobody waits
   * for those, so that no two jobs ever wait for each other.
   */
  public List<Long> notBefore(long number) {
    return change.after().stream()
        .filter(name -> name.matches("\\d{1,12}"))
        .map(Long::valueOf)
        .filter(other -> other >= number)
        .toList();
  }

  /** The same with the time of -a as it is kept. */
  public Alteration startingAt(String command, Clock clock) {
    return change.start().isEmpty()
        ? this
        : new Alteration(
            jobs,
            change.startingAt(StartTime.seconds(command, change.start().get(), clock)),
            holds);
  }

  /** All options that are taken. */
  public static Stream<String> options() {
    return Stream.concat(ALTERABLE.stream(), Stream.of(HOLDS, "-l", "-q"));
  }

  /** How many jobs stand before the options. */
  static int leadingJobs(List<String> words) {
    int jobs = 0;
    while (jobs < words.size() && !words.get(jobs).startsWith("-")) {
      jobs++;
    }
    return jobs;
  }

  /** How many arguments follow an option. */
  static int argumentsOf(String option) {
    return option.equals(HOLDS) ? 1 : Submission.argumentsOf(option);
  }

  /** Takes -h with its argument, which qsub's -h has not, out of the options. */
  private static String takeHolds(List<String> options) {
    int at = options.indexOf(HOLDS);
    if (at < 0) {
      return "";
    }
    options.remove(at);
    if (at == options.size()) {
      throw new RequestRefused("qalter: ERROR! -h option must have argument");
    }
    String holds = options.remove(at).replace(",", "");
    if (!holds.matches("[uosn]+")) {
      throw new RequestRefused("qalter: invalid option argument \"-h " + holds + "\"");
    }
    return holds;
  }
}
