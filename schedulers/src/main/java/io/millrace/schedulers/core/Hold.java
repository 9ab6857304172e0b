package io.millrace.schedulers.core;

import io.millrace.reservations.timeline.UsageProfile;

/** A run or a proposal: what it holds, and when it will have ended as far as is known. */
final class Hold {

  final long number;
  final Held held;

  /** Over all its nodes. */
  final int chunks;

  /** {@link UsageProfile#FOREVER} when nobody knows. */
  long endMs;

  Hold(long number, Held held, long endMs) {
    this.number = number;
    this.held = held;
    this.endMs = endMs;
    int sum = 0;
    for (int i = 0; i < held.takes().size(); i++) {
      sum += held.takes().get(i).chunks();
    }
    this.chunks = sum;
  }

  boolean ends() {
    return endMs != UsageProfile.FOREVER;
  }
}
