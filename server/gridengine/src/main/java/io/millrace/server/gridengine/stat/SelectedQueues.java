package io.millrace.server.gridengine.stat;

import io.millrace.schedulers.gridengine.language.cluster.AllocationRule;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.ParallelEnvironment;
import io.millrace.schedulers.gridengine.language.cluster.QueueInstance;
import io.millrace.schedulers.gridengine.language.request.EnvironmentRequest;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.QueueRequest;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.SlotRanges;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.state.Job;
import io.millrace.server.gridengine.cell.Cell;
import io.millrace.server.gridengine.cell.CellAdmission;
import io.millrace.server.gridengine.cell.CellHosts;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The queue instances that qstat was asked about, and which jobs they would take. */
final class SelectedQueues {

  private final Cell cell;
  private final Cluster cluster;
  private final QueueSelection asked;
  private final List<QueueInstance> queues;
  private final Set<String> names;
  private final Instant now;

  /** Whether a class of jobs fits. */
  private final Map<String, Boolean> fits = new HashMap<>();

  SelectedQueues(Cell cell, QueueSelection asked, CellHosts hosts, Instant now) {
    this.cell = cell;
    this.cluster = cell.configuration().cluster();
    this.asked = asked;
    this.now = now;
    this.queues =
        cluster.queues().stream()
            .filter(this::named)
            .filter(this::offersEnvironment)
            .filter(this::takesUser)
            .filter(this::meetsRequests)
            .filter(queue -> inState(hosts.states(queue)))
            .sorted(Comparator.comparing(QueueInstance::name))
            .toList();
    this.names = queues.stream().map(QueueInstance::name).collect(Collectors.toSet());
  }

  private boolean named(QueueInstance queue) {
    return asked.names().isEmpty()
        || QueueRequest.list(asked.names()).stream()
            .anyMatch(request -> request.fits(queue, cluster.groups()));
  }

  private boolean offersEnvironment(QueueInstance queue) {
    List<String> wanted = List.of(asked.environments().split(","));
    return asked.environments().isEmpty()
        || cluster.environments().stream()
            .anyMatch(each -> wanted.contains(each.name()) && queue.offers(each));
  }

  private boolean takesUser(QueueInstance queue) {
    return asked.users().isEmpty()
        || List.of(asked.users().split(",")).stream()
            .anyMatch(user -> queue.access().admitsUser(user, cluster.accessLists()));
  }

  private boolean meetsRequests(QueueInstance queue) {
    if (asked.resources().isEmpty()) {
      return true;
    }
    Submission probe = Submission.of(List.of("-b", "y", "-l", asked.resources(), "probe"));
    return only(List.of(queue)).neverFits(probe, needs(probe), "", now).isEmpty();
  }

  /**
   * The request in the terms of this cell.
   *
   * @throws RequestRefused when it names what there is not
   */
  private Needs needs(Submission request) {
    return request.needs(cluster.complexes());
  }

  private CellAdmission only(List<QueueInstance> some) {
    return only(some, cluster.environments());
  }

  private CellAdmission only(List<QueueInstance> some, List<ParallelEnvironment> environments) {
    return new CellAdmission(
        new Cluster(
            cluster.complexes(),
            some,
            cluster.hosts(),
            environments,
            cluster.groups(),
            cluster.accessLists()),
        cell.configuration().scheduler());
  }

  private boolean inState(String letters) {
    return asked.states().isEmpty()
        || asked.states().chars().anyMatch(letter -> letters.indexOf(letter) >= 0);
  }

  List<QueueInstance> queues() {
    return queues;
  }

  boolean isEmpty() {
    return queues.isEmpty();
  }

  /** Whether a run holds slots of a selected instance. */
  boolean hold(StatRow row) {
    return !asked.asked() || row.queues().stream().anyMatch(names::contains);
  }

  /**
   * Whether a selected instance would take the job if nothing else ran; a parallel job when one of
   * its slots could be there, as the others may be in instances that were not asked about.
   */
  boolean take(Job job, Submission request) {
    return !asked.narrows()
        || fits.computeIfAbsent(
            request.category(job.getSpec().getOwner()),
            category -> fits(request, job.getSpec().getOwner()));
  }

  private boolean fits(Submission request, String owner) {
    try {
      Needs one = oneSlot(needs(request));
      return only(queues, anywhere()).neverFits(request, one, owner, now).isEmpty();
    } catch (RequestRefused e) {
      return false; // the configuration has changed under it, so no queue takes it
    }
  }

  private static Needs oneSlot(Needs needs) {
    return new Needs(
        needs.hard(),
        needs.soft(),
        needs.queues(),
        needs.softQueues(),
        needs.environment().map(it -> new EnvironmentRequest(it.name(), SlotRanges.of("1"))));
  }

  /** The environments without their rules of how many slots have to be on a host. */
  private List<ParallelEnvironment> anywhere() {
    AllocationRule any = AllocationRule.of("$fill_up");
    return cluster.environments().stream()
        .map(
            it ->
                new ParallelEnvironment(it.name(), it.slots(), any, it.urgencySlots(), it.access()))
        .toList();
  }
}
