package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.container.PlayedEngine;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hundred hostile words on their way through the program of a container engine. */
class ContainerWordsTest {

  @TempDir Path folder;

  @Test
  void eachComesOutAsItIs() throws Exception {
    PlayedEngine engine = new PlayedEngine(folder);
    engine.account("mr-nobody", 1003);
    SpokenWords.sayTo(folder, engine.keys());
  }
}
