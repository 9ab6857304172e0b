package io.millrace.server.gateway.query;

import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.state.Job;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Callable;

/**
 * The jobs of one shard in ascending number, fetched a page at a time. A page is bounded in jobs
 * and in bytes: names, arguments and environments are as long as users make them.
 */
final class JobPages implements AutoCloseable {

  /** First page small, so that a short list is quick and a long one starts at once. */
  private static final int FIRST_PAGE = 200;

  private static final int PAGE = 1_000;

  /**
   * @param bytes that the jobs had on their way
   */
  record JobPage(List<Job> jobs, int bytes) {}

  /** Fetches the records behind a path. */
  interface PageSource {
    JobPage fetch(String path) throws QueryException, InterruptedException;
  }

  private final String base;
  private final String user;
  private final PageRoom room;
  private final PageSource source;
  private Iterator<Job> page;
  private int limit = FIRST_PAGE;
  private int held;
  private boolean closed;
  private boolean last;
  private long after;
  private Job head;

  JobPages(int shard, JobFilter filter, PageRoom room, PageSource source) {
    StringBuilder path = new StringBuilder("/v1/jobs?shard=").append(shard);
    filter.queue().ifPresent(q -> path.append("&queue=").append(QueryClient.encode(q)));
    filter.owner().ifPresent(o -> path.append("&owner=").append(QueryClient.encode(o)));
    if (filter.history()) {
      path.append("&history=true");
    }
    this.base = path.toString();
    this.user = filter.asker();
    this.after = filter.after();
    this.room = room;
    this.source = source;
  }

  /** Gives all jobs of all sources in ascending number; a job that two shards tell comes once. */
  static void merge(List<JobPages> sources, ShardFanOut fan, Queries.RecordReceiver<Job> each)
      throws QueryException, InterruptedException {
    try {
      mergeAll(sources, fan, each);
    } finally {
      sources.forEach(JobPages::close);
    }
  }

  private static void mergeAll(
      List<JobPages> sources, ShardFanOut fan, Queries.RecordReceiver<Job> each)
      throws QueryException, InterruptedException {
    PriorityQueue<JobPages> heads =
        new PriorityQueue<>(
            Comparator.comparing((JobPages s) -> s.head.getNumber(), JobNumbers.ORDER));
    List<Callable<Boolean>> first = new ArrayList<>();
    for (JobPages source : sources) {
      first.add(source::advance);
    }
    List<Boolean> any = fan.all(first);
    for (int i = 0; i < sources.size(); i++) {
      if (any.get(i)) {
        heads.add(sources.get(i));
      }
    }
    long told = -1;
    while (!heads.isEmpty()) {
      JobPages next = heads.poll();
      Job job = next.head;
      if (job.getNumber() != told) {
        told = job.getNumber();
        if (!each.accept(job)) {
          return;
        }
      }
      if (next.advance()) {
        heads.add(next);
      }
    }
  }

  private boolean advance() throws QueryException, InterruptedException {
    if (page == null || !page.hasNext()) {
      if (last) {
        return false;
      }
      giveBack();
      int bytes = room.wish(user);
      JobPage fetched =
          source.fetch(base + "&after=" + after + "&limit=" + limit + "&bytes=" + bytes);
      keep(fetched.bytes());
      // The shard stops at the first job that fills the page.
      last = fetched.jobs().size() < limit && fetched.bytes() < bytes;
      limit = PAGE;
      page = fetched.jobs().iterator();
      if (!page.hasNext()) {
        return false;
      }
    }
    head = page.next();
    after = head.getNumber();
    return true;
  }

  /**
   * Keeps the room of a page, unless the list was given up meanwhile because another shard failed.
   */
  private synchronized void keep(int bytes) throws QueryException {
    if (closed) {
      throw new QueryException("the list of jobs was given up");
    }
    room.hold(user, bytes);
    held = bytes;
  }

  private synchronized void giveBack() {
    room.release(user, held);
    held = 0;
  }

  /** Gives the room of the page back, and takes no more. */
  @Override
  public synchronized void close() {
    closed = true;
    giveBack();
  }
}
