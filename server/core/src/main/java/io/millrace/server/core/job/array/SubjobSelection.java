package io.millrace.server.core.job.array;

import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.IndexSteps;
import io.millrace.server.core.state.ArrayStates;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The indices of an array that a command names, as spans of positions. Both the array and the
 * selection may be long, so they are intersected span by span, not index by index.
 */
final class SubjobSelection {
  private final ArrayState array;

  /** In order, and none touches the next. */
  private final List<PositionSpan> spans;

  /** Positions in an array, both ends included. */
  private record PositionSpan(long from, long to) {}

  /** Every {@code every}-th position, both ends included. */
  private record Steps(long from, long to, long every) {
    static final Steps NONE = new Steps(0, -1, 1);

    long pieces() {
      return every == 1 ? Math.min(1, to - from + 1) : (to - from) / every + 1;
    }
  }

  /**
   * Ranges split by a selection.
   *
   * @param gone those that are named
   * @param left the others
   */
  record Cut(List<IndexRange> gone, List<IndexRange> left) {}

  private SubjobSelection(ArrayState array, List<PositionSpan> spans) {
    this.array = array;
    this.spans = spans;
  }

  static SubjobSelection of(ArrayState array, List<IndexSteps> which) {
    List<PositionSpan> some = new ArrayList<>();
    for (IndexSteps steps : which) {
      Steps places = places(array, steps);
      if (places.every() == 1 && places.pieces() > 0) {
        some.add(new PositionSpan(places.from(), places.to()));
      } else if (places.every() > 1) {
        for (long at = places.from(); at <= places.to(); at += places.every()) {
          some.add(new PositionSpan(at, at));
        }
      }
    }
    some.sort(Comparator.comparingLong(PositionSpan::from));
    return new SubjobSelection(array, merged(some));
  }

  private static List<PositionSpan> merged(List<PositionSpan> sorted) {
    List<PositionSpan> merged = new ArrayList<>();
    for (PositionSpan span : sorted) {
      int last = merged.size() - 1;
      if (last >= 0 && span.from() <= merged.get(last).to() + 1) {
        PositionSpan before = merged.get(last);
        merged.set(last, new PositionSpan(before.from(), Math.max(before.to(), span.to())));
      } else {
        merged.add(span);
      }
    }
    return merged;
  }

  /** An upper bound of the number of spans. */
  static long pieces(ArrayState array, List<IndexSteps> which) {
    return which.stream().mapToLong(steps -> places(array, steps).pieces()).sum();
  }

  /** The places whose indices are among the steps: the solutions of a congruence in bounds. */
  private static Steps places(ArrayState array, IndexSteps steps) {
    long step = array.getStep();
    long ahead = (long) steps.getFirst() - array.getFirst();
    long common = gcd(step, steps.getStep());
    if (ahead % common != 0) {
      return Steps.NONE;
    }
    long every = steps.getStep() / common;
    long inverse =
        BigInteger.valueOf(step / common).modInverse(BigInteger.valueOf(every)).longValue();
    long one = Math.floorMod(Math.floorMod(ahead / common, every) * inverse, every);
    long lowest = Math.max(0, -Math.floorDiv(-ahead, step));
    long highest =
        Math.min(
            ArrayStates.size(array) - 1L,
            Math.floorDiv((long) steps.getLast() - array.getFirst(), step));
    long from = lowest + Math.floorMod(one - lowest, every);
    return from > highest
        ? Steps.NONE
        : new Steps(from, from + (highest - from) / every * every, every);
  }

  private static long gcd(long a, long b) {
    return b == 0 ? a : gcd(b, a % b);
  }

  /** Whether none of the named indices belongs to the array. */
  boolean isEmpty() {
    return spans.isEmpty();
  }

  /** Whether the selection contains an index of the array. */
  boolean has(int index) {
    long place = ArrayStates.place(array, index);
    int at = firstThatEndsAt(place);
    return at < spans.size() && spans.get(at).from() <= place;
  }

  /** The first span that ends there or behind it. */
  private int firstThatEndsAt(long place) {
    int low = 0;
    int high = spans.size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (spans.get(middle).to() < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  Cut cut(List<IndexRange> ranges) {
    Cut cut = new Cut(new ArrayList<>(), new ArrayList<>());
    for (IndexRange range : ranges) {
      long next = ArrayStates.place(array, range.getFirst());
      long last = ArrayStates.place(array, range.getLast());
      for (int at = firstThatEndsAt(next); at < spans.size() && next <= last; at++) {
        long from = Math.max(next, spans.get(at).from());
        long to = Math.min(last, spans.get(at).to());
        if (from > last) {
          break;
        }
        add(next, from - 1, cut.left());
        add(from, to, cut.gone());
        next = to + 1;
      }
      add(next, last, cut.left());
    }
    return cut;
  }

  private void add(long from, long to, List<IndexRange> ranges) {
    if (from <= to) {
      ranges.add(new IndexRange(index(from), index(to)));
    }
  }

  private int index(long place) {
    return Math.toIntExact(array.getFirst() + place * array.getStep());
  }
}
