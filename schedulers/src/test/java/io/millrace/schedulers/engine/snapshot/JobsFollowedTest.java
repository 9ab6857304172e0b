package io.millrace.schedulers.engine.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.schemas.state.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class JobsFollowedTest {

  private static Job job(long number) {
    Job job = new Job();
    job.setNumber(number);
    return job;
  }

  private static List<Long> followed(int jobs) {
    List<Long> followed = new ArrayList<>();
    try (JobsFollowed all = new JobsFollowed(job -> followed.add(job.getNumber()))) {
      LongStream.range(0, jobs).forEach(it -> all.take(job(it)));
    }
    return followed;
  }

  @Test
  void allAreFollowedInTheirOrderHoweverManyThereAre() {
    for (int jobs : List.of(0, 1, JobsFollowed.BATCH - 1, JobsFollowed.BATCH, 20_123)) {
      assertEquals(LongStream.range(0, jobs).boxed().toList(), followed(jobs));
    }
  }

  @Test
  void whatOneLeadsToIsThrownWhenAllAreTakenAndNothingHangs() {
    for (int jobs : List.of(10, 50_000)) {
      IllegalArgumentException bad = new IllegalArgumentException("job 7");
      JobsFollowed all =
          new JobsFollowed(
              job -> {
                if (job.getNumber() == 7) {
                  throw bad;
                }
              });
      LongStream.range(0, jobs).forEach(it -> all.take(job(it)));
      assertSame(bad, assertThrows(IllegalArgumentException.class, all::close));
    }
  }
}
