package io.millrace.server.streams;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Topics;
import io.millrace.schemas.WireCodec;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.hostkey.HostProof;
import io.millrace.schemas.output.EngineBeat;
import io.millrace.schemas.output.HostBeat;
import io.millrace.schemas.output.RunSample;
import io.millrace.schemas.output.ServerPulse;
import io.millrace.server.streams.engine.EngineLiveness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

/** Whose heartbeats are heard, and as whose. */
class HeartbeatsTest {
  private final WireCodec codec = WireCodec.local();
  private final HostKey one = HostKey.of("one", "1".repeat(64));
  private final HostKey two = HostKey.of("two", "2".repeat(64));
  private final List<String> refusals = new ArrayList<>();
  private final Heartbeats beats =
      new Heartbeats(
          Map.of(),
          codec,
          "server-1",
          host -> Optional.ofNullable(Map.of("one", one, "two", two).get(host)),
          refusals::add);
  private long offset;

  private void beat(HostKey from, String names, RunSample... samples) {
    byte[] value = codec.encode(new HostBeat(names, "spool-" + names, List.of(samples)));
    hear(
        value,
        from == null
            ? new RecordHeaders()
            : HostProof.record(from, Topics.HEARTBEATS, 0, null, value).headers());
  }

  private void hear(byte[] value, Headers headers) {
    hear(Topics.HEARTBEATS, value, headers);
  }

  private void hear(String topic, byte[] value, Headers headers) {
    beats.hear(
        new ConsumerRecord<>(
            topic,
            0,
            offset++,
            0L,
            TimestampType.CREATE_TIME,
            0,
            value.length,
            null,
            value,
            headers,
            Optional.empty()));
  }

  @Test
  void aHeartbeatIsThatOfTheHostThatItProvesToComeFrom() {
    RunSample sample = new RunSample(7L, 2, 0, 90_000L, 1L, 1L);
    beat(null, "one", sample);
    beat(two, "one", sample);
    beat(HostKey.of("one", "3".repeat(64)), "one", sample);
    assertFalse(beats.heard().beats("one", "spool-one"));
    assertFalse(beats.heard().beats("two", "spool-one"));
    assertEquals(0, beats.usages().size());
    beat(one, "one", sample);
    assertTrue(beats.heard().beats("one", "spool-one"));
    assertEquals(1, beats.usages().size());
  }

  /** Pulses that pass without a heartbeat make a host silent, and its node goes down. */
  @Test
  void noHostMakesTheOthersSilent() {
    beat(one, "one");
    for (String guess : List.of("server-1", "server-1 ", "server-1 " + "0".repeat(64))) {
      for (int i = 0; i < 100; i++) {
        hear(codec.encode(new ServerPulse(guess)), new RecordHeaders());
      }
    }
    assertEquals(0, beats.heard().unheardS("one", "spool-one"));
    hear(codec.encode(new ServerPulse(beats.life())), new RecordHeaders());
    assertTrue(beats.heard().unheardS("one", "spool-one") > 0);
  }

  @Test
  void whatIsRefusedIsWrittenDownOnceInAWhile() {
    for (int i = 0; i < 100; i++) {
      beat(null, "one");
      beat(two, "one");
    }
    assertEquals(
        List.of(
            "refused heartbeat reason=proof claims=one record=heartbeats-0@0",
            "refused heartbeat host=two reason=host claims=one record=heartbeats-0@1"),
        refusals);
    for (int i = 0; i < 5_000; i++) {
      beat(null, "one" + i);
    }
    beat(null, "no\nname");
    assertTrue(refusals.size() <= 1_000, refusals.size() + " lines");
  }

  /** Executors write heartbeats; a host that could speak for an engine would hide its death. */
  @Test
  void onlyTheTopicOfEnginesSpeaksForThem() {
    EngineLiveness engines = beats.engines(Set.of("s2"));
    assertTrue(engines.expected("s2"));
    assertFalse(engines.expected("default"), "its engine is beside its shard");
    byte[] beat = codec.encode(new EngineBeat("s2", 4L, "one"));
    hear(beat, new RecordHeaders());
    assertFalse(engines.beats("s2", 4));
    hear(Topics.ENGINE_BEATS, beat, new RecordHeaders());
    assertTrue(engines.beats("s2", 4));
    assertFalse(engines.beats("s2", 5), "another start of it");
    for (int i = 0; i < 20; i++) {
      hear(codec.encode(new ServerPulse(beats.life())), new RecordHeaders());
    }
    assertEquals(0, engines.unheardS("s2", 4), "their own topic may have no leader meanwhile");
    assertTrue(engines.beats("s2", 4));
    for (int i = 0; i < 2; i++) {
      byte[] pulse = codec.encode(new ServerPulse(beats.life()));
      hear(Topics.ENGINE_BEATS, pulse, new RecordHeaders());
    }
    assertEquals(2, engines.unheardS("s2", 4));
    assertFalse(engines.beats("s2", 4));
  }

  private void enginePulses(int count) {
    for (int i = 0; i < count; i++) {
      hear(Topics.ENGINE_BEATS, codec.encode(new ServerPulse(beats.life())), new RecordHeaders());
    }
  }

  /** A pulse each second would keep broker and server awake for nobody. */
  @Test
  void pulsesEndAMinuteAfterTheLastEngineApartWasWaitedFor() {
    EngineLiveness engines = beats.engines(Set.of());
    assertFalse(beats.waitsForEngines());
    hear(Topics.ENGINE_BEATS, codec.encode(new EngineBeat("s2", 4L, "one")), new RecordHeaders());
    enginePulses(60);
    assertTrue(beats.waitsForEngines());
    engines.unheardS("s2", 4);
    enginePulses(60);
    assertTrue(beats.waitsForEngines(), "a shard asked for it");
    enginePulses(1);
    assertFalse(beats.waitsForEngines());
    engines.unheardS("s3", 1);
    assertTrue(beats.waitsForEngines());
  }
}
