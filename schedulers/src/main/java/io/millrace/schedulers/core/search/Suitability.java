package io.millrace.schedulers.core.search;

import io.millrace.schedulers.core.model.ChunkKind;
import io.millrace.schedulers.core.model.RequestShape;
import io.millrace.schedulers.core.model.ResourceNames;
import io.millrace.schedulers.core.state.node.JobAllocation;
import io.millrace.schedulers.core.state.node.NodeAllocation;
import io.millrace.schedulers.core.state.node.Pool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Whether the nodes of a job still offer what its chunks ask for, and still satisfy its {@code
 * place} directive and the rules about placement sets. They did when they were chosen, but
 * properties change.
 */
public final class Suitability {

  private final RoomWindow window;
  private final ResourceNames names;
  private final SetSearch sets;

  Suitability(RoomWindow window, ResourceNames names, SetSearch sets) {
    this.sets = sets;
    this.window = window;
    this.names = names;
  }

  public boolean of(JobAllocation held, RequestShape shape, Pool pool) {
    return sets.holds(held, shape, pool) && (withoutWishes(shape) || matches(held, shape));
  }

  private static boolean withoutWishes(RequestShape shape) {
    for (ChunkKind kind : shape.kinds()) {
      if (!kind.matches().isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /**
   * An allocation records the amounts on each node, not which kinds of chunks make them up. So this
   * follows, node by node, which numbers of chunks of each kind can still be left to place.
   */
  private boolean matches(JobAllocation held, RequestShape shape) {
    List<Integer> none = new ArrayList<>();
    List<Integer> all = new ArrayList<>();
    for (ChunkKind kind : shape.kinds()) {
      none.add(0);
      all.add(kind.count());
    }
    Set<List<Integer>> left = Set.of(all);
    for (NodeAllocation take : held.takes()) {
      if (take.chunks() > 0) {
        long[] amounts = Arrays.copyOf(take.amounts(), names.size());
        List<int[]> mixes = new ArrayList<>();
        mixes(shape, take, 0, amounts, new int[shape.kinds().length], mixes);
        left = after(left, mixes);
      }
    }
    return left.contains(none);
  }

  /**
   * Enumerates the numbers of chunks of each kind that add up to what the node holds for the job.
   */
  private void mixes(
      RequestShape shape, NodeAllocation take, int k, long[] rest, int[] mix, List<int[]> found) {
    if (k == shape.kinds().length) {
      if (Arrays.stream(mix).sum() == take.chunks()
          && Arrays.stream(rest).allMatch(it -> it == 0)) {
        found.add(mix.clone());
      }
      return;
    }
    ChunkKind kind = shape.kinds()[k];
    boolean suits = window.matches(take.node(), kind);
    int most = suits ? kind.howMany(rest, Math.min(kind.count(), take.chunks())) : 0;
    for (int count = most; count >= 0; count--) {
      long[] less = rest.clone();
      kind.addTo(less, -count);
      mix[k] = count;
      mixes(shape, take, k + 1, less, mix, found);
    }
    mix[k] = 0;
  }

  private static Set<List<Integer>> after(Set<List<Integer>> left, List<int[]> mixes) {
    Set<List<Integer>> after = new HashSet<>();
    for (List<Integer> before : left) {
      for (int[] mix : mixes) {
        List<Integer> rest = new ArrayList<>(before);
        boolean enough = true;
        for (int k = 0; k < mix.length; k++) {
          rest.set(k, rest.get(k) - mix[k]);
          enough &= rest.get(k) >= 0;
        }
        if (enough) {
          after.add(rest);
        }
      }
    }
    return after;
  }
}
