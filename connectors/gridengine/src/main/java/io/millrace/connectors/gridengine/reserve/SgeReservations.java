package io.millrace.connectors.gridengine.reserve;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideReservation;
import io.millrace.connectors.bridge.system.OutsideReservations;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Reservations in a Grid Engine whose scheduler goes on working: a queue for each, with a host
 * group and a user set of its name, suspended until it begins. While it lasts the other queues are
 * suspended on its hosts, and what ran in them with them, or goes back to the queue.
 *
 * <p>Which instances were suspended for it stands in the cell before they are: in a host group for
 * each such queue. So an instance that an administrator has suspended stays so, and nothing has to
 * be remembered here.
 */
public final class SgeReservations implements OutsideReservations {

  /** Where the hosts come from. */
  public interface CellHostSource {
    /** All hosts with their queues. */
    Optional<List<OutsideHost>> read() throws InterruptedException;
  }

  /** The key that says what becomes of what runs there when a reservation begins. */
  public static final String AT_START = "reservation_start";

  /** It stays where it is, and goes on at the end. */
  public static final String SUSPEND = "suspend";

  /** It goes back to the queue. */
  public static final String RESUBMIT = "resubmit";

  /** Ends the name of the user set that says which home has made what is ours. */
  private static final String HOME = "home";

  private static final String HOSTLIST = "hostlist";
  private static final String NONE = "NONE";

  private interface CellStep {
    void carryOut() throws CellTrouble, InterruptedException;
  }

  private final ClusterFile file;
  private final CellCommands commands;
  private final CellHostSource hosts;
  private final List<String> undone = new ArrayList<>();
  private CellState cell;

  public SgeReservations(
      ClusterFile file,
      CommandRunner runner,
      Map<String, String> environment,
      CellHostSource hosts) {
    this.file = file;
    this.commands = new CellCommands(file, runner, environment);
    this.hosts = hosts;
  }

  private String queue(String name) {
    return OutsideReservation.queue(file.name(), name);
  }

  @Override
  public Optional<String> carryOut(String home, Collection<OutsideReservation> all)
      throws InterruptedException {
    Map<String, OutsideReservation> wanted = new TreeMap<>();
    all.forEach(it -> wanted.put(it.name(), it));
    undone.clear();
    attempt(
        () -> {
          cell = read();
          if (isOurs(home, !wanted.isEmpty() || isUsed())) {
            carryOut(wanted);
            release(wanted);
          }
        });
    return undone.stream().findFirst();
  }

  @Override
  public Optional<String> standing() throws InterruptedException {
    try {
      Set<String> names = read().reservations();
      return names.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", names));
    } catch (CellTrouble e) {
      return Optional.of(e.getMessage());
    }
  }

  /** What fails of one reservation is no reason to leave the others, or to open nothing. */
  private void carryOut(Map<String, OutsideReservation> wanted)
      throws CellTrouble, InterruptedException {
    for (String name : cell.reservations()) {
      if (!wanted.containsKey(name)) {
        attempt(() -> end(name));
      }
    }
    cell = read();
    Set<String> ready = new TreeSet<>();
    for (OutsideReservation each : wanted.values()) {
      attempt(
          () -> {
            prepare(each);
            ready.add(each.name());
          });
    }
    cell = read();
    for (OutsideReservation each : wanted.values()) {
      if (ready.contains(each.name())) {
        attempt(() -> begin(each));
      }
    }
    cell = read();
    // What was begun is brought to its end, whatever the file says by now.
    boolean more = file.text(AT_START).equals(RESUBMIT);
    attempt(
        () ->
            new Resubmission(commands, queue(Resubmission.MOVING))
                .carryOut(cell, more ? closed(wanted) : Set.of(), undone));
    reopen(wanted);
  }

  private void attempt(CellStep step) throws InterruptedException {
    try {
      step.carryOut();
    } catch (CellTrouble e) {
      undone.add(e.getMessage());
    }
  }

