package io.millrace.schedulers.gridengine.language.request;

import io.millrace.schedulers.gridengine.language.cluster.Complex;
import io.millrace.schedulers.gridengine.language.cluster.Complexes;
import io.millrace.schedulers.gridengine.language.cluster.ValueType;
import io.millrace.schedulers.gridengine.language.options.Numbers;
import java.util.ArrayList;
import java.util.List;

/**
 * One {@code NAME=VALUE} of -l.
 *
 * @param text the value as it was written
 * @param amount what it means; 0 for attributes that are no numbers
 */
public record AttributeRequest(Complex complex, String text, double amount) {

  /** The requests of a list NAME[=VALUE],...; of two for one attribute the later one counts. */
  public static List<AttributeRequest> list(String text, Complexes complexes) {
    List<AttributeRequest> requests = new ArrayList<>();
    if (text.isBlank()) {
      return requests;
    }
    for (String part : text.split(",")) {
      String[] pair = part.strip().split("=", 2);
      AttributeRequest request = of(pair[0], pair.length > 1 ? pair[1] : "TRUE", complexes);
      requests.removeIf(earlier -> earlier.complex().equals(request.complex()));
      requests.add(request);
    }
    return requests;
  }

  public static AttributeRequest of(String name, String value, Complexes complexes) {
    Complex complex =
        complexes
            .find(name)
            .orElseThrow(() -> new RequestRefused("unknown resource \"" + name + "\""));
    double amount =
        complex
            .type()
            .amount(value)
            .orElseThrow(
                () ->
                    new RequestRefused(
                        "attribute \"" + name + "\" is not " + complex.type().spoken() + " value"));
    return new AttributeRequest(complex, value, amount);
  }

  /** The value as qstat shows it: times in seconds. */
  public String shown() {
    boolean time = complex.type() == ValueType.TIME && amount < Numbers.UNLIMITED_S;
    return time ? Long.toString((long) amount) : text;
  }

  /** Uses name and text only, since the rest of the attribute seldom differs. */
  @Override
  public int hashCode() {
    return 31 * complex.name().hashCode() + text.hashCode();
  }

  @Override
  public String toString() {
    return complex.name() + "=" + text;
  }
}
