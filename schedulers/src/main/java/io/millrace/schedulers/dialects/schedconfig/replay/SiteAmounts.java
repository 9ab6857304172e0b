package io.millrace.schedulers.dialects.schedconfig.replay;

import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceKind;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.schedconfig.ComparedResources;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What there is of resources in a session: on nodes, on the server, and what is not compared. */
final class SiteAmounts {

  private static final String AVAILABLE = "resources_available.";
  private static final int ALARM_S = 30;

  private final SchedulerState state;
  private final SiteObjects objects;
  private final SiteSession.Programs programs;
  private final Map<String, Long> inUse = new HashMap<>();
  private SchedConfig config = SchedConfig.usual();

  SiteAmounts(SchedulerState state, SiteObjects objects, SiteSession.Programs programs) {
    this.state = state;
    this.objects = objects;
    this.programs = programs;
  }

  /** Takes over what sched_config says of resources; before the first job, or for the next ones. */
  void configure(SchedConfig now) {
    config = now;
    state.inputs().endless(Set.copyOf(config.list(SchedConfigOptions.UNSET_INFINITE)));
    Set<String> unchecked = new HashSet<>();
    for (ResourceDefinition resource : objects.resources().definitions()) {
      if (!resource.onHost() || !compared(resource.name())) {
        unchecked.add(resource.name());
      }
    }
    objects.bounding(new HashSet<>(config.list(SchedConfigOptions.RESOURCES)));
    state.inputs().unchecked(unchecked);
  }

  /** True when what jobs ask for of a resource is compared with what there is. */
  boolean compared(String resource) {
    List<String> listed = config.list(SchedConfigOptions.RESOURCES);
    return ComparedResources.compares(listed, resource, objects.resources());
  }

  /**
   * Asks the programs of server_dyn_res. Of a resource with the flag q running jobs have something,
   * of others only what the cycle starts counts against what the program says.
   */
  void beginCycle(Collection<SiteJob> jobs) {
    inUse.clear();
    String alarm = objects.ofScheduler("server_dyn_res_alarm", "");
    int limitS = alarm.matches("\\d{1,6}") ? Integer.parseInt(alarm) : ALARM_S;
    for (SchedConfig.Program program : config.programs()) {
      Optional<String> line = programs.firstLine(program.program(), limitS);
      if (line != null && compared(program.resource())) {
        long used = notTaken(program.resource()) ? used(program.resource(), jobs) : 0;
        inUse.put(program.resource(), used);
        objects.put(
            ObjectKind.SERVER,
            "server",
            AVAILABLE + program.resource(),
            with(used, program.resource(), line.map(String::strip).orElse("0")));
      }
    }
  }

  /** What a program says with what does not count against it; a word is nothing. */
  private String with(long used, String name, String said) {
    ResourceDefinition resource = objects.resources().find(name).orElse(null);
    if (resource == null || !resource.kind().numeric()) {
      return said;
    }
    try {
      return Amounts.format(resource, Amounts.sum(Amounts.parse(resource, said), used));
    } catch (RequestException e) {
      return Amounts.format(resource, used); // PBS has nothing then
    }
  }

  private boolean notTaken(String resource) {
    return objects.resources().find(resource).map(it -> it.flags().indexOf('q') < 0).orElse(true);
  }

  private static long used(String resource, Collection<SiteJob> jobs) {
    long sum = 0;
    for (SiteJob job : jobs) {
      for (Chunk chunk : job.record().getSpec().getRequest().getChunks()) {
        long amount = chunk.getAmounts().getOrDefault(resource, 0L);
        sum += job.runs() ? amount * chunk.getCount() : 0;
      }
    }
    return sum;
  }

  /** What running jobs have of resources of which it does not count, by name. */
  Map<String, Long> inUse() {
    return Map.copyOf(inUse);
  }

  /** Whether any node is free, and how much is, before a cycle. */
  SiteComments.Free free() {
    return new SiteComments.Free(state.totals().freeNow(), state.totals().anyNodeFree(), inUse());
  }

  /** Sizes are told in kilobytes. */
  private static String text(ResourceDefinition resource, long amount) {
    return resource.kind() == ResourceKind.SIZE
        ? amount / 1024 + "kb"
        : Amounts.format(resource, amount);
  }

  /** PBS's text of the nodes that a job has. */
  String nodes(SiteJob job) {
    return nodes(job, job.shares());
  }

  String nodes(SiteJob job, List<NodeShare> shares) {
    ResourceTable table = objects.resources();
    List<String> parts = new ArrayList<>();
    for (NodeShare share : shares) {
      int chunks = Math.max(1, share.getChunks());
      StringBuilder part = new StringBuilder("(" + share.getNode());
      for (String name : job.inOrder(share.getAmounts().keySet())) {
        ResourceDefinition resource = table.find(name).orElseThrow();
        if (resource.onHost() && compared(name)) {
          long amount = share.getAmounts().get(name) / chunks;
          part.append(':').append(name).append('=').append(text(resource, amount));
        }
      }
      part.append(')');
      for (int i = 0; i < chunks; i++) {
        parts.add(part.toString());
      }
    }
    return parts.stream().collect(Collectors.joining("+"));
  }
}
