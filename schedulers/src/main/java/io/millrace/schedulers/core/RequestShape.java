package io.millrace.schedulers.core;

import io.millrace.reservations.resources.Placement;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ResourceRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A request made ready for comparing. Immutable. */
final class RequestShape {

  /** Chunks of one kind. Arrays run in parallel and hold only amounts above 0 that have a limit. */
  record Kind(int count, int[] resources, long[] amounts, Map<String, String> matches) {

    long amount(int resource) {
      for (int i = 0; i < resources.length; i++) {
        if (resources[i] == resource) {
          return amounts[i];
        }
      }
      return 0;
    }

    /** True when one chunk of this kind is within the given amounts. */
    boolean fits(long[] free) {
      for (int i = 0; i < resources.length; i++) {
        if (ResourceNames.at(free, resources[i]) < amounts[i]) {
          return false;
        }
      }
      return true;
    }
  }

  final ResourceRequest request;
  final Placement placement;
  final Kind[] kinds;
  final int chunks;

  /** Sums over all chunks; parallel arrays. */
  final int[] totalResources;

  final long[] totalAmounts;

  RequestShape(ResourceRequest request, ResourceNames names) {
    this.request = request;
    this.placement = Placement.of(request.getPlace());
    List<Kind> all = new ArrayList<>();
    TreeMap<Integer, Long> totals = new TreeMap<>();
    int count = 0;
    for (Chunk chunk : request.getChunks()) {
      Kind kind = kind(chunk, names);
      all.add(kind);
      count += kind.count;
      for (int i = 0; i < kind.resources.length; i++) {
        totals.merge(kind.resources[i], kind.amounts[i] * kind.count, Long::sum);
      }
    }
    this.kinds = all.toArray(Kind[]::new);
    this.chunks = count;
    this.totalResources = totals.keySet().stream().mapToInt(Integer::intValue).toArray();
    this.totalAmounts = totals.values().stream().mapToLong(Long::longValue).toArray();
  }

  boolean hasMatches() {
    for (Kind kind : kinds) {
      if (!kind.matches.isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Least amount that any chunk needs of the resource. */
  long leastAmount(int resource) {
    long least = Long.MAX_VALUE;
    for (Kind kind : kinds) {
      least = Math.min(least, kind.amount(resource));
    }
    return least == Long.MAX_VALUE ? 0 : least;
  }

  private static Kind kind(Chunk chunk, ResourceNames names) {
    TreeMap<String, Long> limited = new TreeMap<>();
    for (Map.Entry<String, Long> amount : chunk.getAmounts().entrySet()) {
      int number = names.number(amount.getKey());
      if (amount.getValue() > 0 && !names.withoutLimit(number)) {
        limited.put(amount.getKey(), amount.getValue());
      }
    }
    int[] resources = limited.keySet().stream().mapToInt(names::number).toArray();
    long[] amounts = limited.values().stream().mapToLong(Long::longValue).toArray();
    return new Kind(chunk.getCount(), resources, amounts, Map.copyOf(chunk.getMatches()));
  }
}
