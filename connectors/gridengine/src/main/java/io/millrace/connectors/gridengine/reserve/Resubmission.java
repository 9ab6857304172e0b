package io.millrace.connectors.gridengine.reserve;

import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.SudoWords;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Jobs that run where a reservation has begun go back to the queue, as copies of their owners'. A
 * copy is made held, and is released when the job is gone that it is a copy of, so that never both
 * run.
 *
 * <p>The jobs that are on their way stand in a user set, which only managers write. Which job a
 * copy is of stands in its context, as that of a job goes along with a copy. So whoever is killed
 * in the middle makes no second one. A job leaves the set when its copy is released: what its owner
 * does with the copy afterwards is his.
 */
final class Resubmission {

  /** Ends the name of the user set of jobs that are on their way. */
  static final String MOVING = "moving";

  /** What is noted of a job begins with one of these words. */
  private static final String JOB = "job";

  /** Its owner has suspended it himself. */
  private static final String OWN = "own";

  /** It was refused, and stays where it is. */
  private static final String KEPT = "kept";

  private static final Pattern ENTRIES =
      Pattern.compile("(job|own|kept)([0-9]{1,10})\\.([A-Za-z_][A-Za-z0-9._-]{0,31})");

  /** Words of which it is known that the order was looked at, and nothing was done. */
  private static final Pattern REFUSAL =
      Pattern.compile(
          "(?m)^(Unable to run job: )?(job rejected|denied): .+|^Sorry, user .+ is not allowed.*");

  private final CellCommands commands;
  private final String set;
  private final Map<String, Boolean> users = new HashMap<>();

  /** A job that is on its way, or was refused. */
  private record ResubmittedJob(String how, long number, String owner) {
    String text() {
      return how + number + "." + owner;
    }
  }

  Resubmission(CellCommands commands, String set) {
    this.commands = commands;
    this.set = set;
  }

  /**
   * Sends jobs back, and goes on with those that were.
   *
   * @param cell as it is
   * @param instances queue instances from which jobs are to go
   * @param undone gets what is not done yet
   */
  void carryOut(CellState cell, Set<String> instances, List<String> undone)
      throws CellTrouble, InterruptedException {
    boolean begun = cell.sets().contains(set);
    if (instances.isEmpty() && !begun) {
      return;
    }
    Map<Long, LocalJob> jobs =
        LocalJob.read(
            commands.ask("qstat", "-u", "*", "-s", "prs", "-xml"),
            commands.ask("qstat", "-j", "*", "-xml"));
    Set<ResubmittedJob> noted = begun ? noted() : new LinkedHashSet<>();
    boolean all = true;
    for (LocalJob job : jobs.values()) {
      try {
        begin(job, instances, noted);
      } catch (CellTrouble e) {
        all = false;
        undone.add(e.getMessage());
      }
    }
    for (ResubmittedJob each : List.copyOf(noted)) {
      try {
        all &= move(each, jobs, instances, noted);
      } catch (CellTrouble e) {
        all = false;
        undone.add(e.getMessage());
      }
    }
    if (!all) {
      undone.add("jobs are being sent back to the queue");
    } else if (begun && noted.isEmpty()) {
      commands.order("qconf", "-dul", set);
    }
  }

  private Set<ResubmittedJob> noted() throws CellTrouble, InterruptedException {
    Set<ResubmittedJob> noted = new LinkedHashSet<>();
    String entries =
        CellState.fields(commands.ask("qconf", "-su", set)).getOrDefault("entries", "");
    for (String each : entries.split("[,\\s]+")) {
      Matcher entry = ENTRIES.matcher(each);
      if (entry.matches()) {
        noted.add(
            new ResubmittedJob(entry.group(1), Long.parseLong(entry.group(2)), entry.group(3)));
      }
    }
    return noted;
  }

  private void note(ResubmittedJob entry, Set<ResubmittedJob> noted)
      throws CellTrouble, InterruptedException {
    commands.order("qconf", "-au", entry.text(), set);
    noted.add(entry);
  }

  private void takeOut(ResubmittedJob entry, Set<ResubmittedJob> noted)
      throws CellTrouble, InterruptedException {
    commands.order("qconf", "-du", entry.text(), set);
    noted.remove(entry);
  }

