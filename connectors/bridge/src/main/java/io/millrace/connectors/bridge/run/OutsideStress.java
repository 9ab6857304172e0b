package io.millrace.connectors.bridge.run;

import java.time.Duration;

/**
 * How hard pressed an outside system is, from 0 (at rest) to 1: the worst of how long its answers
 * take, how many questions lately got none, and what it says itself. Thread-safe.
 */
public final class OutsideStress {

  /** An answer that takes so long is a stress of 1: other questions take as long, or end. */
  private static final double TOOK_S_FULL = 20;

  /** Of the last question, beside those before. */
  private static final double WEIGHT = 0.3;

  private double tookS;
  private double unanswered;
  private double own;

  /** A question was asked, and took so long. */
  public synchronized void asked(Duration took, boolean answered) {
    tookS = tookS * (1 - WEIGHT) + WEIGHT * took.toMillis() / 1_000.0;
    unanswered = unanswered * (1 - WEIGHT) + (answered ? 0 : WEIGHT);
  }

  /** What it says itself; 0 when it says nothing. */
  public synchronized void says(double factor) {
    own = factor;
  }

  /** From 0 to 1. */
  public synchronized double now() {
    double worst = Math.max(unanswered, Math.max(tookS / TOOK_S_FULL, own));
    return Math.min(1, Math.max(0, worst));
  }
}
