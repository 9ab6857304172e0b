package io.millrace.connectors.bridge.question;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Told;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
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

  private Object answer(String account, Collection<?> ids) {
    asked.add(account);
    return account.equals("b")
        ? Told.nothing("no password of b")
        : Told.of(Map.of((OutsideId) ids.iterator().next(), Optional.empty()));
  }

  /** One whose questions fail each time is asked in turn with the others. */
  @Test
  void allAccountsHaveTheirTurn() throws Exception {
    OutsideSystem system =
        (OutsideSystem)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OutsideSystem.class},
                (proxy, method, words) -> answer((String) words[0], (Collection<?>) words[1]));
    NumberQuestions questions = new NumberQuestions(system);
    TreeMap<String, List<OutsideId>> owned = new TreeMap<>();
    for (String account : List.of("a", "b", "c", "d", "e", "f")) {
      owned.put(account, List.of(OutsideId.of(account.charAt(0))));
    }
    assertEquals(3, questions.ask(owned).size(), "what is not told is not in it");
    assertEquals(List.of("a", "b", "c", "d"), asked);
    asked.clear();
    questions.ask(owned);
    assertEquals(List.of("e", "f", "a", "b"), asked);
    asked.clear();
    owned.keySet().removeIf(it -> it.compareTo("b") > 0);
    questions.ask(owned);
    assertEquals(List.of("a", "b"), asked);
  }

  /** Of more than a system asks for at once, and where one is never told. */
  @Test
  void allNumbersOfAnAccountHaveTheirTurn() throws Exception {
    List<OutsideId> ids = LongStream.range(0, 9).mapToObj(OutsideId::of).toList();
    OutsideId never = ids.get(4);
    Set<OutsideId> heard = new HashSet<>();
    NumberQuestions questions =
        new NumberQuestions(
            played(
                turn -> {
                  List<OutsideId> some = turn.subList(0, 3);
                  int told = some.contains(never) ? some.indexOf(never) : 3;
                  Map<OutsideId, Optional<?>> said = new HashMap<>();
                  some.subList(0, told).forEach(it -> said.put(it, Optional.empty()));
                  return told == 0 ? Told.nothing("no answer") : Told.of(said);
                }));
    for (int i = 0; i < 5; i++) {
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
