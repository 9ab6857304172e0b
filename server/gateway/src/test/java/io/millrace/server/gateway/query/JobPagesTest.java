package io.millrace.server.gateway.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.state.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class JobPagesTest {

  /** A shard that has every third number and answers as the query endpoint does. */
  private static JobPages shard(int shard, long jobs, List<String> asked) {
    return new JobPages(
        shard,
        JobFilter.all(false),
        path -> {
          asked.add(path);
          long after = Long.parseLong(path.replaceAll(".*after=(-?\\d+).*", "$1"));
          int limit = Integer.parseInt(path.replaceAll(".*limit=(\\d+).*", "$1"));
          return LongStream.range(0, jobs)
              .map(i -> i * 3 + shard)
              .filter(n -> n > after)
              .limit(limit)
              .mapToObj(JobPagesTest::job)
              .toList();
        });
  }

  private static Job job(long number) {
    Job job = new Job();
    job.setNumber(number);
    return job;
  }

  @Test
  void pagesOfAllShardsAreMergedInOrder() throws Exception {
    List<String> asked = java.util.Collections.synchronizedList(new ArrayList<>());
    List<Long> seen = new ArrayList<>();
    JobPages.merge(
        List.of(shard(0, 5000, asked), shard(1, 10, asked), shard(2, 0, asked)),
        new Fan(),
        job -> seen.add(job.getNumber()));
    assertEquals(5010, seen.size());
    for (int i = 1; i < seen.size(); i++) {
      assertTrue(seen.get(i - 1) < seen.get(i));
    }
    assertTrue(asked.size() < 15, "pages, not jobs: " + asked.size());
  }

  @Test
  void aReaderThatHasEnoughEndsTheReading() throws Exception {
    List<String> asked = java.util.Collections.synchronizedList(new ArrayList<>());
    int[] seen = {0};
    JobPages.merge(List.of(shard(0, 100_000, asked)), new Fan(), job -> ++seen[0] < 10);
    assertEquals(10, seen[0]);
    assertEquals(1, asked.size());
  }
}
