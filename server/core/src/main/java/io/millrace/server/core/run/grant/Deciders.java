package io.millrace.server.core.run.grant;

import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.command.RunNow;
import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.GridEngineGrant;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.PlacementRule;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.resources.VnodeText;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Scheduler;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.admission.RunningAmounts;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.decision.PbsRefusal;
import io.millrace.server.core.engine.Epochs;
import io.millrace.server.core.job.array.SubjobWindow;
import io.millrace.server.core.order.Orders;
import io.millrace.server.core.parking.JobForwarding;
import io.millrace.server.core.placement.CustomResources;
import io.millrace.server.core.placement.HostNodes;
import io.millrace.server.core.placement.NodeRoom;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.placement.PlacementCheck;
import io.millrace.server.core.placement.QueueNodes;
import io.millrace.server.core.placement.SchedulerScope;
import io.millrace.server.core.placement.SetCheck;
import io.millrace.server.core.run.suspend.Suspensions;
import io.millrace.server.core.share.StartCharges;
import io.millrace.server.core.state.ArrayStates;
import io.millrace.server.core.state.JobRecords;
import io.millrace.server.core.state.Slots;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Checks proposals to run jobs, and qrun, against the shard's own state. */
public final class Deciders {
  private final QueueNodes queueNodes = new QueueNodes();
  private final HostNodes hostNodes = new HostNodes();

