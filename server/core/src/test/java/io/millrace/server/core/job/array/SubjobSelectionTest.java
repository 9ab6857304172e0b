package io.millrace.server.core.job.array;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.IndexRange;
import io.millrace.schemas.state.IndexSteps;
import io.millrace.server.core.state.ArrayStates;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Parts of arrays against sets in which each index stands for itself. */
class SubjobSelectionTest {

  private static TreeSet<Integer> indices(List<IndexRange> ranges, int step) {
    TreeSet<Integer> all = new TreeSet<>();
    for (IndexRange range : ranges) {
      for (int i = range.getFirst(); i <= range.getLast(); i += step) {
        assertTrue(all.add(i), "twice");
      }
    }
    return all;
  }

  @Test
  void itNamesWhatTheStepsName() {
    Random random = new Random(7);
    for (int round = 0; round < 3000; round++) {
      int first = random.nextInt(10);
      int step = 1 + random.nextInt(6);
      ArrayState array = ArrayStates.fresh(first, first + 1 + step + random.nextInt(90), step, 0);
      for (int gone = random.nextInt(10); gone > 0; gone--) {
        int index = first + random.nextInt(ArrayStates.size(array)) * step;
        array.setLeft(ArrayStates.without(array, index));
      }
      List<IndexSteps> which = new ArrayList<>();
      for (int part = random.nextInt(5); part >= 0; part--) {
        int from = random.nextInt(60);
        which.add(new IndexSteps(from, from + random.nextInt(60), 1 + random.nextInt(12)));
      }
      check(array, which);
    }
  }

  private void check(ArrayState array, List<IndexSteps> which) {
    TreeSet<Integer> gone = indices(array.getLeft(), array.getStep());
    TreeSet<Integer> left = new TreeSet<>(gone);
    gone.removeIf(index -> !ArrayStates.isLeft(array, index) || !stands(which, index));
    left.removeAll(gone);
    SubjobSelection named = SubjobSelection.of(array, which);
    SubjobSelection.Cut cut = named.cut(array.getLeft());
    assertEquals(gone, indices(cut.gone(), array.getStep()), () -> array + " " + which);
    assertEquals(left, indices(cut.left(), array.getStep()), () -> array + " " + which);
    boolean any = false;
    for (int place = 0; place < ArrayStates.size(array); place++) {
      int index = array.getFirst() + place * array.getStep();
      assertEquals(stands(which, index), named.has(index));
      any |= stands(which, index);
    }
    assertEquals(!any, named.isEmpty());
    assertTrue(SubjobSelection.pieces(array, which) >= cut.gone().size() - array.getLeft().size());
  }

  private static boolean stands(List<IndexSteps> which, int index) {
    return which.stream()
        .anyMatch(
            it ->
                index >= it.getFirst()
                    && index <= it.getLast()
                    && (index - it.getFirst()) % it.getStep() == 0);
  }

  @Test
  void theLargestNumbersAreNotTooLarge() {
    ArrayState array = ArrayStates.fresh(0, 9_999_998, 1, 0);
    List<IndexSteps> all = List.of(new IndexSteps(0, Integer.MAX_VALUE, 1));
    assertEquals(1, SubjobSelection.pieces(array, all));
    assertEquals(List.of(), SubjobSelection.of(array, all).cut(array.getLeft()).left());
    List<IndexSteps> far = List.of(new IndexSteps(3, Integer.MAX_VALUE, Integer.MAX_VALUE));
    assertEquals(
        List.of(new IndexRange(3, 3)), SubjobSelection.of(array, far).cut(array.getLeft()).gone());
    assertEquals(
        5_000_000, SubjobSelection.pieces(array, List.of(new IndexSteps(0, 9_999_998, 2))));
  }
}
