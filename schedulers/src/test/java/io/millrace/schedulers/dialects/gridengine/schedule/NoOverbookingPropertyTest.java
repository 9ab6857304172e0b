package io.millrace.schedulers.dialects.gridengine.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.Decisions.TaskDecision;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.ResourceUse;
import io.millrace.schedulers.gridengine.language.cluster.Level;
import io.millrace.schemas.SeedSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;

/** Random jobs: nothing is planned above capacity, and less important jobs move no promise. */
class NoOverbookingPropertyTest {

  private static final Map<String, Double> CAPACITY =
      Map.of("license", 5.0, "hmem", 4.0, "slots", 2.0);

  @ParameterizedTest
  @SeedSource({1, 2, 3, 4, 5})
  void neverAboveCapacity(long seed) {
    Decisions decisions = scene(new Random(seed), 25).decisions();
    List<TaskDecision> all = new ArrayList<>(decisions.starts());
    all.addAll(decisions.promises());
    assertTrue(!all.isEmpty());
    for (TaskDecision at : all) {
      Map<String, Double> used = new HashMap<>();
      for (TaskDecision other : all) {
        if (overlaps(other, at.assignment().start())) {
          for (ResourceUse use : other.uses()) {
            if (use.level() != Level.ENVIRONMENT) {
              used.merge(use.container() + " " + use.resource(), use.amount(), Double::sum);
            }
          }
        }
      }
      used.forEach(
          (what, amount) ->
              assertTrue(
                  amount <= CAPACITY.get(what.substring(what.indexOf(' ') + 1)),
                  () -> what + " is used " + amount));
    }
  }

  /** Beside what is booked of the hosts, at each moment at which a job begins or a booking does. */
  @ParameterizedTest
  @SeedSource({1, 2, 3, 4, 5, 6, 7, 8})
  void neverAboveCapacityBesideBookings(long seed) {
    Random random = new Random(seed);
    GridEngineScene scene =
        scene(random, 25)
            .host("hostname node01\ncomplex_values hmem=4,slots=2\n")
            .host("hostname node02\ncomplex_values hmem=4,slots=2\n");
    List<long[]> booked = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      long from = random.nextInt(60) - 5;
      long[] one = {1 + random.nextInt(2), 1, from, from + 1 + random.nextInt(15)};
      if (booked.stream().noneMatch(it -> it[0] == one[0] && it[2] < one[3] && one[2] < it[3])) {
        one[1] = 1 + random.nextInt(2);
        booked.add(one);
        scene.booked("node0" + one[0], (int) one[1], one[2], one[3]);
      }
    }
    Decisions decisions = scene.decisions();
    List<TaskDecision> all = new ArrayList<>(decisions.starts());
    all.addAll(decisions.promises());
    assertTrue(!all.isEmpty());
    List<Long> moments = new ArrayList<>();
    all.forEach(it -> moments.add(it.assignment().start()));
    booked.forEach(it -> moments.add(GridEngineScene.NOW + it[2]));
    for (long moment : moments) {
      Map<String, Double> used = new HashMap<>();
      for (TaskDecision other : all) {
        for (ResourceUse use : overlaps(other, moment) ? other.uses() : List.<ResourceUse>of()) {
          if (use.level() == Level.HOST && use.resource().equals("slots")) {
            used.merge(use.container(), use.amount(), Double::sum);
          }
        }
      }
      for (long[] one : booked) {
        if (GridEngineScene.NOW + one[2] <= moment && moment < GridEngineScene.NOW + one[3]) {
          used.merge("node0" + one[0], (double) one[1], Double::sum);
        }
      }
      used.forEach((host, slots) -> assertTrue(slots <= 2, () -> host + " " + used + moment));
    }
  }

  private static boolean overlaps(TaskDecision decision, long time) {
    long start = decision.assignment().start();
    return start <= time && time < start + decision.assignment().duration();
  }

  @ParameterizedTest
  @SeedSource({1, 2, 3})
  void lowerJobsChangeNothingForHigherOnes(long seed) {
    Decisions few = scene(new Random(seed), 10).decisions();
    Decisions many = scene(new Random(seed), 25).decisions();
    List<TaskDecision> promised = new ArrayList<>();
    many.promises().stream().filter(promise -> promise.job() <= 10).forEach(promised::add);
    assertEquals(few.promises(), promised);
  }

  @ParameterizedTest
  @SeedSource(1)
  void theSameAgain(long seed) {
    assertEquals(scene(new Random(seed), 25).decide(), scene(new Random(seed), 25).decide());
  }

  /** Jobs by priority; the first ones are the same for every number of jobs. */
  private static GridEngineScene scene(Random random, int jobs) {
    GridEngineScene scene =
        new GridEngineScene()
            .scheduler("max_reservation", "30")
            .scheduler("weight_urgency", "0")
            .host("hostname global\ncomplex_values license=5\n")
            .host("hostname node01\ncomplex_values hmem=4\n")
            .host("hostname node02\ncomplex_values hmem=4\n");
    for (int job = 0; job < jobs; job++) {
      StringBuilder options = new StringBuilder("-p " + (500 - job));
      options.append(" -l h_rt=").append(1 + random.nextInt(30));
      if (random.nextBoolean()) {
        options.append(",license=").append(1 + random.nextInt(3));
      }
      if (random.nextBoolean()) {
        options.append(",hmem=").append(1 + random.nextInt(2));
      }
      if (random.nextInt(3) == 0) {
        options.append(random.nextBoolean() ? " -pe mpi 1-3" : " -pe rr 2");
      }
      options.append(random.nextInt(4) > 0 ? " -R y" : "");
      scene.job("j" + job, options.toString());
    }
    return scene;
  }
}
