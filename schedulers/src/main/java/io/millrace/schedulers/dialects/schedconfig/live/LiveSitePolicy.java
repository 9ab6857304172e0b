package io.millrace.schedulers.dialects.schedconfig.live;

import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.model.DefaultNames;
import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.core.model.SchedulerSettings;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.policy.WrongPolicy;
import io.millrace.schedulers.dialects.schedconfig.SitePolicy;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.InputsRead;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.fact.UsageCharged;
import io.millrace.schemas.fact.UsageFaded;
import io.millrace.schemas.fact.UsageSet;
import io.millrace.schemas.fact.UsagesForgotten;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.pbs.schedconfig.ComparedResources;
import io.millrace.schemas.pbs.schedconfig.DynamicResources;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfig;
import io.millrace.schemas.pbs.schedconfig.options.SchedConfigOptions;
import io.millrace.schemas.pbs.schedconfig.share.ShareTree;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.PolicyInput;
import io.millrace.schemas.state.Scheduler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;

/**
 * Follows what a scheduler object says by the texts of a PBS scheduler, and sets it as the policy
 * of the scheduler's state. The state has followed the same facts before. Texts that the server
 * took, and that cannot be read any more, start nothing.
 */
public final class LiveSitePolicy {
  /** PBS's backfill depth when neither the server nor the scheduler object sets one. */
  private static final long BACKFILL_DEPTH = 1;

  private static final String DEPTH = "backfill_depth";

  private final String scheduler;
  private final SchedulerState state;
  private final LiveUsage usage = new LiveUsage();
  private final Map<String, ClusterObject> resources = new TreeMap<>();
  private final Map<String, PolicyInput> inputs = new HashMap<>();
  private ClusterObject object;
  private ClusterObject server;

  /** The text in force, and what it says; null for none. */
  private String text = "";

  private StoredPolicy stored;
  private ShareTree tree;
  private SitePolicy.BackfillDepths depths;

  /** Partitions of the queues that promise starts of their own, by queue. */
  private final Map<String, String> promising = new TreeMap<>();

  private boolean chosen;

  public LiveSitePolicy(String scheduler, SchedulerState state) {
    this.scheduler = scheduler;
    this.state = state;
  }

  /** Follows a fact; those that do not concern it are passed over. */
  public void follow(SpecificRecord fact) {
    if (fact instanceof ObjectWritten written) {
      written(written.getObject());
    } else if (fact instanceof ObjectDeleted deleted) {
      deleted(deleted.getKind(), deleted.getName());
    } else if (fact instanceof UsageCharged charged) {
      if (charged.getScheduler().equals(scheduler)) {
        usage.charged(charged);
      }
    } else if (fact instanceof UsageFaded faded) {
      if (faded.getScheduler().equals(scheduler)) {
        usage.fades(faded);
      }
    } else if (fact instanceof UsageSet set) {
      if (set.getScheduler().equals(scheduler)) {
        usage.set(set);
      }
    } else if (fact instanceof UsagesForgotten forgotten) {
      if (forgotten.getScheduler().equals(scheduler)) {
        usage.forgotten(forgotten);
      }
    } else if (fact instanceof InputsRead read && read.getScheduler().equals(scheduler)) {
      inputs(read.getInputs());
    }
  }

  /** A cluster object was written. */
  public void written(ClusterObject written) {
    switch (written.getKind()) {
      case SCHEDULER -> {
        if (written.getName().equals(scheduler)) {
          object = written;
          choose(false);
        }
      }
      case SERVER -> {
        server = written;
        choose(false);
      }
      case RESOURCE -> {
        resources.put(written.getName(), written);
        choose(true);
      }
      case QUEUE -> {
        promising.remove(written.getName());
        if (ObjectAttributes.number(written, DEPTH, 0) > 0) {
          String partition = ObjectAttributes.text(written, "partition", "");
          promising.put(
              written.getName(), partition.isEmpty() ? DefaultNames.PARTITION : partition);
        }
        choose(false);
      }
      default -> {
        // Nodes and partitions do not make up the policy.
      }
    }
  }