  /**
   * Whether what stands under the name of the cluster is of this home; notes in the cell that it is
   * before anything is made there.
   */
  private boolean isOurs(String home, boolean used) throws CellTrouble, InterruptedException {
    String set = queue(HOME);
    if (cell.sets().contains(set)) {
      String entries =
          CellState.fields(commands.ask("qconf", "-su", set)).getOrDefault("entries", "");
      if (!entries.equals(HOME + "." + home)) {
        undone.add(
            "the cell has reservations of another home under the name "
                + file.name()
                + ": call the cluster something else (name = ...), or, if that home is gone,"
                + " 'qconf -dul "
                + set
                + "'");
        return false;
      }
    } else if (used) {
      commands.put("-Au", setText(set, HOME + "." + home));
    }
    return true;
  }

  /** When nothing is left there the name is anybody's again. */
  private void release(Map<String, OutsideReservation> wanted)
      throws CellTrouble, InterruptedException {
    if (wanted.isEmpty() && undone.isEmpty() && cell.sets().contains(queue(HOME))) {
      cell = read();
      if (!isUsed()) {
        commands.order("qconf", "-dul", queue(HOME));
      }
    }
  }

  /** Whether something of ours stands there. */
  private boolean isUsed() {
    return !cell.reservations().isEmpty() || cell.sets().contains(queue(Resubmission.MOVING));
  }

  /** Queue instances that are suspended for reservations which have begun. */
  private Set<String> closed(Map<String, OutsideReservation> wanted) {
    Set<String> instances = new TreeSet<>();
    for (OutsideReservation each : wanted.values()) {
      for (String queue : cell.states().keySet()) {
        List<String> noted = cell.groups().getOrDefault(cell.closed(each.name(), queue), List.of());
        noted.stream()
            .filter(it -> each.begun() && each.hosts().contains(it))
            .forEach(it -> instances.add(queue + "@" + it));
      }
    }
    return instances;
  }

  private CellState read() throws CellTrouble, InterruptedException {
    Optional<List<OutsideHost>> told = hosts.read();
    if (told.isEmpty()) {
      throw new CellTrouble("qhost does not tell the hosts");
    }
    return CellState.read(commands, file.name(), told.get());
  }

  /** Host group, user set and queue, which is suspended before its window and after it. */
  private void prepare(OutsideReservation wanted) throws CellTrouble, InterruptedException {
    String name = queue(wanted.name());
    String group = name + CellState.HOSTS;
    String set = name + CellState.USERS;
    if (!wanted
        .hosts()
        .equals(cell.groups().getOrDefault(group, List.of()).stream().sorted().toList())) {
      String text = "group_name @" + group + "\nhostlist " + words(wanted.hosts(), " ") + "\n";
      commands.put(cell.groups().containsKey(group) ? "-Mhgrp" : "-Ahgrp", text);
    }
    users(set, wanted.accounts());
    if (!cell.queues().contains(name)) {
      commands.put("-Aq", queueText(name, wanted.hosts()));
      commands.order("qmod", "-sq", name);
      return;
    }
    if (!wanted.hosts().stream().allMatch(it -> cell.isAttached(name, it))) {
      attach(name, group);
    }
    if (!wanted.begun()) {
      for (String host : wanted.hosts()) {
        if (!cell.isSuspended(name, host)) {
          commands.order("qmod", "-sq", name + "@" + host);
        }
      }
    }
  }

  /** Its end may have begun before it was wanted again: then it has lost its hosts. */
  private void attach(String name, String group) throws CellTrouble, InterruptedException {
    if (!hostlist(name).equals("@" + group)) {
      commands.order("qconf", "-rattr", "queue", HOSTLIST, "@" + group, name);
    }
  }

  private String hostlist(String queue) throws CellTrouble, InterruptedException {
    return CellState.fields(commands.ask("qconf", "-sq", queue)).getOrDefault(HOSTLIST, NONE);
  }

