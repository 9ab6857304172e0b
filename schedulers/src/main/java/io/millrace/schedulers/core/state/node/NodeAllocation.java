package io.millrace.schedulers.core.state.node;

import java.util.Arrays;

/** What a run or a proposal holds of one node; amounts by resource number. */
public record NodeAllocation(NodeState node, int chunks, long[] amounts) {

  /** Some amounts and more, by resource number. */
  static long[] sum(long[] some, long[] more) {
    long[] sum = Arrays.copyOf(some, Math.max(some.length, more.length));
    for (int i = 0; i < more.length; i++) {
      sum[i] += more[i];
    }
    return sum;
  }
}
