package io.millrace.schedulers.core.model;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.pbs.attributes.LimitEntry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The limits that a queue or the server sets on what runs at the same time.
 *
 * <p>Simple semantics: of the entries of one attribute the one that names a user, group or project
 * holds for it, and PBS_GENERIC's for each that is not named; PBS_ALL's holds for all together.
 * Entries of different attributes hold beside each other.
 */
public record LimitRules(List<Rule> rules) {

  public static final LimitRules NONE = new LimitRules(List.of());

  /**
   * One entry of one attribute.
   *
   * @param attribute name of the attribute, with the resource for limits on a resource
   * @param resource its name; empty when jobs are counted
   */
  public record Rule(String attribute, String resource, LimitEntry entry) {

    /** True for a soft limit: a job above it still runs, but in a lower preemption level. */
    public boolean soft() {
      int dot = attribute.indexOf('.');
      return (dot < 0 ? attribute : attribute.substring(0, dot)).endsWith(SOFT);
    }

    /**
     * Rank in the order in which PBS checks limits: job counts first, then amounts of resources.
     */
    public int rank() {
      return resource.isEmpty() ? 0 : attribute.equals(available(resource)) ? 2 : 1;
    }

    /** True when the limit treats owners differently (an entry for a user, group or project). */
    boolean personal() {
      return entry.whom() != 'o';
    }
  }

  private static final String SOFT = "_soft";
  private static final String AVAILABLE = "resources_available";

  /**
   * The old limit attributes, which hold a plain value and no bracketed list, with the kind of
   * owner for which each of them holds.
   */
  private static final Map<String, String> PLAIN_FORMS =
      Map.of(
          AVAILABLE,
          "o:PBS_ALL",
          "max_running",
          "o:PBS_ALL",
          "max_user_run",
          "u:PBS_GENERIC",
          "max_group_run",
          "g:PBS_GENERIC",
          "max_user_res",
          "u:PBS_GENERIC",
          "max_group_res",
          "g:PBS_GENERIC");

  private static final Set<String> BRACKETS = Set.of("max_run", "max_run_res");

  /** The order in which PBS looks at limits: numbers of jobs first, then by whom they hold for. */
  private static final Comparator<Rule> AS_PBS_LOOKS =
      Comparator.comparingInt(Rule::rank)
          .thenComparingInt(it -> "gpou".indexOf(it.entry().whom()))
          .thenComparing(Rule::attribute);

  /** The attribute that says what queue or server have of a resource. */
  public static String available(String resource) {
    return AVAILABLE + "." + resource;
  }

  public static LimitRules of(ClusterObject object) {
    return of(object.getAttributes());
  }

  /**
   * The limits of an object of which others say what there is of some resources.
   *
   * @param available amounts by resource, in place of resources_available
   */
  public static LimitRules of(ClusterObject object, Map<String, String> available) {
    if (available.isEmpty()) {
      return of(object);
    }
    List<Attribute> attributes = new ArrayList<>(object.getAttributes());
    available.forEach(
        (resource, amount) -> {
          String name = available(resource);
          attributes.removeIf(it -> it.getName().equals(name));
          attributes.add(new Attribute(name, amount));
        });
    return of(attributes);
  }

  private static LimitRules of(List<Attribute> attributes) {
    List<Rule> rules = new ArrayList<>();
    for (Attribute attribute : attributes) {
      String name = attribute.getName();
      int dot = name.indexOf('.');
      String base = dot < 0 ? name : name.substring(0, dot);
      String resource = dot < 0 ? "" : name.substring(dot + 1);
      for (LimitEntry entry : entries(base, attribute.getValue())) {
        rules.add(new Rule(name, resource, entry));
      }
    }
    rules.sort(AS_PBS_LOOKS);
    return rules.isEmpty() ? NONE : new LimitRules(List.copyOf(rules));
  }

  private static List<LimitEntry> entries(String base, String value) {
    String family = base.endsWith(SOFT) ? base.substring(0, base.length() - SOFT.length()) : base;
    String text =
        PLAIN_FORMS.containsKey(family) ? "[" + PLAIN_FORMS.get(family) + "=" + value + "]" : value;
    boolean known = PLAIN_FORMS.containsKey(family) || BRACKETS.contains(family);
    return known ? LimitEntry.parse(text).orElse(List.of()) : List.of();
  }

  /** True when there are soft limits. */
  public boolean soft() {
    return rules.stream().anyMatch(Rule::soft);
  }

  /** True when any limit depends on the owner of a job. */
  public boolean personal() {
    return rules.stream().anyMatch(Rule::personal);
  }

  /** The limits that hold for the jobs of an owner, in the order in which PBS checks them. */
  public List<Rule> of(JobOwner account) {
    Map<String, Rule> named = new HashMap<>();
    for (Rule rule : rules) {
      if (rule.personal() && rule.entry().name().equals(account.name(rule.entry().whom()))) {
        named.put(rule.attribute() + rule.entry().whom(), rule);
      }
    }
    List<Rule> holding = new ArrayList<>();
    for (Rule rule : rules) {
      Optional<Rule> own = Optional.ofNullable(named.get(rule.attribute() + rule.entry().whom()));
      boolean each = rule.entry().name().equals(LimitEntry.EACH);
      if (!rule.personal() || own.map(it -> it == rule).orElse(each)) {
        holding.add(rule);
      }
    }
    return holding;
  }
}
