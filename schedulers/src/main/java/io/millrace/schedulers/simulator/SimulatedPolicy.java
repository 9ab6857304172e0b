package io.millrace.schedulers.simulator;

import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Policy of a simulation, as the settings of a scheduler object.
 *
 * @param word as the user called it
 * @param attributes of the scheduler object, as qmgr would set them
 * @param gridEngine settings of sched_conf for the Grid Engine dialect; else empty
 * @param origin what an Origin2000 scheduler goes by; else empty
 */
public record SimulatedPolicy(
    String word,
    List<Attribute> attributes,
    Optional<OptionValues> gridEngine,
    Optional<OriginSite> origin) {

  private static final String POLICY = "policy";
  private static final String GRID_ENGINE = "gridengine";
  private static final String SCHED_CONFIG = AttributeTable.SCHED_CONFIG;

  /** No policy, but what happened. */
  private static final String RECORDED = "recorded";

  /** PBS's strict ordering; a backfill depth may stand behind it. */
  private static final String STRICT = "strict";

  private static final Attribute STRICT_ORDERING = new Attribute("strict_ordering", "True");

  private static final Pattern STRICT_WORD =
      Pattern.compile("strict(?:[-_]ordering)?(?::(\\d{1,9}))?");

  public SimulatedPolicy {
    attributes = List.copyOf(attributes);
  }

  /** The policy of a scheduler object with these attributes. */
  public static SimulatedPolicy of(String word, List<Attribute> attributes) {
    boolean strict = attributes.contains(STRICT_ORDERING);
    boolean gridEngine = attributes.contains(new Attribute(POLICY, GRID_ENGINE)) && !strict;
    return new SimulatedPolicy(
        word,
        attributes,
        gridEngine ? Optional.of(GridEngineSimulation.usual()) : Optional.empty(),
        Optional.empty());
  }

  /** The policy of a Grid Engine with these settings of sched_conf. */
  public static SimulatedPolicy gridEngine(String word, OptionValues scheduler) {
    return new SimulatedPolicy(word, List.of(), Optional.of(scheduler), Optional.empty());
  }

  /** The policy of an Origin2000 scheduler. */
  public static SimulatedPolicy origin(String word, OriginSite site) {
    return new SimulatedPolicy(word, List.of(), Optional.empty(), Optional.of(site));
  }

  /** Whether jobs start as they did, by the trace itself. */
  public boolean recorded() {
    return attributes.contains(new Attribute(POLICY, RECORDED));
  }

  /** Whether days and hours of a time zone may decide. */
  public boolean goesByTimes() {
    return origin.isPresent() || attributes.contains(new Attribute(POLICY, SCHED_CONFIG));
  }

  /**
   * A policy that the live engine knows by this name, in any case and with _ for -; or {@code
   * strict}, which the live engine is told by an attribute of its own. {@code strict:N} promises a
   * start to N waiting jobs instead of one. {@code gridengine} has the settings of a new cell, and
   * reservations. {@code recorded} is what happened.
   */
  public static Optional<SimulatedPolicy> named(String word) {
    return Policies.find(word)
        .or(() -> Policies.find(word.replace('_', '-')))
        .map(Policy::name)
        .or(() -> Stream.of(GRID_ENGINE, RECORDED).filter(word.strip()::equalsIgnoreCase).findAny())
        .map(name -> of(word, List.of(new Attribute(POLICY, name))))
        .or(() -> strict(word));
  }

  private static Optional<SimulatedPolicy> strict(String word) {
    Matcher strict = STRICT_WORD.matcher(word.strip().toLowerCase(Locale.ROOT));
    if (!strict.matches()) {
      return Optional.empty();
    }
    List<Attribute> attributes = new ArrayList<>();
    attributes.add(STRICT_ORDERING);
    if (strict.group(1) != null) {
      attributes.add(new Attribute("backfill_depth", strict.group(1)));
    }
    return Optional.of(of(word, attributes));
  }

  /** Names in the order in which they are shown. */
  public static List<String> names() {
    List<String> names = new ArrayList<>(Policies.names());
    names.add(STRICT);
    names.add(GRID_ENGINE);
    names.add(RECORDED);
    return List.copyOf(names);
  }
}
