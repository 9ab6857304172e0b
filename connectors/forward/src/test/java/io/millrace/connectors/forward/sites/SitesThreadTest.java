package io.millrace.connectors.forward.sites;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.forward.table.TableTopic;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.state.PartState;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.SitePart;
import io.millrace.schemas.state.SiteWish;
import io.millrace.schemas.state.WholePart;
import io.millrace.schemas.state.WholeState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When requests are done, and which news of them are told. */
class SitesThreadTest {
  private static final long NOW_MS = 1_800_000_000_000L;
  private static final long SOON_S = 60;

  private volatile long nowMs = NOW_MS;
  private volatile SiteDoor.SiteReply reply = new SiteDoor.SiteReply.Said(0, "R17\n", "");
  private volatile boolean brokerAway;
  private final CountDownLatch end = new CountDownLatch(1);
  private final BlockingQueue<String> asked = new LinkedBlockingQueue<>();
  private final BlockingQueue<PartRequest.PartNews> told = new LinkedBlockingQueue<>();
  private final Set<Long> heardOf = ConcurrentHashMap.newKeySet();

  private final SiteDoor door =
      new SiteDoor() {
        @Override
        public boolean knows(String site) {
          return !site.startsWith("typo");
        }

        @Override
        public SiteReply command(String site, UUID id, int seconds, List<String> words)
            throws InterruptedException {
          SiteDoor.SiteReply now = reply;
          asked.add(site);
          if (site.equals("hangs")) {
            end.await();
          }
          return now;
        }

        @Override
        public SiteReply look(String site, String reservation) throws InterruptedException {
          asked.add("look");
          if (site.equals("hangs")) {
            end.await();
          }
          return reply;
        }
      };

