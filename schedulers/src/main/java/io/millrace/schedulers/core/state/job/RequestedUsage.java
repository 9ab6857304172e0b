package io.millrace.schedulers.core.state.job;

import io.millrace.reservations.timeline.UsageProfile;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schemas.pbs.attributes.SortFormula;
import io.millrace.schemas.pbs.resources.ResourceTable;

/** What a job that has just been started will use of its entity's share, by what it asks for. */
public final class RequestedUsage {

  private static final int TIME = -1;

  private final SortFormula formula;
  private final int[] numbers;
  private final double[] units;

  public RequestedUsage(SortFormula formula, ResourceNames names, ResourceTable resources) {
    this.formula = formula;
    this.numbers = new int[formula.names().size()];
    this.units = new double[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      String name = formula.names().get(i);
      numbers[i] = name.equals("walltime") ? TIME : names.number(name);
      units[i] = SortKeys.unit(resources, name);
    }
  }

  /** The amount; what the job does not ask for counts as 0. */
  public double of(RequestShape shape) {
    double[] values = new double[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] != TIME) {
        values[i] = shape.total(numbers[i]) / units[i];
      } else if (shape.walltimeMs() != UsageProfile.FOREVER) {
        values[i] = shape.walltimeMs() / 1000.0;
      }
    }
    return formula.value(values);
  }
}
