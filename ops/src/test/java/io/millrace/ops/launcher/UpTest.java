package io.millrace.ops.launcher;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.Home;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What up makes of the answers that it gets. */
class UpTest {

  @TempDir Path folder;

  private boolean wanted(String... arguments) throws Exception {
    Options options = Up.options("up", "starts it").parse(List.of(arguments));
    return new Up(new Home(folder), options, new Console(System.out, false)).isWanted();
  }

  @Test
  void whatWasPutDownByHandIsNotKeptUp() throws Exception {
    Home home = new Home(folder);
    home.create();
    assertTrue(wanted("--keep"));
    Down.remember(home);
    assertFalse(wanted("--keep"));
    assertFalse(wanted("--keep"), "however often it is asked");
    assertTrue(wanted());
    assertTrue(wanted("--keep"), "until somebody calls up");
  }

  @Test
  void onlyANodeThatNobodyKnowsWasDeleted() {
    assertTrue(Up.deleted(new HomeClient.Said(1, "Node: vm,  Error: Unknown node \n")));
    assertFalse(Up.deleted(new HomeClient.Said(0, "vm\n     Mom = vm\n")));
    assertFalse(
        Up.deleted(new HomeClient.Said(1, "pbsnodes: shard 0 does not answer\n")),
        "whoever cannot be asked was not deleted");
  }
}