  /** Whose a job is has to be known before anything is done to it. */
  private void begin(LocalJob job, Set<String> instances, Set<ResubmittedJob> noted)
      throws CellTrouble, InterruptedException {
    if (!isDue(job, instances) || noted.stream().anyMatch(it -> it.number() == job.number())) {
      return;
    }
    Boolean user = users.get(job.owner());
    if (user == null) {
      user = commands.isUser(job.owner());
      users.put(job.owner(), user);
    }
    if (user) {
      note(new ResubmittedJob(job.isSuspended() ? OWN : JOB, job.number(), job.owner()), noted);
    }
  }

  /** Arrays are not copied, as those of their tasks that are over would run again. */
  private static boolean isDue(LocalJob job, Set<String> instances) {
    return instances.contains(job.instance()) && job.movable() && !job.state().contains("d");
  }

  /** Goes a step further with a job; gives whether nothing is to be done with it any more. */
  private boolean move(
      ResubmittedJob entry,
      Map<Long, LocalJob> jobs,
      Set<String> instances,
      Set<ResubmittedJob> noted)
      throws CellTrouble, InterruptedException {
    String text = Long.toString(entry.number());
    LocalJob job = jobs.get(entry.number());
    if (entry.how().equals(KEPT)) {
      if (job == null || !instances.contains(job.instance())) {
        takeOut(entry, noted);
      }
      return true;
    }
    if (noted.contains(new ResubmittedJob(KEPT, entry.number(), entry.owner()))) {
      takeOut(entry, noted);
      return true;
    }
    if (job == null || !job.owner().equals(entry.owner())) {
      release(text, entry.owner(), jobs.values());
      takeOut(entry, noted);
      return true;
    }
    if (jobs.values().stream().anyMatch(it -> it.isCopyOf(job))) {
      commands.order("qdel", text);
      return false;
    }
    if (isDue(job, instances)) {
      copy(entry, noted);
      return false;
    }
    if (!job.state().contains("d") && job.mark().equals(text)) {
      // The reservation was over before a copy was made.
      leave(entry);
    }
    takeOut(entry, noted);
    return true;
  }

  private void copy(ResubmittedJob entry, Set<ResubmittedJob> noted)
      throws CellTrouble, InterruptedException {
    String text = Long.toString(entry.number());
    commands.order("qalter", "-ac", LocalJob.MARK + "=" + text, text);
    if (entry.how().equals(JOB)) {
      commands.order("qmod", "-sj", text);
    }
    OutsideAnswer answer = commands.orderAs(entry.owner(), "qresub", "-h", "u", text);
    if (answer.isGood()) {
      commands.order("qdel", text);
      return;
    }
    boolean refused =
        answer.isWhole() && (SudoWords.refused(answer) || REFUSAL.matcher(answer.said()).find());
    if (refused) {
      leave(entry);
      note(new ResubmittedJob(KEPT, entry.number(), entry.owner()), noted);
      takeOut(entry, noted);
    }
    throw new CellTrouble(
        "qresub "
            + text
            + " by "
            + entry.owner()
            + ": "
            + answer.trouble()
            + (refused ? "; it stays suspended" : ""));
  }

  /** A job is again as its owner had it. */
  private void leave(ResubmittedJob entry) throws CellTrouble, InterruptedException {
    String text = Long.toString(entry.number());
    if (entry.how().equals(JOB)) {
      commands.order("qmod", "-usj", text);
    }
    commands.order("qalter", "-dc", LocalJob.MARK, text);
  }

  /**
   * The job is gone; of two copies the first one is the one. When one is not held any more, another
   * one has come late, and would be a second run.
   */
  private void release(String number, String owner, Collection<LocalJob> jobs)
      throws CellTrouble, InterruptedException {
    List<LocalJob> copies =
        jobs.stream().filter(it -> it.mark().equals(number) && it.owner().equals(owner)).toList();
    if (!copies.stream().allMatch(it -> it.state().contains("h"))) {
      return;
    }
    for (int i = copies.size() - 1; i >= 0; i--) {
      commands.order(i > 0 ? "qdel" : "qrls", Long.toString(copies.get(i).number()));
    }
  }
}
