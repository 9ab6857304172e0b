package io.millrace.server.streams.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.Topics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.MemberAssignment;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShardGroupTest {
  private static final String HERE = "91614c39-03df-405b-93cb-e8f50dfbbff2";
  private static final String GONE = "ba70051f-6c3b-4d03-aa56-d1101be27e78";

  @ParameterizedTest
  @CsvSource({
    "millrace-91614c39-03df-405b-93cb-e8f50dfbbff2-1," + HERE,
    "millrace-91614c39-03df-405b-93cb-e8f50dfbbff2-StreamThread-1-consumer," + HERE,
    "millrace-campaigns-91614c39-03df-405b-93cb-e8f50dfbbff2-1,''",
    "other-91614c39-03df-405b-93cb-e8f50dfbbff2-1,''",
    "millrace-91614c39-03df-405b-93cb-e8f50dfbbff2,''",
  })
  void aNameTellsTheProcess(String name, String process) {
    assertEquals(process, ShardGroup.process(name));
  }

  private static MemberDescription member(String name, TopicPartition... owns) {
    return new MemberDescription(
        "id-" + name,
        Optional.of(name),
        Optional.empty(),
        "client",
        "/10.0.0.1",
        new MemberAssignment(Set.of(owns)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void eachServerHasTheShardsOfItsInboxes() {
    List<MemberDescription> members =
        List.of(
            member(
                "one-7-1",
                new TopicPartition(Topics.COMMANDS, 3),
                new TopicPartition(Topics.COMMANDS, 1),
                new TopicPartition(Topics.REPORTS, 1),
                new TopicPartition(Topics.REPORTS, 3)),
            member("copies-1"));
    assertEquals(
        Optional.of(Map.of("one-7", List.of(1, 3), "copies", List.of())),
        ShardGroup.shares(GroupState.STABLE, members));
    for (GroupState state :
        List.of(GroupState.PREPARING_REBALANCE, GroupState.COMPLETING_REBALANCE)) {
      assertEquals(Optional.empty(), ShardGroup.shares(state, members), "they are divided");
    }
  }

  @Test
  void aPredecessorIsEndedOnlyWhereOthersTakeItsShards() {
    List<MemberDescription> both = List.of(member("one-1"), member("two-1"));
    assertTrue(ShardGroup.hasPredecessor("one", both));
    assertFalse(ShardGroup.hasPredecessor("three", both));
    assertFalse(ShardGroup.hasPredecessor("one", List.of(member("one-1"))));
  }

  @Test
  void whereNoServerIsNobodyHasAShard() {
    assertEquals(Optional.of(Map.of()), ShardGroup.shares(GroupState.EMPTY, List.of()));
    assertEquals(Optional.of(Map.of()), ShardGroup.shares(GroupState.DEAD, List.of()));
  }

  @Test
  void onlyTransactionsOfServersThatAreGoneAreEnded() {
    String gone = "millrace-" + GONE + "-1";
    List<String> begun =
        List.of(
            "millrace-" + HERE + "-2",
            gone,
            "millrace-campaigns-" + GONE + "-1",
            "payroll-" + GONE);
    assertEquals(List.of(gone), ShardGroup.orphans(begun, Set.of(HERE)));
    assertEquals(List.of(), ShardGroup.orphans(begun, Set.of(HERE, GONE)));
  }
}
