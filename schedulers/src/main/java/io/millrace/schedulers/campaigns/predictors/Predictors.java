package io.millrace.schedulers.campaigns.predictors;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The predictors by their names; the first is the usual one. */
public final class Predictors {

  private static final Map<String, Supplier<Predictor>> BY_NAME = new LinkedHashMap<>();

  static {
    BY_NAME.put("steady", Steady::new);
    BY_NAME.put("slow-start", SlowStart::new);
    BY_NAME.put("two-way", TwoWay::new);
    BY_NAME.put("exponential-up", ExponentialUp::new);
    BY_NAME.put("tap", Tap::new);
  }

  private Predictors() {}

  public static List<String> names() {
    return List.copyOf(BY_NAME.keySet());
  }

  /** A new predictor, which has sent nothing yet; empty when there is none of this name. */
  public static Optional<Predictor> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name)).map(Supplier::get);
  }
}
