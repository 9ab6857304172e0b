package io.millrace.server.gateway.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class KnownAccountsTest {
  private final KnownAccounts accounts = new KnownAccounts();

  private Optional<String> stranger(String... names) {
    return accounts.stranger("root", List.of(names));
  }

  @Test
  void namesThatNoAccountHas() {
    assertEquals(Optional.empty(), stranger("root", "x@elsewhere"));
    assertEquals(Optional.of("nosuchuser"), stranger("root", "nosuchuser"));
  }

  /** The machine takes each number for an account, whether anybody has it or not. */
  @Test
  void aNumberIsNoName() {
    for (String number : List.of("99999", "0", "+5", "-5", "\u0665")) {
      assertEquals(Optional.of(number), stranger(number));
    }
  }
}
