package io.millrace.schemas.hostkey;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.UndecodableRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the key of a host proves and seals, and for whom. */
class HostKeyTest {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final HostProof.RecordPlace REPORTS = new HostProof.RecordPlace("reports", 3);
  private static final byte[] WORDS = "run 1 has ended".getBytes(StandardCharsets.UTF_8);

  private static final Instant RENEWED = Instant.parse("2026-01-05T08:00:00Z");
  private static final long NOW = RENEWED.toEpochMilli();

  /** Last moment at which the key before is good. */
  private static final long LAST = RENEWED.plus(HostKey.GRACE).toEpochMilli();

  private final HostKey one = HostKey.of("one", HostKey.newText(RANDOM));
  private final HostKey two = HostKey.of("two", HostKey.newText(RANDOM));
  private final Map<String, HostKey> all = Map.of("one", one, "two", two);
  private final HostKeys keys = host -> Optional.ofNullable(all.get(host));

  @TempDir Path folder;

  private static ProducerRecord<byte[], byte[]> report(HostKey key) {
    return HostProof.record(key, REPORTS.topic(), REPORTS.partition(), new byte[0], WORDS);
  }

  @Test
  void aRecordProvesItsHostAndThatNobodyChangedIt() {
    Headers headers = report(one).headers();
    assertEquals("one", HostProof.host(keys, REPORTS, headers, WORDS, NOW));
    byte[] others = "run 2 has ended".getBytes(StandardCharsets.UTF_8);
    assertEquals("", HostProof.host(keys, REPORTS, headers, others, NOW));
    HostProof.RecordPlace shard = new HostProof.RecordPlace("reports", 4);
    assertEquals("", HostProof.host(keys, shard, headers, WORDS, NOW));
    HostProof.RecordPlace topic = new HostProof.RecordPlace("heartbeats", 3);
    assertEquals("", HostProof.host(keys, topic, headers, WORDS, NOW));
  }

  @Test
  void anotherNameOrAnotherKeyOrNoneProvesNothing() {
    Headers named = new RecordHeaders(report(one).headers().toArray());
    named.remove("host").add("host", "two".getBytes(StandardCharsets.UTF_8));
    assertEquals("", HostProof.host(keys, REPORTS, named, WORDS, NOW));
    HostKey guessed = HostKey.of("two", HostKey.newText(RANDOM));
    assertEquals("", HostProof.host(keys, REPORTS, report(guessed).headers(), WORDS, NOW));
    assertEquals("", HostProof.host(HostKeys.NONE, REPORTS, report(one).headers(), WORDS, NOW));
    assertEquals("", HostProof.host(keys, REPORTS, new RecordHeaders(), WORDS, NOW));
    for (String lost : List.of("host", "proof")) {
      Headers few = new RecordHeaders(report(one).headers().toArray());
      few.remove(lost);
      assertEquals("", HostProof.host(keys, REPORTS, few, WORDS, NOW));
      few.add(lost, null);
      assertEquals("", HostProof.host(keys, REPORTS, few, WORDS, NOW));
    }
  }

  /** Who has the key of a cluster is all its hosts, and no other; and no host is one of them. */
  @Test
  void theKeyOfAClusterIsThatOfItsHostsAndNoOthers() throws Exception {
    String text = HostKey.newText(RANDOM);
    Files.writeString(HostKeyFolder.file(folder, "@c1"), text + "\n");
    Files.writeString(HostKeyFolder.file(folder, "one"), HostKey.newText(RANDOM) + "\n");
    HostKeyFolder kept = new HostKeyFolder(folder);
    HostKey cluster = HostKey.of("@c1", text);
    assertThrows(IllegalArgumentException.class, () -> report(cluster));
    Headers headers = report(cluster.member("n1@c1")).headers();
    assertEquals("n1@c1", HostProof.host(kept, REPORTS, headers, WORDS, NOW));
    for (String other : List.of("one", "n2@c1", "n1@c2", "n1", "@c1", "one@one")) {
      Headers named = new RecordHeaders(headers.toArray());
      named.remove("host").add("host", other.getBytes(StandardCharsets.UTF_8));
      assertEquals("", HostProof.host(kept, REPORTS, named, WORDS, NOW), other);
    }
    for (String other : List.of("one", "n1@c2", "n1@c1x", "@c1", "n 1@c1", "n1@c1@c1", "")) {
      assertThrows(IllegalArgumentException.class, () -> cluster.member(other), other);
    }
    Headers pretended = report(HostKey.of("one", text)).headers();
    assertEquals("", HostProof.host(kept, REPORTS, pretended, WORDS, NOW));
    byte[] order = kept.of("n1@c1").orElseThrow().seal(WORDS, NOW);
    assertArrayEquals(WORDS, cluster.member("n1@c1").open(order, NOW));
    assertThrows(UndecodableRecord.class, () -> cluster.member("n2@c1").open(order, NOW));
    assertTrue(HostKey.isName("@c1"));
    assertFalse(HostKey.isName("n1@c1"));
  }

