package io.millrace.connectors.forward.sites;

import io.millrace.connectors.forward.table.TableTopic;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.WholePart;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the reservations that have parts elsewhere, and has each request done that is due: at
 * once when something new is wanted, later and later when there is trouble, and now and then for
 * parts that stay. Each site has threads of its own for each need, so that one that hangs keeps no
 * other waiting, and no look a commit. Names that are not set up have some together: whoever
 * reserves may choose names.
 */
final class SitesThread implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SitesThread.class);

  private static final Duration WAIT = Duration.ofSeconds(1);
  private static final Duration AGAIN = Duration.ofSeconds(3);
  private static final int AT_ONCE = 4;
  private static final int LOOKS_AT_ONCE = 2;
  private static final long IDLE_S = 30;
  private static final long LOOK_MS = 30_000;
  private static final long REPORTED_MS = 3_000;
  private static final long TROUBLE_MS = 1_000;
  private static final long TROUBLE_MAX_MS = 30_000;

  /** Takes what became of a part; its shard may take a moment. */
  interface NewsReceiver {
    void report(int shard, long whole, int part, PartRequest.PartNews news)
        throws IOException, InterruptedException;
  }

  /** A request that was done: when it is done again. */
  private record PartRequestDone(PartRequest.Need need, long dueMs, int troubles) {}

  private record PartPlace(long whole, int part) {

    /** Places one after the other are far from each other in this time. */
    long spread(long ms) {
      return Math.floorMod((whole * 64 + part) * 0x9e3779b97f4a7c15L >>> 16, ms);
    }
  }

  /**
   * Requests that wait for each other.
   *
   * @param site empty for all that are not set up
   */
  private record SiteLane(String site, PartRequest.Need need) {}

  private final SiteDoor door;
  private final NewsReceiver receiver;
  private final Clock clock;
  private final Map<SiteLane, ExecutorService> lanes = new ConcurrentHashMap<>();

  /** What may have been asked for already, by this process or the one before. */
  private final Set<PartPlace> sent = ConcurrentHashMap.newKeySet();

  /** What was concluded before anything was sent: nothing is sent after that. */
  private final Map<PartPlace, PartRequest.PartNews> never = new ConcurrentHashMap<>();

  private final Map<PartPlace, PartRequestDone> done = new ConcurrentHashMap<>();
  private final Set<PartPlace> running = ConcurrentHashMap.newKeySet();
  private final Map<String, String> troubles = new ConcurrentHashMap<>();
  private volatile boolean closed;
  private volatile boolean begun;
  private boolean followed;
  private volatile String trouble = "the parts elsewhere are not known yet";

  SitesThread(SiteDoor door, NewsReceiver receiver, Clock clock) {
    this.door = door;
    this.receiver = receiver;
    this.clock = clock;
  }

  /** What is in the way, in one line; empty for nothing. */
  String obstacle() {
    return trouble.isEmpty() ? String.join("; ", troubles.values()) : trouble;
  }

  /**
   * Follows until it is closed.
   *
   * @param ready told once, when all is known that was there
   */
  void run(Map<String, Object> kafka, RecordCodec codec, Runnable ready)
      throws InterruptedException {
    while (!closed) {
      try (TableTopic<ReservationWhole> topic =
          new TableTopic<>(kafka, codec, "wholes", ReservationWhole.class)) {
        while (!closed) {
          if (topic.read(WAIT)) {
            trouble = "";
            if (!begun) {
              begun = true;
              ready.run();
            }
            follow(topic.present());
          }
        }
      } catch (IOException e) {
        again(e.getMessage());
      } catch (RuntimeException e) {
        log.warn("reservations with parts elsewhere were not followed", e);
        again(e.getMessage());
      }
    }
  }

  private void again(String why) throws InterruptedException {
    String now = "reservations with parts elsewhere cannot be followed: " + why;
    if (!now.equals(trouble)) {
      log.warn("{}; trying again", now);
    }
    trouble = now;
    TimeUnit.MILLISECONDS.sleep(AGAIN.toMillis());
  }

  /** Begins the requests that are due. */
  void follow(Collection<TableTopic.TableRow<ReservationWhole>> present) {
    Set<PartPlace> there = new HashSet<>();
    Set<String> names = new HashSet<>();
    for (TableTopic.TableRow<ReservationWhole> row : present) {
      ReservationWhole whole = row.record();
      for (int i = 0; i < whole.getParts().size(); i++) {
        PartRequest.Need need = PartRequest.need(whole, whole.getParts().get(i));
        PartPlace place = new PartPlace(whole.getNumber(), i);
        if (need != PartRequest.Need.NOTHING) {
          there.add(place);
          names.add(site(whole.getParts().get(i)));
          if (!followed) {
            meet(place, need);
          }
          if (isDue(place, need) && running.add(place)) {
            begin(row.shard(), whole, place, need);
          }
        }
      }
    }
    followed = true;
    done.keySet().retainAll(there);
    sent.retainAll(there);
    never.keySet().retainAll(there);
    troubles.keySet().retainAll(names);
  }

  /** It was there before this process: somebody may have asked for it, or looked at it just now. */
  private void meet(PartPlace place, PartRequest.Need need) {
    sent.add(place);
    if (need == PartRequest.Need.LOOK) {
      long dueMs = clock.millis() + place.spread(LOOK_MS);
      done.put(place, new PartRequestDone(need, dueMs, 0));
    }
  }

  private boolean isDue(PartPlace place, PartRequest.Need need) {
    PartRequestDone last = done.get(place);
    return last == null || last.need() != need || clock.millis() >= last.dueMs();
  }

  private void begin(int shard, ReservationWhole whole, PartPlace place, PartRequest.Need need) {
    String site = site(whole.getParts().get(place.part()));
    lanes
        .computeIfAbsent(new SiteLane(door.knows(site) ? site : "", need), SitesThread::threads)
        .execute(
            () -> {
              try {
                carryOut(shard, whole, place, need);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              } finally {
                running.remove(place);
              }
            });
  }

  private static String site(WholePart part) {
    return part.getThere().getWish().getSite();
  }

  /** They end when there is nothing to do. */
  private static ExecutorService threads(SiteLane lane) {
    int count = lane.need() == PartRequest.Need.LOOK ? LOOKS_AT_ONCE : AT_ONCE;
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_S,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            SitesThread::daemon);
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "millrace-site");
    thread.setDaemon(true);
    return thread;
  }

  private void carryOut(int shard, ReservationWhole whole, PartPlace place, PartRequest.Need need)
      throws InterruptedException {
    WholePart part = whole.getParts().get(place.part());
    long nextMs = REPORTED_MS;
    int failed = 0;
    try {
      PartRequest.PartNews news = news(whole, place);
      boolean bad = news.state() != PartState.GONE && !news.why().isEmpty();
      Measures.ofProcess().count(Metric.SITE_REQUESTS);
      if (bad) {
        Measures.ofProcess().count(Metric.SITE_REQUESTS_UNCLEAR);
      }
      PartRequestDone last = done.get(place);
      failed = !bad ? 0 : last == null || last.need() != need ? 1 : last.troubles() + 1;
      nextMs = bad ? backOff(failed) : need == PartRequest.Need.LOOK ? LOOK_MS : REPORTED_MS;
      note(part, bad ? news.why() : "");
      if (isNews(part, need, news) && !(bad && failed == 1 && !news.hopeless())) {
        receiver.report(shard, place.whole(), place.part(), news);
      }
    } catch (IOException e) {
      log.warn("what became of part {} of {} is not told yet", place.part(), whole.getId(), e);
      nextMs = TROUBLE_MS;
    } catch (RuntimeException e) {
      log.error("part {} of {} was not looked after", place.part(), whole.getId(), e);
      nextMs = TROUBLE_MAX_MS;
    }
    done.put(place, new PartRequestDone(need, clock.millis() + nextMs, failed));
  }

  private PartRequest.PartNews news(ReservationWhole whole, PartPlace place)
      throws InterruptedException {
    PartRequest.PartNews concluded = never.get(place);
    if (concluded != null) {
      return concluded;
    }
    boolean first = sent.add(place);
    PartRequest request = new PartRequest(whole, place.part(), door, clock.millis(), first);
    PartRequest.PartNews news = request.run();
    if (first && news.state() == PartState.GONE) {
      never.put(place, news);
    } else if (first && !request.wasSent()) {
      sent.remove(place);
    }
    return news;
  }

  private static long backOff(int failed) {
    return Math.min(TROUBLE_MAX_MS, TROUBLE_MS << Math.min(failed - 1, 10));
  }

  private void note(WholePart part, String why) {
    String site = site(part);
    String now = site + ": " + why;
    if (why.isEmpty() || !door.knows(site)) {
      troubles.remove(site);
    } else if (!now.equals(troubles.put(site, now))) {
      log.warn("{}", now);
    }
  }

  /** Whether the record does not say it already. */
  private static boolean isNews(WholePart part, PartRequest.Need need, PartRequest.PartNews news) {
    boolean shown =
        news.shown().isEmpty()
            || news.shown().equals(part.getThere().getShown())
                && news.lost().equals(part.getThere().getLost());
    return news.state() != part.getState()
        || news.hopeless() && need == PartRequest.Need.HOLD
        || !news.why().equals(part.getThere().getTrouble())
        || !shown;
  }

  /** What was begun and not reported is done again by the next process. */
  @Override
  public void close() {
    closed = true;
    lanes.values().forEach(ExecutorService::shutdownNow);
  }
}
