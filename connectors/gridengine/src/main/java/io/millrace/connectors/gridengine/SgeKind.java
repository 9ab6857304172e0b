package io.millrace.connectors.gridengine;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.ClusterKeys;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.cluster.TransportKeys;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideReservations;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.gridengine.reserve.SgeReservations;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Grid Engine, as a cluster file calls it. */
public final class SgeKind implements OutsideKind {

  private static final ClusterKey.TextForm NAME =
      new ClusterKey.TextForm(
          Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}"),
          "a name of letters, digits, dots, hyphens and underscores");

  @Override
  public String name() {
    return "gridengine";
  }

  @Override
  public List<ClusterKey> keys() {
    return List.of(
        ClusterKey.required(SgeKeys.ROOT, ClusterKeys.PATH, "SGE_ROOT of the cluster."),
        ClusterKey.with(SgeKeys.CELL, "default", NAME, "SGE_CELL of the cluster."),
        ClusterKey.number(
            SgeKeys.PORT,
            6444,
            new ClusterKey.NumberForm(1, 65535, "port"),
            "The port of qmaster, where it is not the usual one."),
        ClusterKey.optional(
            SgeKeys.ACCOUNTING,
            ClusterKeys.PATH,
            "The accounting file, where it is not in the folder common of the cell."),
        ClusterKey.optional(
            SgeKeys.REPORTING,
            ClusterKeys.PATH,
            "The reporting file; with it starts are known at once, without it at the next question"
                + " for the queue."),
        ClusterKey.optional(
            SgeKeys.EVENTS,
            ClusterKeys.PATH,
            "The program qevent of this host, as /usr/lib/gridengine/qevent: with it starts and ends"
                + " are known in about a second where there is no reporting file; it runs as long"
                + " as the cluster is served."),
        ClusterKey.optional(
            SgeKeys.PE,
            NAME,
            "The parallel environment of jobs with more than one slot on one host."),
        environments(),
        ClusterKey.optional(
            SgeKeys.MEMORY,
            NAME,
            "The complex by which jobs ask for memory, as h_vmem or mem_free; without it what a job"
                + " asks for is not passed on."),
        ClusterKeys.resources(
            SgeComplexes.FORM,
            "A consumable that hosts have in their complex_values, and that jobs ask for with -l:"
                + " NAME where qconf -sc says JOB, NAME/slot where it says YES."),
        ClusterKey.with(
            SgeKeys.MANAGED,
            "millrace",
            NAME,
            "The FORCED complex of the queue of mode = place: Grid Engine starts there only what"
                + " asks for it, as jobs from here do."),
        ClusterKey.with(
            SgeReservations.AT_START,
            SgeReservations.SUSPEND,
            new ClusterKey.ChoiceForm(List.of(SgeReservations.SUSPEND, SgeReservations.RESUBMIT)),
            "With mode = reserve, what becomes of jobs that run on the hosts of a reservation when"
                + " it begins: they are suspended until its end, or submitted again in the names of"
                + " their owners and deleted, which needs as = sudo."));
  }

  private static ClusterKey environments() {
    return ClusterKey.optional(
        SgeKeys.PE_HOSTS,
        new ClusterKey.TextForm(
            Pattern.compile("(?=[^%]*%[^%]*$)[A-Za-z0-9_%][A-Za-z0-9_.%-]{0,60}"),
            "a name of letters, digits, dots, hyphens and underscores, with one " + SgeKeys.SLOTS),
        "The parallel environments of jobs on several hosts, where "
            + SgeKeys.SLOTS
            + " stands for the number of slots on each host, which has to be their"
            + " allocation_rule: mpi.% for mpi.1, mpi.2 and so on; without it such jobs are"
            + " refused.");
  }

  @Override
  public Set<String> keysOfRuns() {
    return Set.of(
        SgeKeys.PE, SgeKeys.PE_HOSTS, SgeKeys.MANAGED, SgeKeys.MEMORY, SgeReservations.AT_START);
  }

  @Override
  public OutsideSystem open(ClusterFile file, CommandRunner runner) {
    return new SgeSystem(file, runner);
  }

  @Override
  public boolean reserves() {
    return true;
  }

  @Override
  public Optional<OutsideReservations> reservations(ClusterFile file, CommandRunner runner) {
    OutsideSystem system = open(file, runner);
    return Optional.of(
        new SgeReservations(
            file,
            runner,
            SgeKeys.environment(file),
            () ->
                system.inventory() instanceof Told.Answered<OutsideInventory> answer
                    ? Optional.of(answer.value().hosts())
                    : Optional.empty()));
  }

  @Override
  public Optional<String> unfit(Map<String, String> values) {
    if (values.containsKey(SgeKeys.EVENTS)
        && !TransportKeys.LOCAL.equals(values.get(TransportKeys.TRANSPORT))) {
      return Optional.of("events needs transport = local: qevent is followed on this host only");
    }
    Optional<String> twice = SgeComplexes.twice(values);
    if (twice.isPresent()) {
      return twice;
    }
    return "self".equals(values.get("as"))
            && SgeReservations.RESUBMIT.equals(values.get(SgeReservations.AT_START))
        ? Optional.of("reservation_start = resubmit needs as = sudo")
        : Optional.empty();
  }

  @Override
  public List<String> programs() {
    return List.of(
        "qsub", "qdel", "qhold", "qrls", "qalter", "qmod", "qstat", "qhost", "qconf", "qping");
  }

  @Override
  public List<String> programsOfAccounts() {
    return List.of("qsub", "qdel", "qhold", "qrls", "qmod", "qalter");
  }

  @Override
  public List<CheckLine> check(ClusterFile file, CommandRunner runner) throws InterruptedException {
    return new SgeCheck(file, runner).lines();
  }
}