  private void users(String set, List<String> accounts) throws CellTrouble, InterruptedException {
    String entries = words(accounts, ",");
    boolean there = cell.sets().contains(set);
    String present =
        there
            ? CellState.fields(commands.ask("qconf", "-su", set)).getOrDefault("entries", NONE)
            : "";
    if (!present.equals(entries)) {
      commands.put(there ? "-Mu" : "-Au", setText(set, entries));
    }
  }

  private static String setText(String set, String entries) {
    return "name " + set + "\ntype ACL\nfshare 0\noticket 0\nentries " + entries + "\n";
  }

  private static String words(List<String> all, String between) {
    return all.isEmpty() ? NONE : String.join(between, all);
  }

  /**
   * The queue with the settings of the one that the file names. Its instances begin disabled, as it
   * can be suspended only when it is there.
   */
  private String queueText(String name, List<String> own) throws CellTrouble, InterruptedException {
    Map<String, String> fields = CellState.fields(commands.ask("qconf", "-sq", file.text("queue")));
    fields.replaceAll((key, value) -> ofHosts(value, own));
    fields.put("qname", name);
    fields.put(HOSTLIST, "@" + name + CellState.HOSTS);
    fields.put("user_lists", name + CellState.USERS);
    fields.put("initial_state", "disabled");
    for (String none : List.of("xuser_lists", "subordinate_list", "calendar", "complex_values")) {
      fields.put(none, NONE);
    }
    StringBuilder text = new StringBuilder();
    fields.forEach((key, value) -> text.append(key).append(' ').append(value).append('\n'));
    return text.toString();
  }

  /** Without what the value is on other hosts. */
  private static String ofHosts(String value, List<String> own) {
    String[] parts = value.split(",(?=\\[)");
    StringBuilder kept = new StringBuilder(parts[0]);
    for (int i = 1; i < parts.length; i++) {
      String host = parts[i].substring(1).replaceFirst("=.*", "");
      if (own.contains(host)) {
        kept.append(',').append(parts[i]);
      }
    }
    return kept.toString();
  }

  /** Suspends the other queues on its hosts, and only then opens its own. */
  private void begin(OutsideReservation wanted) throws CellTrouble, InterruptedException {
    if (!wanted.begun()) {
      return;
    }
    for (Map.Entry<String, Map<String, String>> each : cell.states().entrySet()) {
      if (!CellState.isReserved(each.getKey())) {
        close(wanted, each.getKey(), each.getValue().keySet());
      }
    }
    String own = queue(wanted.name());
    for (String host : wanted.hosts()) {
      String state = cell.states().getOrDefault(own, Map.of()).getOrDefault(host, "");
      if (state.contains("s")) {
        commands.order("qmod", "-usq", own + "@" + host);
      }
      if (state.contains("d")) {
        commands.order("qmod", "-e", own + "@" + host);
      }
    }
  }

  private void close(OutsideReservation wanted, String queue, Set<String> instances)
      throws CellTrouble, InterruptedException {
    String group = cell.closed(wanted.name(), queue);
    Set<String> noted = new TreeSet<>(cell.groups().getOrDefault(group, List.of()));
    Set<String> due = new TreeSet<>(noted);
    for (String host : wanted.hosts()) {
      // One that is suspended is noted only when it is so for another reservation.
      if (instances.contains(host) && (!cell.isSuspended(queue, host) || isNoted(queue, host))) {
        due.add(host);
      }
    }
    if (!due.equals(noted)) {
      String text = "group_name @" + group + "\nhostlist " + String.join(" ", due) + "\n";
      commands.put(cell.groups().containsKey(group) ? "-Mhgrp" : "-Ahgrp", text);
    }
    for (String host : due) {
      if (wanted.hosts().contains(host) && !cell.isSuspended(queue, host)) {
        commands.order("qmod", "-sq", queue + "@" + host);
      }
    }
  }

