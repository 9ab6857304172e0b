package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.Numbers;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A host, or the global one, which stands for the whole cluster.
 *
 * @param scaling factors of load values by name, as texts
 * @param outside the cluster of another system of which it is a host; empty for one of none
 */
public record ExecHost(
    String name,
    OfferedAttributes offers,
    ObjectAccess access,
    Map<String, String> scaling,
    String outside) {

  /** Name of the host that stands for the whole cluster. */
  public static final String GLOBAL = "global";

  public static ExecHost of(OptionValues settings, Complexes complexes) {
    NamedAttributes named = new NamedAttributes(settings, complexes);
    named.checkFactors("load_scaling");
    named.checkReported("load_values");
    Map<String, String> factors = OfferedAttributes.pairs(settings.get("load_scaling"));
    Map<String, String> loads = new LinkedHashMap<>();
    OfferedAttributes.pairs(settings.get("load_values"))
        .forEach((name, value) -> loads.put(name, scaled(name, value, factors, complexes)));
    return new ExecHost(
        settings.get("hostname"),
        OfferedAttributes.of(settings, complexes).withLoads(loads),
        ObjectAccess.of(
            settings.get("user_lists"),
            settings.get("xuser_lists"),
            settings.get("projects"),
            settings.get("xprojects")),
        factors,
        "");
  }

  public ExecHost(String name, OfferedAttributes offers, ObjectAccess access) {
    this(name, offers, access, Map.of(), "");
  }

  public ExecHost offering(OfferedAttributes other) {
    return new ExecHost(name, other, access, scaling, outside);
  }

  /** A copy that is a host of a cluster of another system; of none where its name is empty. */
  public ExecHost of(String cluster) {
    return cluster.equals(outside) ? this : new ExecHost(name, offers, access, scaling, cluster);
  }

  /** A copy with values that the host reports; values in its own text stay. */
  public ExecHost reporting(Map<String, String> values, Complexes complexes) {
    if (values.isEmpty()) {
      return this;
    }
    Map<String, String> loads = new LinkedHashMap<>();
    values.forEach((load, value) -> loads.put(load, scaled(load, value, scaling, complexes)));
    loads.putAll(offers.loads());
    return offering(offers.withLoads(loads));
  }

  private static String scaled(
      String name, String value, Map<String, String> factors, Complexes complexes) {
    if (!factors.containsKey(name)) {
      return value;
    }
    double factor = Numbers.real(factors.get(name)).orElse(1.0);
    return complexes
        .find(name)
        .filter(complex -> complex.type().numeric())
        .flatMap(complex -> complex.type().amount(value))
        .map(amount -> Numbers.six(amount * factor))
        .orElse(value);
  }

  /** A host without an execution host object: it offers nothing of its own. */
  public static ExecHost plain(String name) {
    return new ExecHost(name, OfferedAttributes.NOTHING, ObjectAccess.users("NONE", "NONE"));
  }
}
