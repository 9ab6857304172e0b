package io.millrace.schedulers.core.state.promise;

import io.millrace.schedulers.core.state.node.NodeState;
import java.util.List;

/**
 * What is known of the future of one promised job from the search that found its promise, so that
 * later only what has changed since has to be looked at.
 *
 * @param shortfalls why no time before the promised one is possible
 * @param spare nodes with room at the promised time which the job does not need
 */
public record SearchMemory(Shortfalls shortfalls, NodeState[] spare) {

  private static final int SPARE_MAX = 256;

  /** Memory of a search; null when it would take too much space. */
  public static SearchMemory of(Shortfalls shortfalls, List<NodeState> spare) {
    return spare.size() > SPARE_MAX
        ? null
        : new SearchMemory(shortfalls.copy(), spare.toArray(NodeState[]::new));
  }
}
