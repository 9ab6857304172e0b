package io.millrace.server.core.placement;

import io.millrace.schemas.HostName;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.pbs.resources.PlaceRequest.Arrangement;
import io.millrace.server.core.state.View;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Checks that proposed shares cover the request, chunk by chunk, and follow its place. */
public final class PlacementCheck {
  private PlacementCheck() {}

  /**
   * Whether the shares are whole slots, no fewer and no more than the Grid Engine job accepts.
   * Which numbers between minimum and maximum it accepts is left to its scheduler.
   */
  public static boolean coversSlots(List<NodeShare> shares, ResourceRequest request, int most) {
    Chunk slot = request.getChunks().get(0);
    long slots = shares.stream().mapToLong(NodeShare::getChunks).sum();
    return slots >= slot.getCount()
        && slots <= most
        && shares.stream().allMatch(share -> share.getChunks() > 0)
        && areWhole(shares, request);
  }

  private static boolean areWhole(List<NodeShare> shares, ResourceRequest request) {
    try {
      return whole(shares, request);
    } catch (ArithmeticException e) {
      return false;
    }
  }

  /** Whether the shares are all chunks of the request, with all amounts. */
  public static boolean covers(List<NodeShare> shares, ResourceRequest request) {
    try {
      return coverAll(shares, request);
    } catch (ArithmeticException e) {
      return false; // sums that go round would be less than their parts
    }
  }

  private static boolean coverAll(List<NodeShare> shares, ResourceRequest request) {
    Map<String, Long> missing = new HashMap<>();
    long chunks = 0;
    for (Chunk chunk : request.getChunks()) {
      chunks += chunk.getCount();
      add(missing, chunk.getAmounts(), chunk.getCount());
    }
    for (NodeShare share : shares) {
      // A negative amount in one share would hide an excess in another.
      if (share.getChunks() <= 0 || share.getAmounts().values().stream().anyMatch(a -> a < 0)) {
        return false;
      }
      chunks -= share.getChunks();
      add(missing, share.getAmounts(), -1);
    }
    return chunks == 0 && !shares.isEmpty() && allZero(missing) && whole(shares, request);
  }

  /**
   * Whether no chunk is split over two nodes. A share says how many chunks it holds but not of
   * which kinds, so that this can be seen only when all are of one kind, or each share is one
   * chunk.
   */
  private static boolean whole(List<NodeShare> shares, ResourceRequest request) {
    if (request.getChunks().size() > 1) {
      return shares.stream().anyMatch(share -> share.getChunks() > 1) || each(shares, request);
    }
    Map<String, Long> one = request.getChunks().get(0).getAmounts();
    for (NodeShare share : shares) {
      Map<String, Long> difference = new HashMap<>(share.getAmounts());
      add(difference, one, -share.getChunks());
      if (!allZero(difference)) {
        return false;
      }
    }
    return true;
  }

  /** For shares of one chunk each: whether there are as many of each size as were asked for. */
  private static boolean each(List<NodeShare> shares, ResourceRequest request) {
    Map<Map<String, Long>, Long> missing = new HashMap<>();
    for (Chunk chunk : request.getChunks()) {
      missing.merge(withoutZeros(chunk.getAmounts()), (long) chunk.getCount(), Long::sum);
    }
    shares.forEach(share -> missing.merge(withoutZeros(share.getAmounts()), -1L, Long::sum));
    return allZero(missing);
  }

  private static Map<String, Long> withoutZeros(Map<String, Long> amounts) {
    Map<String, Long> rest = new HashMap<>(amounts);
    rest.values().removeIf(amount -> amount == 0);
    return rest;
  }

  private static void add(Map<String, Long> sum, Map<String, Long> amounts, long times) {
    amounts.forEach(
        (name, amount) -> sum.merge(name, Math.multiplyExact(times, amount), Math::addExact));
  }

  private static boolean allZero(Map<?, Long> amounts) {
    return amounts.values().stream().allMatch(amount -> amount == 0);
  }

  /**
   * Whether the shares are arranged as the place of the request says. All nodes of the shares
   * exist; hosts are taken from them, not from the proposal.
   */
  public static boolean kept(View view, Arrangement arrangement, List<NodeShare> shares) {
    Function<NodeShare, String> host = share -> view.nodes().get(share.getNode()).getHost();
    return switch (arrangement) {
      case FREE -> true;
      case PACK -> chunksBy(host, shares).size() == 1;
      case SCATTER -> alone(chunksBy(host, shares));
      case VSCATTER -> alone(chunksBy(NodeShare::getNode, shares));
    };
  }

  /**
   * Whether all hosts are of one cluster of another system, or of none: such a run is one job
   * there, which has no other hosts. Hosts are taken from the nodes, as above.
   */
  public static boolean ofOneCluster(View view, List<NodeShare> shares) {
    return shares.stream()
            .map(share -> HostName.cluster(view.nodes().get(share.getNode()).getHost()))
            .distinct()
            .count()
        == 1;
  }

  private static Map<String, Integer> chunksBy(
      Function<NodeShare, String> place, List<NodeShare> shares) {
    Map<String, Integer> chunks = new HashMap<>();
    shares.forEach(share -> chunks.merge(place.apply(share), share.getChunks(), Integer::sum));
    return chunks;
  }

  private static boolean alone(Map<String, Integer> chunks) {
    return chunks.values().stream().allMatch(count -> count == 1);
  }
}
