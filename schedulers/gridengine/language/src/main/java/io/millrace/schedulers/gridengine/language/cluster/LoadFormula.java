package io.millrace.schedulers.gridengine.language.cluster;

import io.millrace.schedulers.gridengine.language.options.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The load formula of sched_conf: {@code np_load_avg+2*mem_used}. */
public final class LoadFormula {

  private static final Pattern TERM = Pattern.compile("([+-]?)([\\w.]+)(?:\\*(-?[\\d.]+))?");

  private LoadFormula() {}

  /**
   * A weighted part.
   *
   * @param constant the value when it is a number, else empty
   */
  public record LoadTerm(double weight, String name, Optional<Double> constant) {}

  /** The parts of a formula that has already been checked. */
  public static List<LoadTerm> of(String formula) {
    List<LoadTerm> terms = new ArrayList<>();
    Matcher term = TERM.matcher(formula);
    while (term.find()) {
      double weight = term.group(3) == null ? 1 : Double.parseDouble(term.group(3));
      terms.add(
          new LoadTerm(
              (term.group(1).equals("-") ? -1 : 1) * weight,
              term.group(2),
              Numbers.real(term.group(2))));
    }
    return terms;
  }
}
