package io.millrace.ops.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.ops.cluster.TakeOver.TakeOverProgress;
import io.millrace.schemas.output.ShardOwner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When a drain is over, and when nobody will come. */
class TakeOverTest {

  private static final Optional<Map<String, List<Integer>>> DIVIDED_ANEW = Optional.empty();

  private final TakeOver begun = new TakeOver("own", "n1:9399", List.of(2, 0));

  private static Optional<Map<String, List<Integer>>> shares(Map<String, List<Integer>> shares) {
    return Optional.of(shares);
  }

  private void says(int shard, String address) {
    begun.announced(new ShardOwner(shard, address, 1L));
  }

  @Test
  void eachShardIsAssignedToAnotherWhoHasSaidThatHeServesIt() {
    assertEquals(List.of(0, 2), begun.left());
    assertEquals(TakeOverProgress.WAITS, begun.look(DIVIDED_ANEW));
    says(0, "n2:9399");
    assertEquals(TakeOverProgress.WAITS, begun.look(DIVIDED_ANEW));
    assertEquals(TakeOverProgress.WAITS, begun.look(shares(Map.of("other", List.of(0, 1, 2)))));
    assertEquals(List.of(2), begun.left());
    says(2, "n2:9399");
    assertEquals(
        TakeOverProgress.WAITS, begun.look(DIVIDED_ANEW), "who has it is not known at the moment");
    assertEquals(TakeOverProgress.DONE, begun.look(shares(Map.of("other", List.of(0, 1, 2)))));
    assertEquals(List.of(), begun.left());
  }

  @Test
  void whatTheServerSaidItselfBeforeItsEndIsNoTakeOver() {
    says(0, "n1:9399");
    says(2, "n1:9399");
    assertEquals(TakeOverProgress.WAITS, begun.look(shares(Map.of("other", List.of(0, 1, 2)))));
    assertEquals(List.of(0, 2), begun.left());
  }

  @Test
  void serversOfTwoHostsMayHaveOneAddressOfASocket() {
    TakeOver local = new TakeOver("own", "unix:/s", List.of(0));
    local.announced(new ShardOwner(0, "unix:/s", 1L));
    assertEquals(TakeOverProgress.DONE, local.look(shares(Map.of("other", List.of(0)))));
  }

  @Test
  void aMemberThatHasNotLeftYetHasTakenNothing() {
    says(0, "n2:9399");
    says(2, "n2:9399");
    assertEquals(
        TakeOverProgress.WAITS,
        begun.look(shares(Map.of("own", List.of(2), "other", List.of(0, 1)))));
    assertEquals(List.of(2), begun.left());
    assertEquals(
        TakeOverProgress.WAITS,
        begun.look(shares(Map.of("own", List.of(), "other", List.of(0, 2)))));
  }

  @Test
  void whereNoOtherIsLeftNobodyWillCome() {
    assertEquals(
        TakeOverProgress.NOBODY, begun.look(shares(Map.of())), "both were drained at once");
    assertEquals(List.of(0, 2), begun.left());
    assertEquals(TakeOverProgress.NOBODY, begun.look(shares(Map.of("own", List.of(0, 1, 2)))));
    TakeOver copies = new TakeOver("own", "n1:9399", List.of());
    assertEquals(TakeOverProgress.NOBODY, copies.look(shares(Map.of())));
    assertEquals(TakeOverProgress.DONE, copies.look(shares(Map.of("other", List.of(0, 1, 2)))));
  }

  @Test
  void aDrainedServersShardsAreAllAnothersOrNobodys() {
    List<Integer> all = List.of(0, 1, 2);
    assertEquals(Set.of(0, 1, 2), TakeOver.unowned(all, Map.of(), "own"));
    assertEquals(
        Set.of(1), TakeOver.unowned(all, Map.of("own", List.of(1), "o", List.of(0, 2)), "own"));
    assertEquals(
        Set.of(), TakeOver.unowned(all, Map.of("a", List.of(1), "b", List.of(0, 2)), "own"));
  }
}
