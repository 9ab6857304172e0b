package io.millrace.server.core.cluster;

import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.attributes.SortFormula;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.placement.Nodes;
import io.millrace.server.core.state.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What may stand in {@code job_sort_formula}: names of which a scheduler knows what they are. */
final class SortFormulas {

  /** Names of a job's waiting; 0 where eligible times are not counted. */
  private static final Set<String> OF_WAITING = Set.of("eligible_time", "accrue_type");

  /** Names of fair share; 0 where a scheduler has none. */
  private static final Set<String> OF_SHARES =
      Set.of("fair_share_perc", "fairshare_perc", "fairshare_tree_usage", "fairshare_factor");

  /** Names that stand for the whole job. */
  private static final Set<String> OF_JOBS =
      Set.of(SortFormula.QUEUE_PRIORITY, SortFormula.JOB_PRIORITY, "walltime", "nodect", "nchunk");

  private SortFormulas() {}

  /** Refuses the formula of an object that is no formula, or not the one of the server. */
  static void check(Draft draft, ObjectKind kind, Map<String, String> attributes)
      throws RejectedChange {
    String text = attributes.getOrDefault(AttributeTable.FORMULA, "");
    if (text.isEmpty()) {
      return;
    }
    List<ClusterObject> custom = new ArrayList<>();
    Nodes.each(draft.view(), ObjectKind.RESOURCE, custom::add);
    ResourceTable resources = ResourceTable.of(custom);
    for (String name : parsed(text).names()) {
      if (!OF_JOBS.contains(name) && !OF_SHARES.contains(name) && !OF_WAITING.contains(name)) {
        checkResource(resources, name);
      }
    }
    refuseTwo(draft.view(), kind, text);
  }

  private static SortFormula parsed(String text) throws RejectedChange {
    try {
      return SortFormula.of(text);
    } catch (SortFormula.BadFormula e) {
      // PBS's text does not say which of the names is meant; docs/order.md lists what is allowed.
      throw new RejectedChange(PbsError.BAD_FORMULA);
    }
  }

  private static void checkResource(ResourceTable resources, String name) throws RejectedChange {
    ResourceDefinition resource = resources.find(name).orElse(null);
    if (resource == null) {
      throw new RejectedChange(PbsError.BAD_FORMULA_KEYWORD);
    }
    if (!resource.kind().numeric()) {
      throw new RejectedChange(PbsError.BAD_FORMULA_TYPE);
    }
    if (!resource.onHost()) {
      String why = ": of what is not on hosts only walltime, nodect and nchunk are known";
      throw new RejectedChange(PbsError.BAD_FORMULA_KEYWORD, " " + name + why);
    }
  }

  /** As in PBS: where the server has one, a scheduler has no other. */
  private static void refuseTwo(View view, ObjectKind kind, String text) throws RejectedChange {
    ObjectKind others = kind == ObjectKind.SERVER ? ObjectKind.SCHEDULER : ObjectKind.SERVER;
    List<String> set = new ArrayList<>();
    Nodes.each(view, others, it -> set.add(Context.attribute(it, AttributeTable.FORMULA, "")));
    if (set.stream().anyMatch(it -> !it.isEmpty() && !it.equals(text))) {
      throw new RejectedChange(PbsError.FORMULAS_DIFFER);
    }
  }

  /** Whether a formula names a resource. */
  static boolean names(String formula, String resource) {
    return List.of(formula.split("\\W+")).contains(resource);
  }
}