  private void deleted(ObjectKind kind, String name) {
    if (kind == ObjectKind.SCHEDULER && name.equals(scheduler)) {
      object = null;
      choose(false);
    } else if (kind == ObjectKind.QUEUE) {
      promising.remove(name);
      choose(false);
    } else if (kind == ObjectKind.RESOURCE) {
      resources.remove(name);
      choose(true);
    }
  }

  /** The run-time record of a scheduler object, from a snapshot; before the usages. */
  public void scheduler(Scheduler record) {
    if (record.getName().equals(scheduler)) {
      usage.faded(record.getFaded());
      inputs(record.getInputs());
    }
  }

  private void inputs(List<PolicyInput> known) {
    inputs.clear();
    known.forEach(input -> inputs.put(input.getName(), input));
    outside();
  }

  /** Tells the state what the server has of resources with a program: nothing before it spoke. */
  private void outside() {
    Map<String, String> amounts = new TreeMap<>();
    if (chosen) {
      for (String name : DynamicResources.of(stored.folder().config()).keySet()) {
        ResourceDefinition resource = table().find(name).orElse(null);
        if (resource != null && resource.kind().numeric()) {
          PolicyInput input = inputs.get(name);
          amounts.put(name, Amounts.format(resource, input == null ? 0 : altogether(input)));
        }
      }
    }
    state.inputs().outside(amounts);
  }

  /** With what runs have that does not count against it, since the state counts all runs. */
  private static long altogether(PolicyInput input) {
    return Amounts.sum(input.getAmount(), input.getInUse());
  }

  private ResourceTable table() {
    return ResourceTable.of(resources.values());
  }

  /** What an entity has used, from a snapshot. */
  public void usage(EntityUsage record) {
    if (record.getScheduler().equals(scheduler)) {
      usage.record(record);
    }
  }

  /** Sets the policy that the texts make up, if it may be another one than before. */
  private void choose(boolean anew) {
    boolean wanted = object != null && SchedulerSettings.bySchedConfig(object);
    if (!wanted) {
      if (chosen) {
        leave();
      }
      return;
    }
    String now = ObjectAttributes.text(object, AttributeTable.SCHED_CONFIG, "");
    boolean queues = promising.values().stream().anyMatch(state.settings().partitions()::contains);
    SitePolicy.BackfillDepths depthsNow = new SitePolicy.BackfillDepths(depth(), queues);
    boolean other = !chosen || !now.equals(text);
    if (other) {
      text = now;
      stored = StoredPolicy.read(now);
      tree = stored.counts() ? tree() : null;
      usage.in(tree);
    }
    if (other || anew || !depthsNow.equals(depths)) {
      depths = depthsNow;
      chosen = true;
      set();
    }
  }

  private ShareTree tree() {
    return stored.folder().group().tree(unknownShares());
  }

  private int unknownShares() {
    return stored.folder().config().count(SchedConfigOptions.UNKNOWN_SHARES);
  }

  /** Tells the state what is compared, and of what there is endlessly much. */
  private void compare(SchedConfig config, ResourceTable table) {
    state.inputs().uncompared(ComparedResources.not(config, table));
    state.inputs().endless(Set.copyOf(config.list(SchedConfigOptions.UNSET_INFINITE)));
  }

  private void leave() {
    compare(SchedConfig.usual(), table());
    chosen = false;
    text = "";
    stored = null;
    tree = null;
    usage.in(null);
    state.inputs().standard(Policies.STANDARD);
    outside();
  }

  private void set() {
    if (!stored.problems().isEmpty()) {
      state.inputs().standard(new WrongPolicy(stored.problems().get(0)));
      outside();
      return;
    }
    ResourceTable table = table();
    compare(stored.folder().config(), table);
    SitePolicy.PolicySite site =
        new SitePolicy.PolicySite(
            stored.zone(),
            tree == null ? tree() : tree,
            depths,
            name -> table.find(name).isPresent(),
            false,
            0);
    state.inputs().standard(SitePolicy.live(stored.folder(), site));
    outside();
  }

  private int depth() {
    long everywhere =
        server == null ? BACKFILL_DEPTH : ObjectAttributes.number(server, DEPTH, BACKFILL_DEPTH);
    return (int) Math.min(ObjectAttributes.number(object, DEPTH, everywhere), Integer.MAX_VALUE);
  }
}
