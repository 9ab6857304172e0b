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
  private static final HostProof.Place REPORTS = new HostProof.Place("reports", 3);
  private static final byte[] WORDS = "run 1 has ended".getBytes(StandardCharsets.UTF_8);

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
    assertEquals("one", HostProof.host(keys, REPORTS, headers, WORDS));
    byte[] others = "run 2 has ended".getBytes(StandardCharsets.UTF_8);
    assertEquals("", HostProof.host(keys, REPORTS, headers, others));
    HostProof.Place shard = new HostProof.Place("reports", 4);
    assertEquals("", HostProof.host(keys, shard, headers, WORDS));
    HostProof.Place topic = new HostProof.Place("heartbeats", 3);
    assertEquals("", HostProof.host(keys, topic, headers, WORDS));
  }

  @Test
  void anotherNameOrAnotherKeyOrNoneProvesNothing() {
    Headers named = new RecordHeaders(report(one).headers().toArray());
    named.remove("host").add("host", "two".getBytes(StandardCharsets.UTF_8));
    assertEquals("", HostProof.host(keys, REPORTS, named, WORDS));
    HostKey guessed = HostKey.of("two", HostKey.newText(RANDOM));
    assertEquals("", HostProof.host(keys, REPORTS, report(guessed).headers(), WORDS));
    assertEquals("", HostProof.host(HostKeys.NONE, REPORTS, report(one).headers(), WORDS));
    assertEquals("", HostProof.host(keys, REPORTS, new RecordHeaders(), WORDS));
    for (String lost : List.of("host", "proof")) {
      Headers few = new RecordHeaders(report(one).headers().toArray());
      few.remove(lost);
      assertEquals("", HostProof.host(keys, REPORTS, few, WORDS));
      few.add(lost, null);
      assertEquals("", HostProof.host(keys, REPORTS, few, WORDS));
    }
  }

  @Test
  void onlyTheHostOfAnOrderReadsIt() throws Exception {
    byte[] sealed = one.seal(WORDS);
    assertArrayEquals(WORDS, one.open(sealed));
    String text = new String(sealed, StandardCharsets.ISO_8859_1);
    assertFalse(text.contains("ended"), text);
    assertThrows(UndecodableRecord.class, () -> two.open(sealed));
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      assertThrows(UndecodableRecord.class, () -> one.open(changed), "byte " + i);
    }
    for (byte[] none : new byte[][] {null, {}, {1}, WORDS, new byte[60]}) {
      assertThrows(UndecodableRecord.class, () -> one.open(none));
    }
    assertFalse(Arrays.equals(sealed, one.seal(WORDS)), "the same order twice");
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
    assertEquals("one", HostProof.host(files, REPORTS, headers, WORDS));
    // Long ago, so that only the folder's time tells of the next change.
    Files.setLastModifiedTime(folder.resolve("hosts"), FileTime.fromMillis(1));
    assertEquals("one", HostProof.host(files, REPORTS, headers, WORDS));
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
    assertEquals("one", HostProof.host(files, REPORTS, headers, WORDS));
    // Fails as a file does for which there is no descriptor.
    Files.delete(file);
    Files.createDirectory(file);
    assertEquals("one", HostProof.host(files, REPORTS, headers, WORDS));
    Files.delete(file);
    String other = HostKey.newText(RANDOM);
    Files.writeString(file, other + "\n");
    // The folder looks as old as when the file could not be read.
    Files.setLastModifiedTime(hosts, FileTime.fromMillis(1));
    assertEquals("", HostProof.host(files, REPORTS, headers, WORDS));
    Headers now = report(HostKey.of("one", other)).headers();
    assertEquals("one", HostProof.host(files, REPORTS, now, WORDS));
  }
}
