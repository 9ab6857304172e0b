package io.millrace.server.gateway.command;

import io.millrace.schemas.state.Holding;
import java.util.List;
import java.util.Map;

/** Commands typed at a gateway whose site is a false one. */
abstract class CommandsFixture {
  final FakeSite site = new FakeSite();

  Object sent(int index) {
    return site.sent.get(index).command();
  }

  void held(boolean exclusive, long ncpus) {
    site.nodes
        .get(0)
        .setHoldings(List.of(new Holding("1.vm", 1L, 1, Map.of("ncpus", ncpus), 1, 0, exclusive)));
  }
}
