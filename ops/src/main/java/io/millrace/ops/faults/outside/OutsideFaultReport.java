package io.millrace.ops.faults.outside;

import io.millrace.ops.faults.evidence.CommandNote;
import io.millrace.ops.faults.verdict.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Result of a run.
 *
 * @param kills by what was killed
 * @param notes what became of the connector's commands
 * @param exited runs that the outside system saw exit by themselves
 * @param seconds whole time after everything was up
 */
record OutsideFaultReport(
    OutsideFaultSettings settings,
    Verdict verdict,
    Map<String, Integer> kills,
    List<CommandNote> notes,
    int exited,
    double seconds) {

  /** With so many kills the connector and both daemons must be among the killed. */
  private static final int KILLS_OF_ALL = 6;

  /** With so many jobs each kind of fault must have come about. */
  private static final int JOBS_OF_ALL = 12;

  int status() {
    return verdict.clean() && tooFew().isEmpty() ? 0 : 1;
  }

  int killed() {
    return kills.values().stream().mapToInt(Integer::intValue).sum();
  }

  private int count(String... faults) {
    return FaultyCommands.count(notes, faults);
  }

  /** What has to come about, so that the findings mean something, and has not. */
  List<String> tooFew() {
    List<String> few = new ArrayList<>();
    int jobs = settings.size().jobs();
    if (exited * 2 < jobs) {
      few.add("of " + jobs + " jobs " + exited + " exited by themselves");
    }
    if (jobs >= JOBS_OF_ALL) {
      for (String fault : List.of("swallowed", "cut", "refused", CommandNote.DOUBLED)) {
        if (count(fault) == 0) {
          few.add("no command was " + fault);
        }
      }
    }
    if (settings.size().kills() >= KILLS_OF_ALL) {
      for (String part : List.of(settings.cluster().part(), "master", "host")) {
        if (kills.getOrDefault(part, 0) == 0) {
          few.add(part + " was never killed");
        }
      }
    }
    return few;
  }

  /** A line for each finding. */
  List<String> findings() {
    List<String> lines = new ArrayList<>();
    verdict.defects().forEach(it -> lines.add(it.toString()));
    tooFew().forEach(it -> lines.add("TOO_FEW " + it));
    return lines;
  }

  String json() {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    numbers.put("jobs", settings.size().jobs());
    numbers.put("kills", killed());
    numbers.put("exited", exited);
    numbers.put("swallowed", count("swallowed", "unsent"));
    numbers.put("late", count("late"));
    numbers.put("cut", count("cut"));
    numbers.put("refused", count("refused"));
    numbers.put("doubled", count(CommandNote.DOUBLED));
    numbers.put("lost", verdict.lost());
    numbers.put("twice", verdict.twice());
    numbers.put("submitted_again", verdict.submittedAgain());
    numbers.put("ended_early", verdict.endedEarly());
    numbers.put("disagree", verdict.disagreements());
    numbers.put("unexplained", verdict.unexplained());
    numbers.put("too_few", tooFew().size());
    return numbers.entrySet().stream()
        .map(it -> "\"" + it.getKey() + "\":" + it.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }
}