  private boolean isNoted(String queue, String host) {
    return cell.groups().entrySet().stream()
        .anyMatch(
            it -> it.getKey().endsWith(CellState.CLOSED + queue) && it.getValue().contains(host));
  }

  /**
   * Closes its queue, so that nothing begins there any more; deletes its jobs, those that wait as
   * well; then what was made for it. Only a job that runs keeps its queue.
   */
  private void end(String name) throws CellTrouble, InterruptedException {
    String own = queue(name);
    if (cell.queues().contains(own)) {
      if (cell.states().getOrDefault(own, Map.of()).values().stream()
          .anyMatch(it -> !it.contains("d"))) {
        commands.order("qmod", "-d", own);
      }
      if (!hostlist(own).equals(NONE)) {
        commands.order("qconf", "-rattr", "queue", HOSTLIST, NONE, own);
      }
      QueueJobs jobs =
          QueueJobs.of(own, commands.text("qstat", "-u", "*", "-s", "prs", "-r", "-xml"));
      // Each may be gone before it is deleted.
      for (List<String> job : jobs.all()) {
        attempt(() -> commands.order("qdel", job.toArray(String[]::new)));
      }
      if (jobs.isBusy()) {
        undone.add("jobs of " + own + " are being deleted");
        return;
      }
      commands.order("qconf", "-dq", own);
    }
    if (cell.sets().contains(own + CellState.USERS)) {
      commands.order("qconf", "-dul", own + CellState.USERS);
    }
    if (cell.groups().containsKey(own + CellState.HOSTS)) {
      commands.order("qconf", "-dhgrp", "@" + own + CellState.HOSTS);
    }
  }

  /** What was suspended for a reservation goes on when that does not have the host any more. */
  private void reopen(Map<String, OutsideReservation> wanted) throws InterruptedException {
    List<ClosedGroup> all = new ArrayList<>();
    cell.groups()
        .forEach((name, noted) -> ClosedGroup.of(cell.prefix(), name, noted).ifPresent(all::add));
    for (ClosedGroup group : all) {
      attempt(() -> reopen(group, all, wanted));
    }
  }

  private void reopen(
      ClosedGroup group, List<ClosedGroup> all, Map<String, OutsideReservation> wanted)
      throws CellTrouble, InterruptedException {
    List<String> kept = new ArrayList<>();
    for (String host : group.hosts()) {
      boolean others =
          all.stream()
              .anyMatch(
                  it -> it != group && it.queue().equals(group.queue()) && keeps(it, host, wanted));
      if (keeps(group, host, wanted) || !others && isHidden(group.queue(), host)) {
        kept.add(host);
      } else if (!others && cell.isSuspended(group.queue(), host)) {
        commands.order("qmod", "-usq", group.queue() + "@" + host);
      }
    }
    if (kept.isEmpty()) {
      commands.order("qconf", "-dhgrp", "@" + group.name());
    } else if (kept.size() < group.hosts().size()) {
      commands.put(
          "-Mhgrp", "group_name @" + group.name() + "\nhostlist " + words(kept, " ") + "\n");
    }
  }

  /** Whether a queue stays suspended on a host for the reservation that has noted it. */
  private boolean keeps(ClosedGroup group, String host, Map<String, OutsideReservation> wanted) {
    OutsideReservation own = wanted.get(group.reservation());
    if (own == null) {
      // Until its jobs are gone.
      return group.hosts().contains(host) && cell.queues().contains(queue(group.reservation()));
    }
    return own.begun() && own.hosts().contains(host) && group.hosts().contains(host);
  }

  /** Whether nobody says what the instance is like: it may be suspended for us. */
  private boolean isHidden(String queue, String host) {
    return cell.queues().contains(queue)
        && !cell.states().getOrDefault(queue, Map.of()).containsKey(host);
  }
}
