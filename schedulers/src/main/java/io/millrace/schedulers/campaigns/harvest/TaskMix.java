package io.millrace.schedulers.campaigns.harvest;

import java.util.Random;

/**
 * What the tasks of a campaign are like: run times are lognormal.
 *
 * @param processors of each, above 0
 * @param meanS mean run time, seconds, above 0
 * @param seed of the run times
 */
public record TaskMix(int processors, double meanS, long seed) {

  private static final double SIGMA = 0.6;

  public TaskMix {
    if (processors <= 0 || !(meanS > 0)) {
      throw new IllegalArgumentException("a task has processors and takes time");
    }
  }

  double nextS(Random random) {
    double middle = Math.log(meanS) - SIGMA * SIGMA / 2;
    return Math.exp(middle + SIGMA * random.nextGaussian());
  }
}
