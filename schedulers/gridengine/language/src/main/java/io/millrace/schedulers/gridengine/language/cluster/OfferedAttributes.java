package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.Form;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What one level (the cluster, a host or a queue instance) offers.
 *
 * @param capacities amounts of consumables by name, in the order of the text
 * @param values texts of all other attributes that are set here
 * @param loads reported load values
 */
public record OfferedAttributes(
    Map<String, Double> capacities, Map<String, String> values, Map<String, String> loads) {

  private static final String OPTION = "complex_values";

  public static final OfferedAttributes NOTHING =
      new OfferedAttributes(Map.of(), Map.of(), Map.of());

  /** Reads complex_values; attributes must exist and their values have the right type. */
  static OfferedAttributes of(OptionValues settings, Complexes complexes) {
    Map<String, Double> capacities = new LinkedHashMap<>();
    Map<String, String> values = new LinkedHashMap<>();
    new NamedAttributes(settings, complexes)
        .values(OPTION, settings.get(OPTION))
        .forEach(
            (complex, value) -> {
              Optional<Double> amount = complex.type().amount(value);
              if (complex.consumable() && amount.filter(it -> it < 0).isPresent()) {
                throw settings.refused(
                    OPTION, "has " + complex.name() + "=" + value + ", which is below 0");
              }
              if (complex.consumable()) {
                amount.ifPresent(it -> capacities.put(complex.name(), it));
              } else if (amount.isPresent()) {
                values.put(complex.name(), value);
              }
            });
    return new OfferedAttributes(capacities, values, Map.of());
  }

  /** The pairs of a list NAME=VALUE,... */
  public static Map<String, String> pairs(String list) {
    Map<String, String> pairs = new LinkedHashMap<>();
    if (!Form.none(list)) {
      for (String part : list.split(",")) {
        String[] pair = part.strip().split("=", 2);
        pairs.put(pair[0], pair.length > 1 ? pair[1] : "TRUE");
      }
    }
    return pairs;
  }

  public OfferedAttributes withLoads(Map<String, String> reported) {
    // In the order of the report, as qstat shows them.
    Map<String, String> ordered = Collections.unmodifiableMap(new LinkedHashMap<>(reported));
    return new OfferedAttributes(capacities, values, ordered);
  }

  public OfferedAttributes withCapacity(String name, double amount) {
    Map<String, Double> more = new LinkedHashMap<>(capacities);
    more.put(name, amount);
    return new OfferedAttributes(more, values, loads);
  }

  public OfferedAttributes withValue(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(name, value);
    return new OfferedAttributes(capacities, more, loads);
  }

  public boolean sets(String name) {
    return capacities.containsKey(name) || values.containsKey(name);
  }
}
