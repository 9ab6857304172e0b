package io.millrace.connectors.oar;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs that were submitted together, as an array. OAR gives all its jobs one name, which a list
 * shows: the mark of the first run and how many more there are. Which run a job is its command
 * says, the path of the run's own script, which only the question for details shows. What is
 * remembered here only saves that question, since a number is never another job's.
 */
final class OarTogether {

  /** Of a job's name. */
  private static final Pattern NAME = Pattern.compile("(mr\\.[a-z0-9.-]{1,90})\\+[0-9]{1,4}");

  private static final Pattern MADE = Pattern.compile("JOB_ID\\s*=\\s*([0-9]{1,18})");

  /** Of more than these jobs those are forgotten that no list shows any more. */
  private static final int KNOWN_MOST = 20_000;

  /** What the last list has shown; there are two, of jobs that are there and that have ended. */
  private Set<Long> shown = Set.of();

  private final ClusterFile file;
  private final OarExchange door;

  /** Empty for a job of such a name that starts no script of ours: somebody else's. */
  private final ConcurrentNavigableMap<Long, Optional<OutsideTag>> known =
      new ConcurrentSkipListMap<>();

  OarTogether(ClusterFile file, OarExchange door) {
    this.file = file;
    this.door = door;
  }

  /** The name of jobs that are submitted together; of one its mark. */
  static String name(OutsideTag first, int runs) {
    return first + (runs == 1 ? "" : "+" + (runs - 1));
  }

  /**
   * The mark of a job.
   *
   * @param command empty where the question does not show it
   */
  static Optional<OutsideTag> tag(String name, String command) {
    return NAME.matcher(name).matches() ? OarScripts.run(command) : OutsideTag.read(name);
  }

  /** What became of a submission of several runs. */
  Submitted submitted(OarAnswer answer, List<OutsideTag> runs) throws InterruptedException {
    Submitted said = OarWords.submitted(answer);
    if (!(said instanceof Submitted.Accepted)) {
      return said;
    }
    List<Long> numbers = new ArrayList<>();
    Matcher made =
        MADE.matcher(
            OarJson.object(answer.body()).map(it -> OarJson.text(it, "cmd_output")).orElse(""));
    while (made.find()) {
      numbers.add(Long.parseLong(made.group(1)));
    }
    Optional<String> trouble = numbers.isEmpty() ? Optional.of("no numbers") : learn(numbers);
    if (trouble.isPresent()) {
      return new Submitted.SubmissionUnclear("submission: " + trouble.get());
    }
    Map<OutsideTag, OutsideId> ids = new HashMap<>();
    for (long number : numbers) {
      known
          .getOrDefault(number, Optional.empty())
          .filter(runs::contains)
          .ifPresent(run -> ids.put(run, OutsideId.of(number)));
    }
    return new Submitted.AcceptedTogether(ids);
  }

  /** The same jobs, those of ours that were submitted together with the marks of their runs. */
  Told<List<OutsideJob>> named(List<OutsideJob> jobs) throws InterruptedException {
    List<Long> unknown =
        jobs.stream()
            .filter(this::isNameless)
            .map(it -> it.id().number())
            .filter(it -> !known.containsKey(it))
            .toList();
    int most = Math.min(unknown.size(), EndedJobs.BATCH * EndedJobs.BATCHES);
    for (int from = 0; from < most; from += EndedJobs.BATCH) {
      Optional<String> trouble =
          learn(unknown.subList(from, Math.min(most, from + EndedJobs.BATCH)));
      if (trouble.isPresent()) {
        return Told.nothing(trouble.get());
      }
    }
    if (most < unknown.size()) {
      // A run that were missing here would count as one that is not there.
      return Told.nothing(
          "which runs " + (unknown.size() - most) + " jobs are is asked with the next question");
    }
    List<OutsideJob> named = jobs.stream().map(it -> isNameless(it) ? withTag(it) : it).toList();
    forget(jobs);
    return Told.of(named);
  }

  /** Of too many those go that neither this list shows nor the other one, which came before it. */
  private void forget(List<OutsideJob> jobs) {
    Set<Long> now = new HashSet<>();
    jobs.stream().filter(this::isNameless).forEach(it -> now.add(it.id().number()));
    if (known.size() > KNOWN_MOST) {
      known.keySet().removeIf(it -> !now.contains(it) && !shown.contains(it));
    }
    shown = now;
  }

  private boolean isNameless(OutsideJob job) {
    Matcher name = NAME.matcher(job.name());
    return job.tag().isEmpty()
        && name.matches()
        && OutsideTag.read(name.group(1)).filter(it -> it.cluster().equals(file.name())).isPresent()
        && file.users().containsValue(job.account());
  }

  private OutsideJob withTag(OutsideJob job) {
    return new OutsideJob(
        job.id(),
        job.name(),
        job.account(),
        known.getOrDefault(job.id().number(), Optional.empty()),
        job.state(),
        job.word(),
        job.submitted(),
        job.place(),
        job.slots(),
        job.end(),
        job.tasks(),
        job.holdings());
  }

  /** Asks which runs some jobs are; tells why that is not known of each. */
  private Optional<String> learn(List<Long> numbers) throws InterruptedException {
    Told<Map<OutsideId, Optional<OutsideJob>>> told =
        OarEnds.byNumber(door.ask(OarEnds.question(numbers)), numbers);
    if (!(told instanceof Told.Answered<Map<OutsideId, Optional<OutsideJob>>> answer)) {
      return Optional.of(((Told.Nothing<Map<OutsideId, Optional<OutsideJob>>>) told).why());
    }
    Set<Long> missing = new HashSet<>(numbers);
    answer
        .value()
        .forEach(
            (id, job) ->
                job.ifPresent(
                    it -> {
                      missing.remove(id.number());
                      known.put(id.number(), it.tag());
                    }));
    // The API answers with an empty list, and a good status, when its database breaks off.
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of("details: nothing is said of job " + missing.iterator().next());
  }
}
