package io.millrace.ops.bench;

import io.millrace.schedulers.simulator.SimulatedPolicy;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import io.millrace.schemas.pbs.schedconfig.StoredPolicy;
import io.millrace.schemas.pbs.schedconfig.share.ResourceGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The scheduler object of a {@link FullCluster}, with and without promises, and whose jobs there
 * are.
 *
 * @param attributes what the object says beside its promises
 * @param owners of the jobs, in turn: where there is a resource_group, who has shares in it
 */
record CyclePolicy(List<Attribute> attributes, List<String> owners) {

  static final CyclePolicy NONE = new CyclePolicy(List.of(), List.of("u"));

  private static final String STRICT = "strict_ordering";

  CyclePolicy {
    attributes = List.copyOf(attributes);
    owners = List.copyOf(owners);
  }

  /** The same as of a trace's replay; one that decides without promises here is none. */
  static CyclePolicy of(SimulatedPolicy policy) {
    if (policy.gridEngine().isPresent() || policy.origin().isPresent()) {
      throw new IllegalArgumentException(
          policy.word() + " has a bench of its own: gridengine or origin2000");
    }
    String text = text(policy.attributes());
    return new CyclePolicy(
        policy.attributes(),
        text.isEmpty() ? NONE.owners : owners(StoredPolicy.read(text).folder()));
  }

  /** The names in resource_group below which no others stand. */
  private static List<String> owners(SitePolicyFolder folder) {
    List<ResourceGroup.ResourceGroupLine> lines = folder.group().lines();
    Set<String> groups = new HashSet<>();
    lines.forEach(line -> groups.add(line.parent()));
    List<String> owners =
        lines.stream()
            .map(ResourceGroup.ResourceGroupLine::name)
            .filter(it -> !groups.contains(it))
            .toList();
    return owners.isEmpty() ? NONE.owners : owners;
  }

  private static String text(List<Attribute> attributes) {
    return attributes.stream()
        .filter(it -> it.getName().equals(AttributeTable.SCHED_CONFIG))
        .map(Attribute::getValue)
        .findAny()
        .orElse("");
  }

  /** True when the files of a PBS scheduler decide. */
  boolean ofSite() {
    return !text(attributes).isEmpty();
  }

  /** The same with the first so many owners. */
  CyclePolicy owners(int most) {
    return new CyclePolicy(attributes, owners.subList(0, Math.min(most, owners.size())));
  }

  /** The scheduler object's attributes, with the promises of strict ordering or without. */
  List<Attribute> of(boolean strict, int depth) {
    List<Attribute> all = new ArrayList<>();
    all.add(new Attribute("scheduling", "True"));
    all.add(new Attribute("backfill_depth", Integer.toString(depth)));
    String said = strict ? "True" : "False";
    for (Attribute attribute : attributes) {
      boolean text = attribute.getName().equals(AttributeTable.SCHED_CONFIG);
      if (!attribute.getName().equals(STRICT)) {
        all.add(text ? new Attribute(attribute.getName(), said(attribute, said)) : attribute);
      }
    }
    all.add(new Attribute(STRICT, said));
    return all;
  }

  /** The last of several lines counts. */
  private static String said(Attribute text, String strict) {
    Map<String, String> files = new TreeMap<>(StoredPolicy.split(text.getValue()));
    files.merge(
        SitePolicyFolder.SCHED_CONFIG, "\n" + STRICT + ": " + strict + "\n", String::concat);
    return StoredPolicy.join(files, StoredPolicy.read(text.getValue()).zone().getId());
  }
}
