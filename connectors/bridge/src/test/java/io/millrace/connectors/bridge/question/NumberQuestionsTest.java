package io.millrace.connectors.bridge.question;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Told;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class NumberQuestionsTest {

  private final List<String> asked = new ArrayList<>();
  private Instant now = Instant.parse("2026-11-25T10:00:00Z");

  private NumberQuestions questions(OutsideSystem system) {
    return new NumberQuestions(
        system, () -> now, () -> new QueryPace(Duration.ofSeconds(5), Duration.ofSeconds(300)));
  }

  private static TreeMap<String, List<OutsideId>> owned(String... accounts) {
    TreeMap<String, List<OutsideId>> owned = new TreeMap<>();
    for (String account : accounts) {
      owned.put(account, List.of(OutsideId.of(account.charAt(0))));
    }
    return owned;
  }

  private OutsideSystem system() {
    return (OutsideSystem)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {OutsideSystem.class},
            (proxy, method, words) -> answer((String) words[0], (Collection<?>) words[1]));
  }

  private Object answer(String account, Collection<?> ids) {
    asked.add(account);
    return account.equals("b")
        ? Told.nothing("no password of b")
        : Told.of(Map.of((OutsideId) ids.iterator().next(), Optional.empty()));
  }

  /** One whose questions fail each time is asked in turn with the others. */
  @Test
  void allAccountsHaveTheirTurn() throws Exception {
    NumberQuestions questions = questions(system());
    TreeMap<String, List<OutsideId>> owned = owned("a", "b", "c", "d", "e", "f");
    assertEquals(3, questions.ask(owned).size(), "what is not told is not in it");
    assertEquals(List.of("a", "b", "c", "d"), asked);
    asked.clear();
    now = now.plusSeconds(300);
    questions.ask(owned);
    assertEquals(List.of("e", "f", "a", "b"), asked);
    asked.clear();
    owned.keySet().removeIf(it -> it.compareTo("b") > 0);
    now = now.plusSeconds(300);
    questions.ask(owned);
    assertEquals(List.of("a", "b"), asked);
  }

  /** What takes long is asked for seldom, in whose name soever. */
  @Test
  void questionsTakeATwentiethOfTheTime() throws Exception {
    NumberQuestions questions =
        questions(
            played(
                ids -> {
                  asked.add(ids.get(0).toString());
                  now = now.plusSeconds(3);
                  return Told.of(Map.of(ids.get(0), Optional.empty()));
                }));
    Instant end = now.plusSeconds(3600);
    while (now.isBefore(end)) {
      questions.ask(owned("a", "b"));
      now = now.plusSeconds(5);
    }
    assertTrue(asked.size() >= 50 && asked.size() <= 62, asked.size() + " questions");
  }

  /** Others are asked as ever; it is so again as soon as it is told something. */
  @Test
  void anAccountWhoseQuestionsFailIsAskedInPausesThatGrow() throws Exception {
    boolean[] fails = {true};
    OutsideSystem system =
        (OutsideSystem)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OutsideSystem.class},
                (proxy, method, words) -> {
                  String account = (String) words[0];
                  asked.add(account);
                  return account.equals("b") && fails[0]
                      ? Told.nothing("no password of b")
                      : Told.of(Map.of(OutsideId.of(account.charAt(0)), Optional.empty()));
                });
    NumberQuestions questions = questions(system);
    for (int i = 0; i < 720; i++) {
      questions.ask(owned("a", "b"));
      now = now.plusSeconds(5);
    }
    assertEquals(720, Collections.frequency(asked, "a"));
    // At once, after 5, 10, 20, 40, 80, 160 s and then each 300 s of an hour.
    assertEquals(1 + 6 + 10, Collections.frequency(asked, "b"));
    fails[0] = false;
    now = now.plusSeconds(300);
    questions.ask(owned("a", "b"));
    asked.clear();
    now = now.plusSeconds(5);
    assertEquals(2, questions.ask(owned("a", "b")).size());
    assertEquals(List.of("b"), asked.stream().filter(it -> it.equals("b")).toList());
    fails[0] = true;
    for (int i = 0; i < 100; i++) {
      now = now.plusSeconds(5);
      questions.ask(owned("a", "b"));
    }
    asked.clear();
    now = now.plusSeconds(5);
    questions.hurry();
    questions.ask(owned("a", "b"));
    assertEquals(1, Collections.frequency(asked, "b"));
  }

  /** Of more than a system asks for at once, and where one is never told. */
  @Test
  void allNumbersOfAnAccountHaveTheirTurn() throws Exception {
    List<OutsideId> ids = LongStream.range(0, 9).mapToObj(OutsideId::of).toList();
    OutsideId never = ids.get(4);
    Set<OutsideId> heard = new HashSet<>();
    NumberQuestions questions =
        questions(
            played(
                turn -> {
                  List<OutsideId> some = turn.subList(0, 3);
                  int told = some.contains(never) ? some.indexOf(never) : 3;
                  Map<OutsideId, Optional<?>> said = new HashMap<>();
                  some.subList(0, told).forEach(it -> said.put(it, Optional.empty()));
                  return told == 0 ? Told.nothing("no answer") : Told.of(said);
                }));
    for (int i = 0; i < 5; i++) {
      now = now.plusSeconds(300);
      heard.addAll(questions.ask(new TreeMap<>(Map.of("a", ids))).keySet());
    }
    Set<OutsideId> all = new HashSet<>(ids);
    all.remove(never);
    assertEquals(all, heard);
  }

  @SuppressWarnings("unchecked")
  private OutsideSystem played(Function<List<OutsideId>, Told<?>> answers) {
    return (OutsideSystem)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {OutsideSystem.class},
            (proxy, method, words) -> answers.apply((List<OutsideId>) words[1]));
  }
}
