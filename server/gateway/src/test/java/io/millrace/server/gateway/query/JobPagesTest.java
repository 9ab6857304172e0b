package io.millrace.server.gateway.query;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.state.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class JobPagesTest {

  private static final int JOB_BYTES = 1000;

  private final PageRoom room = new PageRoom(16L << 20);

  /** A shard that has every third number and answers as the query endpoint does. */
  private JobPages shard(int shard, long jobs, List<String> asked) {
    return shard(shard, jobs, JOB_BYTES, asked);
  }

  private JobPages shard(int shard, long jobs, int jobBytes, List<String> asked) {
    return new JobPages(
        shard,
        JobFilter.all(false, "ann"),
        room,
        path -> {
          asked.add(path);
          long after = Long.parseLong(path.replaceAll(".*after=(-?\\d+).*", "$1"));
          int limit = Integer.parseInt(path.replaceAll(".*limit=(\\d+).*", "$1"));
          int bytes = Integer.parseInt(path.replaceAll(".*bytes=(\\d+).*", "$1"));
          List<Job> page =
              LongStream.range(0, jobs)
                  .map(i -> i * 3 + shard)
                  .filter(n -> n > after)
                  .limit(Math.min(limit, (bytes + jobBytes - 1) / jobBytes))
                  .mapToObj(JobPagesTest::job)
                  .toList();
          return new JobPages.JobPage(page, page.size() * jobBytes);
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
        new ShardFanOut(),
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
    JobPages.merge(List.of(shard(0, 100_000, asked)), new ShardFanOut(), job -> ++seen[0] < 10);
    assertEquals(10, seen[0]);
    assertEquals(1, asked.size());
  }

  @Test
  void largeJobsComeInSmallerPages() throws Exception {
    List<String> asked = java.util.Collections.synchronizedList(new ArrayList<>());
    int[] seen = {0};
    JobPages.merge(
        List.of(shard(0, 200, 100_000, asked), shard(1, 200, 100_000, asked)),
        new ShardFanOut(),
        job -> ++seen[0] > 0);
    assertEquals(400, seen[0]);
    assertTrue(asked.size() >= 40, "one page would have had 20 MB: " + asked.size());
    assertEquals(PageRoom.LARGEST, room.wish("ann"), "all room was given back");
  }

  @Test
  void aPageThatComesAfterTheListWasGivenUpTakesNoRoom() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch failed = new CountDownLatch(1);
    CountDownLatch refused = new CountDownLatch(1);
    JobPages bad =
        new JobPages(
            0,
            JobFilter.all(false, "ann"),
            room,
            path -> {
              asked.await();
              throw new QueryException("shard 0 does not answer");
            });
    JobPages late =
        new JobPages(
            1,
            JobFilter.all(false, "ann"),
            room,
            path -> {
              asked.countDown();
              boolean told = false;
              while (!told) {
                try {
                  failed.await();
                  told = true;
                } catch (InterruptedException e) {
                  // As one that decodes a page: it hears of nothing.
                  continue;
                }
              }
              refused.countDown();
              return new JobPages.JobPage(List.of(job(1)), JOB_BYTES);
            });
    ShardFanOut fan = new ShardFanOut();
    assertThrows(QueryException.class, () -> JobPages.merge(List.of(bad, late), fan, job -> true));
    failed.countDown();
    refused.await();
    assertThrows(QueryException.class, () -> JobPages.merge(List.of(late), fan, job -> true));
    assertEquals(PageRoom.LARGEST, room.wish("ann"));
  }

  @Test
  void pagesShrinkWithTheRoomAndAPageWithoutRoomIsRefused() throws Exception {
    PageRoom small = new PageRoom(1 << 20);
    assertEquals(1 << 16, small.wish("ann"));
    small.hold("ann", 900_000); // a single job of great size, when nothing else is told
    assertEquals(PageRoom.SMALLEST, small.wish("bob"));
    QueryException refused = assertThrows(NoRoomException.class, () -> small.hold("bob", 200_000));
    assertTrue(refused.getMessage().contains("try again"), refused.getMessage());
    small.release("ann", 900_000);
    small.hold("bob", 3 << 20);
  }

  @Test
  void oneUsersListsLeaveRoomForOthers() throws Exception {
    PageRoom small = new PageRoom(1 << 20);
    small.hold("ann", 300_000);
    small.hold("ann", 200_000);
    assertEquals(PageRoom.SMALLEST, small.wish("ann"));
    assertTrue(small.wish("bob") > PageRoom.SMALLEST);
    QueryException refused = assertThrows(NoRoomException.class, () -> small.hold("ann", 100_000));
    assertTrue(refused.getMessage().startsWith("your lists of jobs"), refused.getMessage());
    small.hold("bob", 400_000);
    small.release("ann", 200_000);
    small.hold("ann", 100_000);
  }
}
