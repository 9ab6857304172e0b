package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GapLineTest {

  @Test
  void itGivesWhatAPriorityQueueGives() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<Integer> known = new ArrayList<>();
      for (int i = random.nextInt(20); i > 0; i--) {
        known.add(2 * random.nextInt(50));
      }
      GapLine<Integer> line = new GapLine<>(known, Comparator.naturalOrder());
      PriorityQueue<Integer> queue = new PriorityQueue<>(known);
      for (int step = 0; step < 60; step++) {
        assertEquals(queue.isEmpty(), line.isEmpty(), "seed " + seed);
        if (queue.isEmpty() || random.nextInt(3) == 0) {
          int more = random.nextInt(100);
          line.add(more);
          queue.add(more);
        } else {
          assertEquals(queue.peek(), line.first(), "seed " + seed);
          queue.poll();
          line.removeFirst();
        }
        List<Integer> left = new ArrayList<>();
        line.forEach(left::add);
        assertEquals(queue.stream().sorted().toList(), left.stream().sorted().toList());
      }
    }
  }

  @Test
  void whatComesLaterMayComeFirst() {
    GapLine<Integer> line = new GapLine<>(List.of(7, 5), Comparator.naturalOrder());
    line.add(1);
    line.add(6);
    List<Integer> order = new ArrayList<>();
    while (!line.isEmpty()) {
      order.add(line.first());
      line.removeFirst();
    }
    assertEquals(List.of(1, 5, 6, 7), order);
  }
}
