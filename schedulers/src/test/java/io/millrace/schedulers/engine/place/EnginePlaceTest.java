package io.millrace.schedulers.engine.place;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schedulers.engine.place.EnginePlace.EngineStanding;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.fact.CommandAnswered;
import io.millrace.schemas.fact.EngineNoted;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

class EnginePlaceTest {

  private static final CommandId WISH = id(1);
  private static final CommandId OTHER = id(2);

  private final EnginePlace place = new EnginePlace("night", 0, false, WISH);
  private long seq;

  private static CommandId id(int last) {
    byte[] bytes = new byte[16];
    bytes[15] = (byte) last;
    return new CommandId(bytes);
  }

  private FactMeta meta(CommandId cause) {
    return new FactMeta(++seq, 1_000L, cause, "night");
  }

  private void starts(CommandId cause, String scheduler, long epoch, boolean apart) {
    place.follow(new EngineStarted(meta(cause), scheduler, epoch, apart, false, "n1"));
  }

  private void letIn() {
    starts(WISH, "night", 5, true);
    assertEquals(EngineStanding.HELD, place.standing());
    assertEquals(5, place.epoch());
  }

  private void replaced() {
    letIn();
    starts(OTHER, "night", 7, true);
    assertEquals(EngineStanding.REPLACED, place.standing());
  }

  private void noted(long epoch, EngineCondition condition) {
    place.follow(
        new EngineNoted(meta(OTHER), "night", epoch, condition, "", List.of(), List.of(), ""));
  }

  private void deleted(ObjectKind kind, String name) {
    place.follow(new ObjectDeleted(meta(OTHER), kind, name, 2L));
  }

  private void answered(CommandId id, int code) {
    Answer answer = new Answer();
    answer.setId(id);
    answer.setCode(code);
    place.follow(new CommandAnswered(meta(id), answer));
  }

  @Test
  void itIsLetInOnceTheShardSaysSo() {
    starts(OTHER, "night", 4, true);
    deleted(ObjectKind.SCHEDULER, "night");
    answered(OTHER, PbsError.UNKNOWN_SCHEDULER.code());
    answered(WISH, 0);
    assertEquals(EngineStanding.ASKED, place.standing(), "what was before it does not concern it");
    letIn();
    assertFalse(place.isOver());
  }

  @Test
  void anObjectThatIsDeletedRightBehindTheAnswerIsMissed() {
    letIn();
    deleted(ObjectKind.SCHEDULER, "default");
    deleted(ObjectKind.QUEUE, "night");
    assertEquals(EngineStanding.HELD, place.standing());
    deleted(ObjectKind.SCHEDULER, "night");
    assertEquals(EngineStanding.UNKNOWN, place.standing());
    assertTrue(place.isOver());
  }

  /** A scheduler object without a partition goes to the shard of the first one that it gets. */
  @Test
  void whoseObjectGoesToAnotherShardAsksThere() {
    letIn();
    place.follow(new ObjectWritten(meta(OTHER), written("day", 3)));
    place.follow(new ObjectWritten(meta(OTHER), written("night", 0)));
    assertEquals(EngineStanding.HELD, place.standing());
    place.follow(new ObjectWritten(meta(OTHER), written("night", 3)));
    assertEquals(EngineStanding.UNKNOWN, place.standing());
    assertTrue(place.isOver());
  }

  private static ClusterObject written(String name, int shard) {
    List<Attribute> attributes = List.of(new Attribute("shard", Integer.toString(shard)));
    return new ClusterObject(ObjectKind.SCHEDULER, name, 1L, attributes, 1L);
  }

  @Test
  void refusalsAreTold() {
    answered(WISH, PbsError.PROTOCOL.code());
    assertEquals(EngineStanding.REFUSED, place.standing());
    assertEquals(PbsError.PROTOCOL.code(), place.refusal().orElseThrow().getCode());
    EnginePlace unknown = new EnginePlace("night", 0, false, WISH);
    Answer answer = new Answer();
    answer.setId(WISH);
    answer.setCode(PbsError.UNKNOWN_SCHEDULER.code());
    unknown.follow(new CommandAnswered(meta(WISH), answer));
    assertEquals(EngineStanding.UNKNOWN, unknown.standing());
  }

  @Test
  void theServersOwnEngineLeavesItsPlaceToOneThatAsks() {
    letIn();
    starts(OTHER, "default", 9, false);
    starts(OTHER, "night", 5, true);
    assertEquals(EngineStanding.HELD, place.standing(), "neither is another engine of this object");
    starts(OTHER, "night", 6, false);
    assertEquals(EngineStanding.TAKEN_OVER, place.standing());
    assertTrue(place.isOver());
  }

  @Test
  void whileAnotherApartWorksItStandsBy() {
    replaced();
    assertFalse(place.isOver());
    noted(5, EngineCondition.FAILED);
    assertEquals(EngineStanding.REPLACED, place.standing(), "of itself it was noted");
    for (EngineCondition gone :
        List.of(EngineCondition.SILENT, EngineCondition.ENDED, EngineCondition.FAILED)) {
      noted(7, gone);
      assertEquals(EngineStanding.FREE, place.standing());
      assertTrue(place.isOver());
      noted(7, EngineCondition.WORKS);
      assertEquals(EngineStanding.REPLACED, place.standing(), "it shows signs of life again");
    }
  }

  @Test
  void oneThatIsStartedAgainKeepsThePlace() {
    replaced();
    noted(7, EngineCondition.FAILED);
    starts(OTHER, "night", 9, true);
    assertEquals(EngineStanding.REPLACED, place.standing());
    noted(7, EngineCondition.ENDED);
    assertEquals(EngineStanding.REPLACED, place.standing());
    noted(9, EngineCondition.ENDED);
    assertEquals(EngineStanding.FREE, place.standing());
  }

  @Test
  void aStandbyAsksAgainWhenTheServersOwnHasIt() {
    replaced();
    starts(OTHER, "night", 8, false);
    assertEquals(EngineStanding.TAKEN_OVER, place.standing());
  }

  @Test
  void nobodyTakesAShadowsPlace() {
    EnginePlace shadow = new EnginePlace("night", 0, true, WISH);
    shadow.follow(new EngineStarted(meta(WISH), "night", 0L, true, true, "n1"));
    assertEquals(EngineStanding.HELD, shadow.standing());
    shadow.follow(new EngineStarted(meta(OTHER), "night", 7L, true, false, "n1"));
    assertEquals(EngineStanding.HELD, shadow.standing());
    shadow.follow(new ObjectDeleted(meta(OTHER), ObjectKind.SCHEDULER, "night", 2L));
    assertEquals(EngineStanding.UNKNOWN, shadow.standing());
  }
}