  public Decision decide(Context c, RunJob command) {
    if (!Epochs.holds(c.view(), command.getScheduler(), command.getEpoch())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    Job job = c.job(command.getJobId());
    if (job == null) {
      return Decision.rejected(c, PbsError.UNKNOWN_JOB);
    }
    if (job.getStatus() != JobStatus.QUEUED || ArrayStates.is(job)) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    if (!SchedulerScope.of(c, job, command.getScheduler())) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    try {
      return run(c, command, QueueEntry.of(c, job, command));
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
  }

  private Decision run(Context c, RunJob command, QueueEntry entry) {
    Job job = entry.job();
    if (!SchedulerScope.started(c, job)) {
      return Decision.rejected(c, PbsError.STALE_PROPOSAL);
    }
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    // Which nodes may run a Grid Engine job is up to the configuration of its cell.
    Predicate<ClusterObject> serves =
        command.getGridEngine() == null
            ? node -> queueNodes.serves(c.view(), node, queue)
            : SchedulerScope.served(c, command.getScheduler());
    ResourceTable resources = CustomResources.with(c.view());
    List<NodeShare> shares = command.getShares();
    ResourceRequest request = job.getSpec().getRequest();
    var placement = JobRecords.placement(job);
    if (!covers(command, job)
        || !new NodeRoom(c.view(), resources, job, command.getGridEngine() != null, c.nowMs())
            .has(serves, shares, request)) {
      return Decision.rejected(c, PbsError.NO_ROOM);
    }
    PlacementRule sets =
        SetCheck.rule(c.view(), queue, command.getScheduler()).ofJob(placement.group());
    if (!PlacementCheck.kept(c.view(), placement.arrangement(), shares)
        || command.getGridEngine() == null && !SetCheck.kept(c.view(), sets, shares, resources)) {
      return Decision.rejected(c, PbsError.WRONG_PLACEMENT, request.getPlace());
    }
    if (!PlacementCheck.ofOneCluster(c.view(), shares)) {
      return Decision.rejected(c, PbsError.SEVERAL_CLUSTERS);
    }
    Optional<Decision> refusal = RunningAmounts.refusal(c, job, shares);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Allocation allocation = allocation(c.view(), job, shares, resources, false);
    allocation.setGridEngine(command.getGridEngine());
    Decision decision = Decision.done(c);
    entry.facts(c, decision);
    grant(c, job, command.getScheduler(), command.getEpoch(), allocation, decision);
    StartCharges.started(c, job, job.getRun() + 1, command.getScheduler(), decision);
    return decision;
  }

  /** Nodes of a partition, whatever queue they are bound to. */
  static Predicate<ClusterObject> inPartition(String partition) {
    return node -> partition.equals(PartitionTable.partitionOf(node));
  }

  private static Decision grant(
      Context c, Job job, String scheduler, long epoch, Allocation allocation, Decision decision) {
    int run = job.getRun() + 1;
    decision
        .fact(new RunGranted(c.stamp(), job.getId(), run, scheduler, epoch, allocation))
        .dispatch(Orders.start(c, job, run, allocation));
    SubjobWindow.began(c, job, decision);
    return decision;
  }

  /**
   * qrun ignores the order of jobs, limits, stopped queues and switched off scheduling, and as in
   * PBS the queues of nodes that are named; but no node is given more than it has.
   */
  public Decision decide(Context c, RunNow command) {
    if (!c.isOperator()) {
      return Decision.rejected(c, PbsError.UNAUTHORIZED);
    }
    Decision away = JobForwarding.elsewhere(c, command.getJobId(), command);
    if (away != null) {
      return away;
    }
    Job job = c.job(command.getJobId());
    if (job.getStatus() == JobStatus.FINISHED) {
      return Decision.rejected(c, PbsError.JOB_FINISHED);
    }
    if (job.getSuspension() != Suspension.NONE) {
      return Suspensions.askToResume(c, job);
    }
    if (ArrayStates.is(job)) {
      return Decision.rejected(c, PbsError.INVALID_REQUEST);
    }
    if (job.getSpec().getGridEngine() != null) {
      return Decision.rejected(c, PbsError.UNSUPPORTED, ": a job of Grid Engine's");
    }
    if (job.getStatus() != JobStatus.QUEUED || job.getRoute() != null) {
      return Decision.rejected(c, PbsError.BAD_STATE);
    }
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    String partition = PartitionTable.partitionOf(queue);
    String scheduler = PartitionTable.schedulerOf(c.view(), partition);
    if (queue == null || (scheduler.isEmpty() && command.getNodes().isEmpty())) {
      return Decision.rejected(c, PbsError.NO_SCHEDULER);
    }
    ResourceTable resources = CustomResources.with(c.view());
    PlacementRule sets = SetCheck.rule(c.view(), queue, scheduler);
    QrunPlacement search =
        new QrunPlacement(
            c.view(),
            resources,
            job,
            c.nowMs(),
            // Nodes that an operator names need not be in one of the administrator's sets.
            (command.getNodes().isEmpty() ? sets : sets.withoutSets())
                .ofJob(JobRecords.placement(job).group()),
            command.getNodes().isEmpty()
                ? node -> queueNodes.serves(c.view(), node, queue)
                : inPartition(partition));
    try {
      List<NodeShare> shares = search.shares(command.getNodes(), partition);
      Scheduler state = c.view().schedulers().get(scheduler);
      long epoch = state == null ? 0 : state.getEpoch();
      return grant(
          c,
          job,
          scheduler,
          epoch,
          allocation(c.view(), job, shares, resources, !command.getNodes().isEmpty()),
          Decision.done(c));
    } catch (PbsRefusal e) {
      return Decision.rejected(c, e);
    }
  }

  private static boolean covers(RunJob command, Job job) {
    ResourceRequest request = job.getSpec().getRequest();
    GridEngineGrant grant = command.getGridEngine();
    if (grant == null) {
      return PlacementCheck.covers(command.getShares(), request);
    }
    GridEngineRequest asked = job.getSpec().getGridEngine();
    return asked != null
        && grant.getQueues().size() == command.getShares().size()
        && PlacementCheck.coversSlots(command.getShares(), request, asked.getSlotsMax());
  }

  /**
   * The allocation as exec_host and exec_vnode show it; as in PBS without brackets on nodes that
   * were named.
   */
  private Allocation allocation(
      View view, Job job, List<NodeShare> shares, ResourceTable resources, boolean named) {
    StringBuilder hosts = new StringBuilder();
    Slots slots = new Slots();
    List<NodeShare> checked = new ArrayList<>(shares.size());
    for (NodeShare share : shares) {
      // The host is taken from the node, not from the proposal.
      Node node = view.nodes().get(share.getNode());
      String host = node.getHost();
      checked.add(new NodeShare(share.getNode(), host, share.getChunks(), share.getAmounts()));
      long ncpus = share.getAmounts().getOrDefault("ncpus", 0L);
      hosts.append(hosts.length() == 0 ? "" : "+").append(host);
      hosts.append('/').append(slots.take(host, hostNodes.with(view, node)));
      if (ncpus != 1) {
        hosts.append('*').append(ncpus);
      }
    }
    String vnodes = VnodeText.of(shares, job.getSpec().getResourceList(), resources, named);
    return new Allocation(checked, hosts.toString(), vnodes, null);
  }
}