  private final Clock clock =
      new Clock() {
        @Override
        public ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return Instant.ofEpochMilli(nowMs);
        }
      };

  private final SitesThread sites = new SitesThread(door, this::receive, clock);

  private void receive(int shard, long whole, int part, PartRequest.PartNews news)
      throws IOException {
    if (brokerAway) {
      asked.add("not told");
      throw new IOException("no broker");
    }
    told.add(news);
    heardOf.add(whole);
  }

  @AfterEach
  void close() {
    end.countDown();
    sites.close();
  }

  private static TableTopic.TableRow<ReservationWhole> row(
      long number, String site, WholeState state, PartState part) {
    return row(number, site, state, part, "");
  }

  private static TableTopic.TableRow<ReservationWhole> row(
      long number, String site, WholeState state, PartState part, String trouble) {
    SitePart there =
        SitePart.newBuilder()
            .setTrouble(trouble)
            .setWish(new SiteWish(site, "P1", 1))
            .setHoldId(
                new CommandId(ByteBuffer.allocate(16).putLong(NOW_MS << 16).putLong(1).array()))
            .build();
    WholePart one =
        WholePart.newBuilder()
            .setPartition(site + ":P1")
            .setShard(-1)
            .setReservationId(part == PartState.ASKED ? "" : "R17")
            .setState(part)
            .setThere(there)
            .build();
    ReservationWhole whole =
        ReservationWhole.newBuilder()
            .setId("W" + number + ".vm")
            .setNumber(number)
            .setOwner("ann")
            .setState(state)
            .setParts(List.of(one))
            .setCreatedMs(NOW_MS)
            .setEndMs(NOW_MS + 7_200_000)
            .build();
    return new TableTopic.TableRow<>(3, whole);
  }

  private String nextAsked() throws InterruptedException {
    return asked.poll(SOON_S, TimeUnit.SECONDS);
  }

  private PartRequest.PartNews nextTold() throws InterruptedException {
    return told.poll(SOON_S, TimeUnit.SECONDS);
  }

  /** As time goes by: when the request before was written down, another one begins. */
  private void followUntilAsked(TableTopic.TableRow<ReservationWhole> row) {
    while (asked.isEmpty()) {
      nowMs += 10;
      sites.follow(List.of(row));
      Thread.onSpinWait();
    }
  }

  @Test
  void aPartIsAskedForAndItsNameIsTold() throws Exception {
    sites.follow(List.of(row(1, "far", WholeState.HOLDING, PartState.ASKED)));
    assertEquals("far", nextAsked());
    PartRequest.PartNews news = nextTold();
    assertEquals(List.of(PartState.HELD, "R17"), List.of(news.state(), news.id()));
  }

  @Test
  void oneThatHangsKeepsNoOtherWaiting() throws Exception {
    sites.follow(
        List.of(
            row(1, "hangs", WholeState.HOLDING, PartState.ASKED),
            row(2, "far", WholeState.HOLDING, PartState.ASKED)));
    assertEquals(PartState.HELD, nextTold().state());
  }

  @Test
  void troubleIsToldWhenItStays() throws Exception {
    reply = new SiteDoor.SiteReply.Unknown("cannot connect", false, false);
    TableTopic.TableRow<ReservationWhole> row = row(1, "far", WholeState.HOLDING, PartState.ASKED);
    sites.follow(List.of(row));
    assertEquals("far", nextAsked());
    reply = new SiteDoor.SiteReply.Unknown("still cannot connect", false, false);
    followUntilAsked(row);
    assertEquals("still cannot connect", nextTold().why(), "the first time it may pass");
  }

  @Test
  void whatIsHopelessIsToldAtOnce() throws Exception {
    reply = new SiteDoor.SiteReply.Unknown("not understood", true, false);
    sites.follow(List.of(row(1, "far", WholeState.HOLDING, PartState.ASKED)));
    assertTrue(nextTold().hopeless());
  }

  @Test
  void whatTheBrokerDidNotTakeIsFoundOutAgain() throws Exception {
    brokerAway = true;
    TableTopic.TableRow<ReservationWhole> row = row(1, "far", WholeState.HOLDING, PartState.ASKED);
    sites.follow(List.of(row));
    assertEquals("far", nextAsked());
    assertEquals("not told", nextAsked());
    brokerAway = false;
    followUntilAsked(row);
    assertEquals(PartState.HELD, nextTold().state());
  }

  @Test
  void onesThatStayAreLookedAtNowAndThen() throws Exception {
    reply = new SiteDoor.SiteReply.ShownThere("CONFIRMED", "", List.of());
    TableTopic.TableRow<ReservationWhole> row = row(1, "far", WholeState.KEPT, PartState.COMMITTED);
    sites.follow(List.of());
    sites.follow(List.of(row));
    assertEquals("look", nextAsked());
    assertEquals("CONFIRMED", nextTold().shown());
    followUntilAsked(row);
    assertEquals("look", nextAsked());
  }

  @Test
  void nothingIsDoneAboutPartsThatWait() {
    sites.follow(List.of(row(1, "far", WholeState.HOLDING, PartState.HELD)));
    sites.follow(List.of(row(2, "far", WholeState.ENDING, PartState.GONE)));
    assertTrue(asked.isEmpty());
  }

  @Test
  void manyThatHangKeepNoCommitWaiting() throws Exception {
    sites.follow(List.of());
    List<TableTopic.TableRow<ReservationWhole>> rows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      rows.add(row(i, "hangs", WholeState.KEPT, PartState.COMMITTED));
    }
    sites.follow(rows);
    assertEquals("look", nextAsked());
    rows.add(row(20, "hangs", WholeState.CONFIRMING, PartState.HELD));
    sites.follow(rows);
    String next = nextAsked();
    while ("look".equals(next)) {
      next = nextAsked();
    }
    assertEquals("hangs", next, "the commit is sent");
  }

  @Test
  void afterAStartAllAreNotLookedAtAtOnce() throws Exception {
    reply = new SiteDoor.SiteReply.ShownThere("CONFIRMED", "", List.of());
    List<TableTopic.TableRow<ReservationWhole>> rows = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      rows.add(row(i, "far", WholeState.KEPT, PartState.COMMITTED));
    }
    sites.follow(rows);
    nowMs += 15_000;
    sites.follow(rows);
    rows.add(row(1000, "far", WholeState.KEPT, PartState.COMMITTED));
    sites.follow(rows);
    while (!heardOf.contains(1000L)) {
      Thread.onSpinWait();
    }
    int looks = asked.size();
    assertTrue(looks > 30 && looks < 70, () -> looks + " of 100 in half the time");
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(it -> it.getName().equals("millrace-site"))
        .count();
  }

  @Test
  void namesThatAreNotSetUpGetNoThreadsOfTheirOwn() throws Exception {
    reply = new SiteDoor.SiteReply.Unknown("it is not set up here", true, true);
    long before = threads();
    sites.follow(List.of());
    List<TableTopic.TableRow<ReservationWhole>> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      rows.add(row(i, "typo" + i, WholeState.HOLDING, PartState.ASKED));
    }
    sites.follow(rows);
    for (int i = 0; i < 200; i++) {
      assertEquals(PartState.GONE, nextTold().state(), "nothing was sent");
    }
    assertTrue(threads() <= before + 4, () -> threads() + " threads");
  }

  /** The process before may have asked for what it left behind. */
  @Test
  void aRefusalAfterAStartIsNoProof() throws Exception {
    reply = new SiteDoor.SiteReply.Unknown("HTTP 401, no valid credential", true, true);
    TableTopic.TableRow<ReservationWhole> row = row(1, "far", WholeState.HOLDING, PartState.ASKED);
    sites.follow(List.of(row));
    PartRequest.PartNews news = nextTold();
    assertEquals(PartState.ASKED, news.state());
    assertTrue(news.hopeless());
    TableTopic.TableRow<ReservationWhole> fresh =
        row(2, "far", WholeState.HOLDING, PartState.ASKED);
    sites.follow(List.of(row, fresh));
    assertEquals(PartState.GONE, nextTold().state());
  }

  @Test
  void aRefusalAfterAnAttemptThatWasSentIsNoProof() throws Exception {
    sites.follow(List.of());
    TableTopic.TableRow<ReservationWhole> row = row(1, "far", WholeState.HOLDING, PartState.ASKED);
    reply = new SiteDoor.SiteReply.Unknown("no answer", false, false);
    sites.follow(List.of(row));
    assertEquals("far", nextAsked());
    reply = new SiteDoor.SiteReply.Unknown("HTTP 401, no valid credential", true, true);
    followUntilAsked(row);
    assertEquals(PartState.ASKED, nextTold().state());
  }

  @Test
  void whatIsHopelessIsToldOnceWhenItEnds() throws Exception {
    reply = new SiteDoor.SiteReply.Unknown("not understood", true, false);
    TableTopic.TableRow<ReservationWhole> row =
        row(1, "far", WholeState.ENDING, PartState.ASKED, "not understood");
    sites.follow(List.of(row));
    assertEquals("far", nextAsked());
    followUntilAsked(row);
    assertNull(told.poll(), "the record says it");
  }

  /** The shard may not have heard it yet: what it hears must stay true. */
  @Test
  void nothingIsSentAfterItWasToldThatItIsNotThere() throws Exception {
    sites.follow(List.of());
    TableTopic.TableRow<ReservationWhole> row = row(1, "far", WholeState.HOLDING, PartState.ASKED);
    reply = new SiteDoor.SiteReply.Unknown("HTTP 401, no valid credential", true, true);
    sites.follow(List.of(row));
    assertEquals("far", nextAsked());
    assertEquals(PartState.GONE, nextTold().state());
    reply = new SiteDoor.SiteReply.Said(0, "R17\n", "");
    while (told.isEmpty()) {
      nowMs += 10;
      sites.follow(List.of(row));
      Thread.onSpinWait();
    }
    assertEquals(PartState.GONE, nextTold().state());
    assertTrue(asked.isEmpty());
  }
}
