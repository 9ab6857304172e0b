package io.millrace.ops.bench;

import io.millrace.schedulers.campaigns.predictors.ClusterSight;
import io.millrace.schedulers.campaigns.predictors.Flow;
import io.millrace.schedulers.campaigns.predictors.Predictor;
import io.millrace.schedulers.campaigns.predictors.Predictors;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToIntFunction;

/**
 * The predictors of campaigns, and two ways of sending that nobody would use to hold against them.
 */
final class ComparedPredictors {

  /**
   * So many tasks always wait: more than any cluster of the comparison begins between two looks.
   */
  private static final int FULL = 400;

  static final String POSSIBLE = "always-enough";
  static final String SIMPLE = "one-for-each-idle";

  /**
   * @param sends how many tasks are sent
   */
  private record FixedPredictor(ToIntFunction<ClusterSight> sends, PredictorTiming asked)
      implements Predictor {
    @Override
    public Flow flow(ClusterSight sight) {
      return new Flow(0, Math.max(0, sends.applyAsInt(sight)));
    }
  }

  private ComparedPredictors() {}

  static List<String> names() {
    List<String> names = new ArrayList<>(Predictors.names());
    names.add(SIMPLE);
    names.add(POSSIBLE);
    return names;
  }

  static Optional<Predictor> find(String name) {
    return switch (name) {
      case SIMPLE ->
          Optional.of(
              new FixedPredictor(
                  sight -> sight.waiting() > 0 ? 0 : sight.idle(),
                  Predictor.PredictorTiming.EACH_INTERVAL));
      case POSSIBLE ->
          Optional.of(
              new FixedPredictor(
                  sight -> FULL - sight.waiting(), Predictor.PredictorTiming.EACH_FACT));
      default -> Predictors.find(name);
    };
  }
}
