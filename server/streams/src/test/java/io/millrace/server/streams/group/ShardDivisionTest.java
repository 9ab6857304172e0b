package io.millrace.server.streams.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.server.streams.group.ShardDivision.DividedServer;
import io.millrace.server.streams.group.ShardDivision.DividedShare;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardDivisionTest {
  private static final long LACK_MAX = 10_000;
  private static final Set<Integer> FOUR = Set.of(0, 1, 2, 3);
  private static final Map<Integer, Long> WHOLE = Map.of(0, 5L, 1, 5L, 2, 5L, 3, 5L);
  private static final Map<Integer, Long> FAR = Map.of(0, 90_000L, 1, 90_000L, 2, 90_000L);

  private static Map<String, DividedShare> divide(DividedServer... servers) {
    return new ShardDivision(List.of(servers), FOUR, 1, LACK_MAX).shares();
  }

  private static DividedServer settled(String name, Set<Integer> owned, Map<Integer, Long> behind) {
    return new DividedServer(name, true, owned, behind);
  }

  private static DividedServer comes(String name, Map<Integer, Long> behind) {
    return new DividedServer(name, false, Set.of(), behind);
  }

  private static DividedShare share(
      Set<Integer> shards, Set<Integer> copies, Optional<Duration> look) {
    return new DividedShare(new TreeSet<>(shards), new TreeSet<>(copies), look);
  }

  @Test
  void theFirstServerHasAllAtOnce() {
    assertEquals(
        Map.of("a", share(FOUR, Set.of(), Optional.empty())), divide(comes("a", Map.of())));
  }

  @Test
  void serversThatComeTogetherShareAtOnce() {
    assertEquals(
        Map.of(
            "a", share(Set.of(0, 2), Set.of(1, 3), Optional.empty()),
            "b", share(Set.of(1, 3), Set.of(0, 2), Optional.empty())),
        divide(comes("a", WHOLE), comes("b", WHOLE)));
  }

  @Test
  void aServerThatComesGetsCopiesFirst() {
    Map<String, DividedShare> first = divide(settled("a", FOUR, Map.of()), comes("b", WHOLE));
    assertEquals(
        Map.of(
            "a", share(FOUR, Set.of(), Optional.empty()),
            "b", share(Set.of(), FOUR, Optional.of(ShardDivision.FIRST_LOOK))),
        first);
  }

  @Test
  void itGetsItsShareWhenTheyAreWhole() {
    assertEquals(
        Map.of(
            "a", share(Set.of(1, 3), Set.of(0, 2), Optional.empty()),
            "b", share(Set.of(0, 2), Set.of(1, 3), Optional.empty())),
        divide(settled("a", FOUR, Map.of()), settled("b", Set.of(), WHOLE)));
  }

  @Test
  void itWaitsWhileTheyAreNot() {
    assertEquals(
        share(Set.of(), FOUR, Optional.of(ShardDivision.NEXT_LOOK)),
        divide(settled("a", FOUR, Map.of()), settled("b", Set.of(), FAR)).get("b"));
  }

  /** As when a killed server is back before its session is over. */
  @Test
  void whatLostItsOwnerGoesToWhoHasItOpen() {
    assertEquals(
        Map.of(
            "a", share(FOUR, Set.of(), Optional.empty()),
            "b", share(Set.of(), FOUR, Optional.of(ShardDivision.FIRST_LOOK))),
        divide(settled("a", Set.of(0, 1), WHOLE), comes("b", WHOLE)));
  }

  @Test
  void whereNobodyHasItWholeWhoHasMostOfItGetsIt() {
    Map<Integer, Long> less = Map.of(0, 80_000L, 1, 80_000L, 2, 80_000L, 3, 80_000L);
    Map<String, DividedShare> shares = divide(comes("a", FAR), comes("b", less));
    assertEquals(FOUR, shares.get("b").shards());
    assertEquals(FOUR, shares.get("a").copies());
  }

  @Test
  void withoutCopiesOnlyWhatIsToGoOverIsCopied() {
    Map<String, DividedShare> shares =
        new ShardDivision(List.of(settled("a", FOUR, Map.of()), comes("b", FAR)), FOUR, 0, LACK_MAX)
            .shares();
    assertEquals(
        Map.of(
            "a", share(FOUR, Set.of(), Optional.empty()),
            "b", share(Set.of(), Set.of(0, 1), Optional.of(ShardDivision.FIRST_LOOK))),
        shares);
  }

  /** Servers come, go and are killed: it ends even, with an owner and a copy of each shard. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void itEndsEven(long seed) {
    Random random = new Random(seed);
    Set<Integer> shards =
        IntStream.range(0, 1 + random.nextInt(12)).boxed().collect(Collectors.toSet());
    Map<String, DividedShare> now = new HashMap<>();
    int names = 0;
    for (int change = 0; change < 20; change++) {
      if (now.size() > 1 && random.nextBoolean()) {
        now.remove(now.keySet().stream().sorted().toList().get(random.nextInt(now.size())));
      } else if (now.size() < 5) {
        now.put("server" + names++, share(Set.of(), Set.of(), Optional.empty()));
      }
      Set<String> known = Set.of();
      for (int round = 0; round == 0 || looks(now); round++) {
        assertTrue(round < 20, "it does not end");
        now = next(now, known, shards);
        known = Set.copyOf(now.keySet());
      }
      int least = now.values().stream().mapToInt(it -> it.shards().size()).min().orElseThrow();
      int most = now.values().stream().mapToInt(it -> it.shards().size()).max().orElseThrow();
      assertTrue(most - least <= 1, now.toString());
    }
  }

  private static boolean looks(Map<String, DividedShare> now) {
    return now.values().stream().anyMatch(it -> it.lookAgain().isPresent());
  }

  private static Map<String, DividedShare> next(
      Map<String, DividedShare> now, Set<String> known, Set<Integer> shards) {
    List<DividedServer> servers =
        now.entrySet().stream()
            .map(
                it -> {
                  Map<Integer, Long> behind = new HashMap<>();
                  shards.forEach(shard -> behind.put(shard, 50_000L));
                  it.getValue().copies().forEach(shard -> behind.put(shard, 1L));
                  Set<Integer> owned = it.getValue().shards();
                  boolean settled = !owned.isEmpty() || known.contains(it.getKey());
                  return new DividedServer(it.getKey(), settled, owned, behind);
                })
            .toList();
    Map<String, DividedShare> shares = new ShardDivision(servers, shards, 1, LACK_MAX).shares();
    Set<Integer> owned = new HashSet<>();
    shares.values().forEach(it -> it.shards().forEach(shard -> assertTrue(owned.add(shard))));
    assertEquals(shards, owned, "each has one owner");
    if (shares.size() > 1) {
      Set<Integer> copied = new HashSet<>();
      shares.forEach(
          (name, it) -> {
            assertTrue(it.copies().stream().noneMatch(it.shards()::contains), name);
            copied.addAll(it.copies());
          });
      assertEquals(shards, copied, "each has a copy");
    }
    return shares;
  }
}
