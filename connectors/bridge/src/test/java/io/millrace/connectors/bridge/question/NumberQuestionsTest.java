package io.millrace.connectors.bridge.question;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.Told;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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
}