  @Test
  void onlyTheHostOfAnOrderReadsIt() throws Exception {
    byte[] sealed = one.seal(WORDS, NOW);
    assertArrayEquals(WORDS, one.open(sealed, NOW));
    String text = new String(sealed, StandardCharsets.ISO_8859_1);
    assertFalse(text.contains("ended"), text);
    assertThrows(UndecodableRecord.class, () -> two.open(sealed, NOW));
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      assertThrows(UndecodableRecord.class, () -> one.open(changed, NOW), "byte " + i);
    }
    for (byte[] none : new byte[][] {null, {}, {1}, WORDS, new byte[60]}) {
      assertThrows(UndecodableRecord.class, () -> one.open(none, NOW));
    }
    assertFalse(Arrays.equals(sealed, one.seal(WORDS, NOW)), "the same order twice");
  }

  @Test
  void namesAndTextsThatAreNoneAreRefusedAndNoKeyIsTold() {
    for (String name : List.of("", "../one", "a/b", "-a", ".a", "a b", "é", "x".repeat(201))) {
      assertThrows(IllegalArgumentException.class, () -> HostKey.of(name, "0".repeat(64)), name);
    }
    String text = "0".repeat(63) + "g";
    String said =
        assertThrows(IllegalArgumentException.class, () -> HostKey.of("one", text)).getMessage();
    assertFalse(said.contains(text), said);
  }

  @Test
  void whatIsInTheFolderCountsSoonAfterItChanged() throws Exception {
    HostKeyFolder files = new HostKeyFolder(folder.resolve("hosts"), 0);
    assertEquals(Optional.empty(), files.of("one"));
    Files.createDirectories(folder.resolve("hosts"));
    String text = HostKey.newText(RANDOM);
    Path file = HostKeyFolder.file(folder.resolve("hosts"), "one");
    Files.writeString(file, text + "\n");
    assertTrue(files.of("one").isPresent());
    Headers headers = report(HostKey.of("one", text)).headers();
    assertEquals("one", HostProof.host(files, REPORTS, headers, WORDS, NOW));
    // Long ago, so that only the folder's time tells of the next change.
    Files.setLastModifiedTime(folder.resolve("hosts"), FileTime.fromMillis(1));
    assertEquals("one", HostProof.host(files, REPORTS, headers, WORDS, NOW));
    Files.writeString(folder.resolve("hosts/bad.key"), "no key");
    Files.delete(file);
    assertTrue(files.of("one").isEmpty());
    assertEquals(Optional.empty(), files.of("bad"));
    assertEquals(Optional.empty(), files.of("../hosts/bad"));
  }

  @Test
  void aKeyThatCannotBeReadNowStaysTheOneThatIsKnown() throws Exception {
    Path hosts = Files.createDirectories(folder.resolve("hosts"));
    Path file = HostKeyFolder.file(hosts, "one");
    String text = HostKey.newText(RANDOM);
    Files.writeString(file, text + "\n");
    HostKeyFolder files = new HostKeyFolder(hosts, 0);
    Headers headers = report(HostKey.of("one", text)).headers();
    assertEquals("one", HostProof.host(files, REPORTS, headers, WORDS, NOW));
    // Fails as a file does for which there is no descriptor.
    Files.delete(file);
    Files.createDirectory(file);
    assertEquals("one", HostProof.host(files, REPORTS, headers, WORDS, NOW));
    Files.delete(file);
    String other = HostKey.newText(RANDOM);
    Files.writeString(file, other + "\n");
    // The folder looks as old as when the file could not be read.
    Files.setLastModifiedTime(hosts, FileTime.fromMillis(1));
    assertEquals("", HostProof.host(files, REPORTS, headers, WORDS, NOW));
    Headers now = report(HostKey.of("one", other)).headers();
    assertEquals("one", HostProof.host(files, REPORTS, now, WORDS, NOW));
  }

  private static String renewed(String before, Instant now) {
    return HostKey.renewedText("one", before, RANDOM, now);
  }

  private static String host(HostKey shards, HostKey executor, long timeMs) {
    HostKeys known = host -> Optional.of(shards);
    return HostProof.host(known, REPORTS, report(executor).headers(), WORDS, timeMs);
  }

  @Test
  void theKeyBeforeProvesWhatWasWrittenUntilItsTimeIsOver() {
    String before = HostKey.newText(RANDOM);
    HostKey old = HostKey.of("one", before);
    String text = renewed(before, RENEWED);
    HostKey now = HostKey.of("one", text);
    assertEquals("one", host(now, old, NOW - 1), "on its way when it was renewed");
    assertEquals("one", host(now, old, LAST));
    assertEquals("", host(now, old, LAST + 1));
    assertEquals("one", host(now, now, LAST + 1));
    assertEquals("", host(old, now, NOW), "which shards do not know yet");
    HostKey again = HostKey.of("one", renewed(text, RENEWED.plusSeconds(60)));
    assertEquals("one", host(again, old, LAST), "no longer than it was");
    assertEquals("", host(again, old, LAST + 1));
    assertEquals("one", host(again, now, LAST + 60_000));
    assertEquals("", host(again, now, LAST + 60_001));
    String late = renewed(text, RENEWED.plus(HostKey.GRACE));
    assertEquals(2, late.split(" ").length, "what is over is forgotten");
    String many = before;
    for (int i = 0; i < 100; i++) {
      many = renewed(many, RENEWED);
    }
    assertTrue(many.split(" ").length < 10, many.length() + " characters");
  }

  @Test
  void ordersAreSealedSoThatTheHostReadsThemWithTheKeyThatItHas() throws Exception {
    String before = HostKey.newText(RANDOM);
    String text = renewed(before, RENEWED);
    HostKey shards = HostKey.of("one", text);
    HostKey old = HostKey.of("one", before);
    HostKey now = HostKey.of("one", text);
    assertArrayEquals(WORDS, now.open(old.seal(WORDS, NOW - 1), NOW - 1), "on its way");
    byte[] meanwhile = shards.seal(WORDS, NOW);
    assertArrayEquals(WORDS, old.open(meanwhile, NOW));
    assertArrayEquals(WORDS, now.open(meanwhile, NOW));
    assertThrows(UndecodableRecord.class, () -> now.open(meanwhile, LAST + 1), "written later");
    assertEquals("one", host(shards, old, NOW));
    assertArrayEquals(WORDS, old.open(shards.seal(WORDS, NOW), NOW));
    assertEquals("one", host(shards, now, NOW));
    assertEquals("one", host(shards, old, NOW), "a report that was late");
    byte[] proven = shards.seal(WORDS, NOW);
    assertThrows(UndecodableRecord.class, () -> old.open(proven, NOW), "the host has the new one");
    assertArrayEquals(WORDS, now.open(proven, NOW));
    HostKey silent = HostKey.of("one", text);
    byte[] over = silent.seal(WORDS, LAST + 1);
    assertThrows(UndecodableRecord.class, () -> old.open(over, LAST + 1));
    assertArrayEquals(WORDS, now.open(over, LAST + 1));
  }

  @Test
  void earlierKeysWithoutATimeOrInTheWrongPlaceAreRefusedAndNoneIsTold() {
    String key = HostKey.newText(RANDOM);
    String good = key + " " + key + "@2026-01-05T08:00:00Z";
    assertEquals("one", HostKey.of("one", good).host());
    String until = "@" + RENEWED.plus(Duration.ofDays(1));
    for (String text :
        List.of(key + " " + key, key + until, key + " " + key + "@soon", good + " ", "")) {
      String said =
          assertThrows(IllegalArgumentException.class, () -> HostKey.of("one", text), text)
              .getMessage();
      assertFalse(said.contains(key), said);
      assertEquals(64, renewed(text, RENEWED).length(), "nothing of it is taken over");
    }
  }
}
