package io.millrace.connectors.gridengine.reserve;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Jobs that run where a reservation has begun go back to the queue, as copies of their owners'. A
 * copy is made held, and is released when the job is gone that it is a copy of, so that never both
 * run.
 *
 * <p>The jobs that are on their way stand in a user set, which only managers write. Which job a
 * copy is of stands in its context, as that of a job goes along with a copy. So whoever is killed
 * in the middle makes no second one.
 */
final class Resubmission {

  /** Ends the name of the user set of jobs that are on their way. */
  static final String MOVING = "moving";

  private static final String ENTRY = "job";
  private static final Pattern ENTRIES = Pattern.compile(ENTRY + "([0-9]{1,10})\\.(.+)");

  private final CellCommands commands;
  private final String set;

  Resubmission(CellCommands commands, String set) {
    this.commands = commands;
    this.set = set;
  }

  /**
   * Sends jobs back, and goes on with those that were.
   *
   * @param cell as it is
   * @param instances queue instances that were suspended for reservations
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
    Map<Long, String> moving = begun ? moving() : new TreeMap<>();
    boolean all = true;
    for (LocalJob job : jobs.values()) {
      if (isDue(job, instances) && !moving.containsKey(job.number())) {
        commands.order("qconf", "-au", ENTRY + job.number() + "." + job.owner(), set);
        moving.put(job.number(), job.owner());
      }
    }
    for (Map.Entry<Long, String> each : moving.entrySet()) {
      try {
        all &= move(each.getKey(), each.getValue(), jobs, instances);
      } catch (CellTrouble e) {
        all = false;
        undone.add(e.getMessage());
      }
    }
    if (!all) {
      undone.add("jobs are being sent back to the queue");
    } else if (begun) {
      commands.order("qconf", "-dul", set);
    }
  }

  /** Owners by numbers of jobs. */
  private Map<Long, String> moving() throws CellTrouble, InterruptedException {
    Map<Long, String> moving = new TreeMap<>();
    String entries =
        CellState.fields(commands.ask("qconf", "-su", set)).getOrDefault("entries", "");
    for (String each : entries.split("[,\\s]+")) {
      Matcher entry = ENTRIES.matcher(each);
      if (entry.matches()) {
        moving.put(Long.parseLong(entry.group(1)), entry.group(2));
      }
    }
    return moving;
  }

  /** Arrays are not copied, as those of their tasks that are over would run again. */
  private static boolean isDue(LocalJob job, Set<String> instances) {
    return instances.contains(job.instance())
        && job.single()
        && !job.owner().equals("root")
        && !job.state().contains("d");
  }

  /** Goes a step further with a job; gives whether it has come to its end. */
  private boolean move(long number, String owner, Map<Long, LocalJob> jobs, Set<String> instances)
      throws CellTrouble, InterruptedException {
    String text = Long.toString(number);
    LocalJob job = jobs.get(number);
    if (job == null) {
      release(text, owner, jobs.values());
      return true;
    }
    if (jobs.values().stream().anyMatch(it -> it.isCopyOf(job))) {
      commands.order("qdel", text);
      return false;
    }
    if (isDue(job, instances)) {
      commands.order("qalter", "-ac", LocalJob.MARK + "=" + text, text);
      commands.order("qmod", "-sj", text);
      commands.orderAs(job.owner(), "qresub", "-h", "u", text);
      commands.order("qdel", text);
      return false;
    }
    if (!job.state().contains("d")) {
      // The reservation was over before a copy was made.
      commands.order("qmod", "-usj", text);
    }
    return true;
  }

  /** The job is gone; of two copies the first one is the one. */
  private void release(String number, String owner, Collection<LocalJob> jobs)
      throws CellTrouble, InterruptedException {
    List<String> copies = new ArrayList<>();
    jobs.stream()
        .filter(it -> it.mark().equals(number) && it.owner().equals(owner))
        .filter(it -> it.state().contains("h"))
        .forEach(it -> copies.add(Long.toString(it.number())));
    for (int i = copies.size() - 1; i >= 0; i--) {
      commands.order(i > 0 ? "qdel" : "qrls", copies.get(i));
    }
  }
}
