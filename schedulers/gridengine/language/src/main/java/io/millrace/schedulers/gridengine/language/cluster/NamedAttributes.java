package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.PerHost;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Checks lists of attributes in a text against the complex: each must exist, be named once, and
 * have a value of its type.
 */
public final class NamedAttributes {

  private final OptionValues settings;
  private final Complexes complexes;

  /**
   * @param settings of the object whose text has the lists
   */
  public NamedAttributes(OptionValues settings, Complexes complexes) {
    this.settings = settings;
    this.complexes = complexes;
  }

  /** Checks what the scheduler's settings name. */
  public static void checkScheduler(OptionValues scheduler, Complexes complexes) {
    NamedAttributes named = new NamedAttributes(scheduler, complexes);
    named.amounts("job_load_adjustments", scheduler.get("job_load_adjustments"));
    if (scheduler.names("load_formula")) {
      LoadFormula.of(scheduler.get("load_formula")).stream()
          .filter(term -> term.constant().isEmpty())
          .forEach(term -> named.number("load_formula", term.name()));
    }
  }

  /** Checks what a cluster queue names, for all hosts. */
  void checkQueue() {
    for (String list : PerHost.of(settings.get("load_thresholds")).values()) {
      amounts("load_thresholds", list);
    }
    for (String list : PerHost.of(settings.get("complex_values")).values()) {
      values("complex_values", list);
    }
  }

  /**
   * Attributes and texts of their values, in the order of the list.
   *
   * @param option the one with the list, for messages
   */
  Map<Complex, String> values(String option, String list) {
    Map<Complex, String> values = new LinkedHashMap<>();
    OfferedAttributes.pairs(list)
        .forEach(
            (name, value) -> {
              attribute(option, name)
                  .ifPresent(
                      complex -> {
                        if (values.put(complex, value) != null) {
                          throw settings.refused(option, "names " + complex.name() + " twice");
                        }
                        check(option, complex, value);
                      });
            });
    return values;
  }

  /** Checks a list all of whose values must be numbers. */
  private void amounts(String option, String list) {
    values(option, list).keySet().forEach(complex -> number(option, complex.name()));
  }

  private void number(String option, String name) {
    if (attribute(option, name).filter(it -> !it.type().numeric()).isPresent()) {
      throw settings.refused(option, "names " + name + ", which is no number");
    }
  }

  private Optional<Complex> attribute(String option, String name) {
    Optional<Complex> found = complexes.find(name);
    if (found.isEmpty()) {
      throw settings.refused(
          option,
          "names " + name + ", which is no attribute of the complex" + complexes.hint(name));
    }
    return found;
  }

  private void check(String option, Complex complex, String value) {
    if (complex.type().amount(value).isEmpty()) {
      throw settings.refused(
          option,
          "has "
              + complex.name()
              + "="
              + value
              + ", which is not "
              + complex.type().spoken()
              + " value");
    }
  }

  /** A list of numbers by names of attributes. */
  void checkFactors(String option) {
    OfferedAttributes.pairs(settings.get(option)).keySet().forEach(name -> number(option, name));
  }

  /**
   * Checks reported load values. A host may report values that the complex does not define; as in
   * Grid Engine they are ignored.
   */
  void checkReported(String option) {
    OfferedAttributes.pairs(settings.get(option))
        .forEach(
            (name, value) ->
                complexes.find(name).ifPresent(complex -> check(option, complex, value)));
  }
}
